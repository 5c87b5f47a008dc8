/** Links, sessions and jobs end with the key that made them. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Scope } from "../../../src/base/accounts/scopes.ts";
import { endpointsOf, network } from "../../domain/webhook-endpoints/receiver.ts";
import { api, type Caller } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { type Json, openShop, refusal, type Shop } from "../../support/shops.ts";
import { endKey, limitedKey, makeKey, profile } from "../../support/tenant.ts";
import { linked, setClock, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "../portal/visitor.ts";

const worker = useWorker();
const net = network();
const lookupTtlMs = 30_000;
const sessions = "/api/portal/sessions";

let shop: Shop;
let second: Caller & { keyId: string };
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
  const { key, text } = await makeKey(shop.of, { name: "Second" });
  second = { keyId: key.id, credentials: { "X-API-Key": text } };
});

function afterCaches(): void {
  setClock(Date.now() + lookupTtlMs + 1);
}

/** The shop as it is for whoever holds this key. */
function asHolder(api: Caller): Shop {
  return { ...shop, api };
}

async function openSession(of: Shop) {
  const visitor = openVisitor(worker, of);
  expect((await visitor.enter((await linkFor(worker, of)).url)).status).toBe(303);
  return async () => (await visitor.get()).text.includes("Sign out");
}

describe("links and sessions end with the key that made them", () => {
  test("within 30 seconds of its revocation; those of another key go on", async () => {
    const [theirs, others] = [await openSession(asHolder(second)), await openSession(shop)];
    const [unused, usable] = [await linkFor(worker, asHolder(second)), await linkFor(worker, shop)];
    expect([await theirs(), await others()]).toEqual([true, true]);
    await endKey(shop.of, second.keyId);
    afterCaches();
    expect([await theirs(), await others()]).toEqual([false, true]);
    const refused = await openVisitor(worker, shop).enter(unused.url);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([410, []]);
    expect((await openVisitor(worker, shop).enter(usable.url)).status).toBe(303);
  });

  test("at the instant at which it expires", async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    await execute("UPDATE api_keys SET expires_at = ? WHERE id = ?", expiresAt, second.keyId);
    const isOpen = await openSession(asHolder(second));
    const { url } = await linkFor(worker, asHolder(second));
    expect(await isOpen()).toBe(true);
    setClock(Date.parse(expiresAt));
    expect(await isOpen()).toBe(false);
    expect((await openVisitor(worker, shop).enter(url)).status).toBe(410);
  });

  test("one that the customer has asked for ends with no key", async () => {
    const endpoint = await endpointsOf(asHolder(second), worker).create({ event_types: ["portal.*"] });
    const [{ email } = { email: "" }] = await select<{ email: string }>(
      "SELECT email FROM profiles WHERE id = ?",
      shop.profileId,
    );
    await openVisitor(worker, shop).post("/login", { email });
    await worker.drain();
    const visitor = openVisitor(worker, shop);
    await visitor.enter(net.to(endpoint.url)[0]!.body.data.object.url);
    await endKey(shop.of, second.keyId);
    afterCaches();
    expect((await visitor.get()).text).toContain("Sign out");
  });
});

describe("DELETE /api/portal/sessions", () => {
  test("ends those of a customer, and refuses one that nobody is", async () => {
    const other = await profile(shop.of);
    const [isOpen, othersIsOpen] = [
      await openSession(shop),
      await openSession({ ...shop, profileId: other.id! }),
    ];
    for (const profile_id of ["x", "", crypto.randomUUID()])
      expect(refusal(await api(shop.api, "DELETE", sessions, { query: { profile_id } }))).toEqual([
        400,
        "UNKNOWN_PROFILE",
      ]);
    expect(await isOpen()).toBe(true);
    const query = { profile_id: shop.profileId };
    expect((await api(shop.api, "DELETE", sessions, { query })).status).toBe(204);
    expect([await isOpen(), await othersIsOpen()]).toEqual([false, true]);
  });

  test("without a customer ends all of the shop's, and the links that were not used, and nobody else's", async () => {
    const other = await openShop();
    await switchOn(worker, other);
    const [isOpen, isOpenThere] = [await openSession(shop), await openSession(other)];
    const [unused, there] = [await linkFor(worker, shop), await linkFor(worker, other)];
    expect((await api(shop.api, "DELETE", sessions)).status).toBe(204);
    expect([await isOpen(), await isOpenThere()]).toEqual([false, true]);
    expect((await openVisitor(worker, shop).enter(unused.url)).status).toBe(410);
    expect((await openVisitor(worker, other).enter(there.url)).status).toBe(303);
  });

  test.each<[string, Scope, boolean]>([
    ["a customer's", "portal:write", true],
    ["a customer's", "account:write", false],
    ["all", "account:write", true],
    ["all", "portal:write", false],
  ])("%s need the scope that they need: %s", async (which, scope, isEnough) => {
    const key = await limitedKey(shop.of, [scope]);
    const query = which === "all" ? {} : { profile_id: shop.profileId };
    const answer = await api<Json>(key, "DELETE", sessions, { query });
    const needed = which === "all" ? "account:write" : "portal:write";
    if (isEnough) return expect(answer.status).toBe(204);
    expect(refusal(answer)).toEqual([403, "FORBIDDEN"]);
    expect(answer.body.error).toContain(needed);
  });
});

