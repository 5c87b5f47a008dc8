/** An erased customer leaves nothing personal, while ids, orders and amounts remain. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { addPerson } from "../../edges/webhooks/person.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { customerOf, done, type Json, openShop, subscribe } from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { bearer, limitedKey, staff, token } from "../../support/tenant.ts";
import { later, useShop } from "../../support/worker.ts";
import { ownOrders } from "../orders/own-orders.ts";

const { shop, worker } = useShop();
/** Its subscriptions are numbered by the service itself. */
const { shop: counting } = useShop();

function erase(id: string, as = shop.admin) {
  return worker.call<Json>(as, "DELETE", `/api/profiles/${id}`, { query: { erase: "true" } });
}

/** A customer with a text that nobody else has, in every column that can hold one. */
async function someone() {
  const canary = `canary-${newId()}`;
  const id = await addPerson(shop.of, canary, String(Date.now()));
  return { id, canary };
}

const rows = () => rowsOf(shop.of.account.id);

test("everything personal is erased, and the ids, orders and amounts remain", async () => {
  const { id, canary } = await someone();
  const kept = () => select("SELECT id, total, status FROM orders WHERE profile_id = ?", id);
  const before = await kept();
  const answer = await erase(id);
  expect([answer.status, answer.body]).toEqual([
    202,
    { data: { profile_id: id, requested_at: expect.any(String) } },
  ]);
  expect((await api(shop.admin, "GET", `/api/profiles/${id}`)).status).toBe(404);
  await worker.drain();
  expect(await rows()).not.toContain(canary);
  expect(await kept()).toEqual(before);
  expect(await select("SELECT email FROM profiles WHERE id = ?", id)).toEqual([
    { email: `redacted-${id}@redacted.invalid` },
  ]);
  expect(await select("SELECT * FROM profile_erasures WHERE profile_id = ?", id)).toEqual([]);
  expect((await erase(id)).status).toBe(404);
});

test("the proofs that the law asks for remain: the terms that were agreed to, and that something was declared", async () => {
  const { id } = await someone();
  expect((await erase(id)).status).toBe(202);
  await worker.drain();
  const [consent] = await select<Json>(
    "SELECT text, channel, source FROM consents WHERE subscription_id IN (SELECT id FROM subscriptions WHERE profile_id = ?)",
    id,
  );
  expect(consent).toEqual({ text: "$10 every week", channel: "phone", source: null });
  expect(
    await select("SELECT email, status, name, reason, note FROM declarations WHERE profile_id = ?", id),
  ).toEqual([{ email: "declared@customers.test", status: "ANSWERED", name: null, reason: null, note: null }]);
});

test("a customer whose profile was deleted before can be erased; asking twice erases once", async () => {
  const { id, canary } = await someone();
  expect((await api(shop.admin, "DELETE", `/api/profiles/${id}`)).status).toBe(204);
  expect([(await erase(id)).status, (await erase(id)).status]).toEqual([202, 202]);
  await worker.drain();
  expect(await rows()).not.toContain(canary);
});

test("an erasure whose message is lost is found by cron", async () => {
  const { id, canary } = await someone();
  await erase(id);
  worker.forget();
  expect(await rows()).toContain(canary);
  await later(worker, 120);
  expect(await rows()).not.toContain(canary);
});

test("it is refused while a subscription lives, and erases once that is cancelled", async () => {
  const customer = await customerOf(counting.of);
  const subscription = await subscribe(counting, { profile_id: customer.profileId });
  const refused = await erase(customer.profileId, counting.admin);
  expect([refused.status, refused.body.errorCode]).toEqual([409, "PROFILE_IN_USE"]);
  expect((await api(counting.admin, "GET", `/api/profiles/${customer.profileId}`)).status).toBe(200);
  await done(counting.api, "POST", subscription, "cancel", {});
  expect((await erase(customer.profileId, counting.admin)).status).toBe(202);
  await worker.drain();
});

test("without erase=true a profile is only deleted", async () => {
  const { id, canary } = await someone();
  const answer = await worker.call(shop.admin, "DELETE", `/api/profiles/${id}`, {
    query: { erase: "false" },
  });
  expect(answer.status).toBe(204);
  await worker.drain();
  expect(await rows()).toContain(canary);
  expect((await erase(id)).status).toBe(202);
  worker.forget();
});

describe("who may erase", () => {
  const as = async (...scopes: Parameters<typeof limitedKey>[1]) => {
    const key = await limitedKey(shop.of, scopes);
    const programs = bearer(await token({ ...shop.of, ...key }, { actor_type: "api", name: "ERP" }));
    return { credentials: { ...key.credentials, ...programs.credentials } };
  };

  test("a program whose credentials have account:write, and none without it", async () => {
    const { id } = await someone();
    const refused = await erase(id, await as("tokens:write", "profiles:write"));
    expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining("account:write")]);
    expect((await erase(id, await as("tokens:write", "profiles:write", "account:write"))).status).toBe(202);
    worker.forget();
  });

  test("staff, by profiles:write alone; nobody by a key alone, or from another shop", async () => {
    const { id } = await someone();
    const key = await limitedKey(shop.of, ["profiles:write"]);
    const admin = await staff(shop.of, "Ada");
    expect((await erase(id, shop.of)).status).toBe(401);
    expect((await erase(id, (await openShop()).admin)).status).toBe(404);
    const both = { credentials: { ...admin.credentials, ...key.credentials } };
    expect((await erase(id, both)).status).toBe(202);
    worker.forget();
  });
});

test("tracking is not stored for the orders of an erased customer, and they are shipped all the same", async () => {
  const customer = await customerOf(counting.of);
  const { placed, call } = ownOrders(counting, worker);
  const { id, subscriptionId } = await placed("pm_success", { profile_id: customer.profileId });
  await done(counting.api, "POST", subscriptionId, "cancel", {});
  await erase(customer.profileId, counting.admin);
  await worker.drain();
  const fulfill = (body: object) =>
    call("PUT", id, "/fulfillment", { fulfillment_status: "FULFILLED", ...body });
  const refused = await fulfill({ tracking_number: "1Z" });
  expect([refused.status, refused.body.errorCode]).toEqual([409, "INVALID_STATE"]);
  expect((await fulfill({})).status).toBe(200);
});
