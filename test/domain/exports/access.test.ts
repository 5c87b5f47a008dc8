/** An export and its addresses are reached only with the rights to what is exported. */
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { api, type Caller, deployment, nobody } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { type Json, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { bearer, both, endKey, limitedKey, makeKey, openTenant, staff, token } from "../../support/tenant.ts";
import { exported, fetchPart, path, readLines } from "./exporting.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  await subscribe(shop);
});
afterEach(() => {
  vi.useRealTimers();
});

const ofEvents = { resource: "events", format: "jsonl" };
const headers = { "Idempotency-Key": "an-export" };

function post(as: Caller, body: object, options: object = {}) {
  return api<Json>(as, "POST", path, { body, ...options });
}

function later(ms: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

describe("an export needs", () => {
  test("a key, and for profiles and orders a token of staff besides", async () => {
    for (const resource of ["subscriptions", "billing_attempts", "events"])
      expect((await post(shop.api, { ...ofEvents, resource })).status, resource).toBe(201);
    for (const resource of ["profiles", "orders"]) {
      const refused = await post(shop.api, { ...ofEvents, resource });
      expect([refused.status, refused.body.error]).toEqual([
        401,
        "This operation also needs Authorization: Bearer; POST /api/auth/token issues one",
      ]);
      expect((await post(shop.admin, { ...ofEvents, resource })).status, resource).toBe(201);
    }
    expect((await post(bearer(await token(shop.of)), ofEvents)).status).toBe(401);
    expect((await post(nobody, ofEvents)).status).toBe(401);
  });

  test("nobody's but staff's: a customer is refused, with the shop's key too", async () => {
    const text = shop.customer.credentials.Authorization!.replace("Bearer ", "");
    for (const as of [both(shop.of, text), both(shop.of, text)])
      for (const resource of ["events", "orders"])
        expect((await post(as, { ...ofEvents, resource })).status).toBe(403);
  });

  test("the scopes of jobs and of what is exported, in every credential", async () => {
    const refusal = async (as: Caller, resource: string) => {
      const { status, body } = await post(as, { ...ofEvents, resource });
      return status === 201 ? "" : `${status} ${body.error}`;
    };
    const without = await limitedKey(shop.of, ["events:read", "subscriptions:read"]);
    expect(await refusal(without, "events")).toMatch(/^403 .*jobs:write, which the API key lacks/);
    const some = await limitedKey(shop.of, ["jobs:write", "events:read", "orders:read", "tokens:write"]);
    expect(await refusal(some, "events")).toBe("");
    expect(await refusal(some, "subscriptions")).toMatch(
      /^403 .*subscriptions:read, which the API key lacks/,
    );
    expect(await refusal(some, "billing_attempts")).toMatch(/^403 .*billing:read, which the API key lacks/);
    const asked = await token(shop.of, { actor_type: "admin", scopes: ["jobs:write", "profiles:read"] });
    const staffed = { credentials: { ...some.credentials, Authorization: `Bearer ${asked}` } };
    expect(await refusal(staffed, "orders")).toMatch(/^403 .*orders:read, which the bearer token lacks/);
  });

  test("and is in the history as done by whoever asked for it", async () => {
    const ada = await staff(shop.of, "Ada");
    const body = { resource: "orders", format: "csv", fields: ["id"], filter: { status: "PAID" } };
    const { id, as_of_sequence } = await exported(ada, body);
    const event = (await api(shop.api, "GET", `/api/events/${id}`)).body.data;
    expect(event).toMatchObject({
      ...{ type: "account.exported", sequence: as_of_sequence + 1, actor_type: "admin", actor_name: "Ada" },
      metadata: { ...body, filter: { status: ["PAID"] }, as_of_sequence },
    });
  });
});

describe("a dry run", () => {
  test("answers without addresses, and leaves nothing", async () => {
    const before = (await api(shop.api, "GET", "/api/events", { query: { limit: 100 } })).body.meta
      .next_after;
    const answer = await post(
      shop.api,
      { ...ofEvents, resource: "subscriptions" },
      { query: { dry_run: true } },
    );
    expect([answer.status, answer.headers.get("Dry-Run")]).toEqual([200, "true"]);
    expect(answer.body.data).toEqual({
      id: null,
      as_of_sequence: before,
      parts: [{ n: 1, url: null, rows_at_most: 1 }],
      expires_at: expect.any(String),
    });
    const after = (await api(shop.api, "GET", "/api/events", { query: { limit: 100 } })).body.meta.next_after;
    expect(after).toBe(before);
  });
});

describe("an address", () => {
  const refusals = new Set<string>();
  async function expectNothing(url: string) {
    const answer = await fetchPart(url);
    expect(answer.status, url).toBe(404);
    const { request_id: _, ...body } = answer.body;
    refusals.add(JSON.stringify(body));
    expect(refusals.size).toBe(1);
  }

  test("that was changed anywhere is no address", async () => {
    const url: string = (await exported(shop.api, ofEvents)).parts[0].url;
    const [text = "", signature = ""] = url.slice(url.lastIndexOf("/") + 1).split(".");
    const at = (segment: string) => `https://perennial.test/exports/${segment}`;
    expect((await fetchPart(at(`${text}.${signature}`))).status).toBe(200);
    await expectNothing(at(text));
    await expectNothing(at(`${text}.`));
    await expectNothing(at(`.${signature}`));
    await expectNothing(at(`${text}.${signature.toUpperCase()}`));
    await expectNothing(at(`${text}.${signature.slice(0, -1)}${signature.endsWith("0") ? "1" : "0"}`));
    await expectNothing(at(`${text}=.${signature}`));
    const part = JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/")));
    const other = await openTenant();
    const forgeries = [
      { account_id: other.account.id },
      { key_id: other.keyId },
      { expires_at: "2999-01-01T00:00:00.000Z" },
      { up_to: 1e9 },
    ];
    for (const change of forgeries)
      await expectNothing(
        at(`${btoa(JSON.stringify({ ...part, ...change })).replaceAll("=", "")}.${signature}`),
      );
  });

  test("is good for an hour", async () => {
    const url: string = (await exported(shop.api, ofEvents)).parts[0].url;
    later(59 * 60_000);
    expect((await fetchPart(url)).status).toBe(200);
    later(2 * 60_000);
    await expectNothing(url);
  });

  test("ends within 30 seconds once its key is revoked; those of other keys stay", async () => {
    const made = await makeKey(shop.of, { name: "for a day" });
    const url: string = (await exported({ credentials: { "X-API-Key": made.text } }, ofEvents)).parts[0].url;
    const own: string = (await exported(shop.api, ofEvents)).parts[0].url;
    expect((await fetchPart(url)).status).toBe(200);
    await endKey(shop.of, made.key.id);
    later(30_001);
    await expectNothing(url);
    expect((await fetchPart(own)).status).toBe(200);
  });

  test("is read by GET and HEAD alone, without cookies", async () => {
    const url: string = (await exported(shop.api, ofEvents)).parts[0].url;
    for (const method of ["POST", "PUT", "DELETE"]) {
      const answer = await fetchPart(url, method);
      expect([answer.status, answer.body.errorCode, answer.headers.get("Allow")]).toEqual([
        ...[405, "METHOD_NOT_ALLOWED", "GET, HEAD"],
      ]);
    }
    expect((await fetchPart(url)).headers.get("Set-Cookie")).toBeNull();
  });

  test("is counted by client address", async () => {
    const url: string = (await exported(shop.api, ofEvents)).parts[0].url;
    const asked: string[] = [];
    const limiter = {
      limit: async ({ key }: { key: string }) => {
        asked.push(key);
        return { success: false };
      },
    } as unknown as RateLimit;
    const answer = await deployment({ ADDRESS_LIMITER: limiter })(nobody, "GET", new URL(url).pathname, {
      headers: { "CF-Connecting-IP": "203.0.113.9" },
    });
    expect([answer.status, answer.body.errorCode, asked]).toEqual([429, "RATE_LIMITED", ["203.0.113.9"]]);
  });
});

describe("a repeated request with an Idempotency-Key", () => {
  test("has the same addresses, which are sealed at rest", async () => {
    const of = await openShop();
    const first = await post(of.api, ofEvents, { headers });
    const again = await post(of.api, ofEvents, { headers });
    expect([again.status, again.headers.get("Idempotency-Replayed")]).toEqual([201, "true"]);
    expect(again.body).toEqual(first.body);
    const [stored] = await select<{ body: string }>(
      "SELECT body FROM idempotency_keys WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND path = ?",
      ...[of.of.account.id, path],
    );
    expect(stored?.body).toMatch(/^[0-9a-f]{8}\.[\w-]+\.[\w-]+$/);
    const other = await makeKey(of.of, { name: "other" });
    const others = await post({ credentials: { "X-API-Key": other.text } }, ofEvents, { headers });
    expect(others.headers.get("Idempotency-Replayed")).toBeNull();
    expect(others.body.data.id).not.toBe(first.body.data.id);
  });

  test("whose answer was lost is answered with the same range", async () => {
    const of = await openShop();
    const body = { resource: "subscriptions", format: "jsonl" };
    await subscribe(of);
    const first = await post(of.api, body, { headers });
    await execute(
      `UPDATE idempotency_keys SET state = 'COMMITTED', status = NULL, headers = NULL, body = NULL, made = ?
        WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)`,
      ...[JSON.stringify({ entry: first.body.data.id }), of.of.account.id],
    );
    await subscribe(of);
    const again = await post(of.api, body, { headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(readLines((await fetchPart(again.body.data.parts[0].url)).text)).toHaveLength(1);
    expect((await post(of.api, ofEvents, { headers })).status).toBe(422);
  });
});