describe("a job stops with the key that it was started with", () => {
  const pause = { action: "pause", input: {}, filter: {} };
  const begin = async (as: Caller, query = {}): Promise<string> => {
    await linked(shop, worker);
    const begun = await worker.call<Json>(as, "POST", "/api/bulk", { body: pause, query });
    expect(begun.status, begun.text).toBe(202);
    return begun.body.data.id;
  };
  const jobOf = async (id: string) => (await api<Json>(shop.api, "GET", `/api/jobs/${id}`)).body.data;
  const statuses = async () =>
    (await api<Json>(shop.api, "GET", "/api/subscriptions")).body.data.map(
      ({ status }: { status: string }) => status,
    );

  test("it is paused with a sentence at the next page, and another key resumes it", async () => {
    const id = await begin(second);
    await endKey(shop.of, second.keyId);
    afterCaches();
    await worker.drain();
    const error =
      "The API key that the job was started with was revoked or has expired; resume it with another key";
    expect(await jobOf(id)).toMatchObject({ status: "PAUSED", error, done: 0 });
    expect(await statuses()).toEqual(["ACTIVE"]);
    const events = await api<Json>(shop.api, "GET", "/api/events", { query: { types: "job.paused" } });
    expect(events.body.data).toMatchObject([{ actor_type: "system", metadata: { kind: "BULK", error } }]);
    const resumed = await worker.call<Json>(shop.api, "POST", `/api/jobs/${id}/resume`);
    expect(resumed.body.data).toMatchObject({ error: null });
    await worker.drain();
    expect(await jobOf(id)).toMatchObject({ status: "DONE", error: null, done: 1 });
    expect(await statuses()).toEqual(["PAUSED"]);
  });

  test("while it is undone, too; a job of another key goes on", async () => {
    const id = await begin(shop.api);
    await worker.drain();
    expect(await jobOf(id)).toMatchObject({ status: "DONE" });
    expect((await worker.call(second, "POST", `/api/jobs/${id}/undo`)).status).toBe(200);
    await endKey(shop.of, second.keyId);
    afterCaches();
    await worker.drain();
    expect(await jobOf(id)).toMatchObject({ status: "PAUSED" });
    expect(await statuses()).toEqual(["PAUSED"]);
    await worker.call(shop.api, "POST", `/api/jobs/${id}/resume`);
    await worker.drain();
    expect(await jobOf(id)).toMatchObject({ status: "UNDONE", error: null });
  });
});

describe("endpoints that a key has made are named by its revocation, and go on", () => {
  test("those that it made, led elsewhere or gave a secret, and no others", async () => {
    const [theirs, ours] = [endpointsOf(asHolder(second), worker), endpointsOf(shop, worker)];
    const made = await theirs.create();
    const [moved, rotated, kept, described] = [
      await ours.create(),
      await ours.create(),
      await ours.create(),
      await ours.create(),
    ];
    const put = (as: Caller, id: string, body: object) =>
      worker.call(as, "PUT", `/api/webhook-endpoints/${id}`, { body });
    await put(second, moved.id, { url: "https://elsewhere.example.com/" });
    await worker.call(second, "POST", `/api/webhook-endpoints/${rotated.id}/rotate-secret`);
    await put(second, described.id, { description: "Theirs", url: described.url });
    const gone = await theirs.create();
    await worker.call(shop.api, "DELETE", `/api/webhook-endpoints/${gone.id}`);
    await endKey(shop.of, second.keyId);
    const events = await api<Json>(shop.api, "GET", "/api/events", { query: { types: "api_key.revoked" } });
    const [{ metadata }] = events.body.data;
    expect(metadata.name).toBe("Second");
    expect(new Set(metadata.webhook_endpoint_ids)).toEqual(new Set([made.id, moved.id, rotated.id]));
    const still = await api<Json>(shop.api, "GET", `/api/webhook-endpoints/${made.id}`);
    expect(still.body.data).toMatchObject({ is_enabled: true });
    expect(kept.id).not.toBe(made.id);
  });

  test("of a key without any nothing is named", async () => {
    await endKey(shop.of, second.keyId);
    const events = await api<Json>(shop.api, "GET", "/api/events", { query: { types: "api_key.revoked" } });
    expect(events.body.data).toMatchObject([{ metadata: { name: "Second" } }]);
    expect(events.body.data[0].metadata).not.toHaveProperty("webhook_endpoint_ids");
  });
});
