/** A redacted customer leaves nothing personal in any table, and nobody else changes. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { deliveryAddresses } from "../../../src/domain/profiles/tables.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { logOf, orderOf, put } from "../../support/records.ts";
import { deliver, done, entriesOf, force, type Json, read, rowOf } from "../../support/shops.ts";
import { interrupted, isolateEnded } from "../../support/slow-database.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { shipNow } from "../../support/worker.ts";
import { deliveriesOf, hookedShop, logged, processAll, sendAccepted } from "./hooks.ts";
import { addPerson, stamps, textsOf } from "./person.ts";

/** The search indexes are those of all accounts, so the text is one that nobody else has. */
const canary = `canary-${newId()}`;
const customer = 7_700_000_000_001;
const shop = useShop(hookedShop);

function asks(topic: string, id = customer) {
  return shop.store.webhookOf(topic, {
    shop_id: 1,
    shop_domain: shop.merchant.of.account.shop,
    customer: { id, email: `${canary}@customers.test`, phone: canary },
    ...(topic === "customers/redact" ? { orders_to_redact: [] } : { data_request: { id: 1 } }),
  });
}

async function redacted(id?: number): Promise<void> {
  await sendAccepted(shop, await asks("customers/redact", id));
  await shop.worker.drain({ soon: false });
}

function person(text: string, customerId: string, more: object = {}) {
  return addPerson(shop.merchant.of, text, plain(customerId), more);
}

function rows() {
  return rowsOf(shop.merchant.of.account.id);
}

async function found(text: string): Promise<number[]> {
  const total = async (path: string) =>
    (await api(shop.merchant.admin, "GET", path, { query: { search: text } })).body.meta.total;
  return [
    await total("/api/profiles"),
    await total("/api/subscriptions"),
    await total("/api/subscriptions/orders"),
  ];
}

describe("customers/redact", () => {
  test("nothing personal remains in any table or in the search", async () => {
    const id = await person(canary, String(customer));
    expect(await found(canary)).toEqual([1, 1, 1]);
    expect(await rows()).toContain(canary);
    await redacted();
    expect(await rows()).not.toContain(canary);
    expect(await found(canary)).toEqual([0, 0, 0]);
    for (const index of ["profile_search", "subscription_search", "order_search"])
      expect(await select(`SELECT rowid FROM ${index} WHERE ${index} MATCH ?`, `"${canary}"`)).toEqual([]);
    const [profile] = await select<Json>("SELECT * FROM profiles WHERE id = ?", id);
    expect(profile).toMatchObject({
      email: `redacted-${id}@redacted.invalid`,
      email_folded: `redacted-${id}@redacted.invalid`,
      store_customer_id: null,
      deleted_at: expect.any(String),
    });
    const kept = Object.keys(profile).filter((name) => profile[name] !== null);
    expect(kept.sort()).toEqual(
      [
        "seq",
        "id",
        "account_seq",
        "revision",
        "email",
        "email_folded",
        "search_identity",
        "search_other",
        "search_tenant",
        "created_at",
        "updated_at",
        "deleted_at",
      ].sort(),
    );
    expect((await deliveriesOf(shop))[0]).toMatchObject({ subject: `gid://shopify/Customer/${customer}` });
  });

  test("orders, amounts, and entries with their ids remain", async () => {
    const id = await person(canary, String(customer));
    const skeleton = () =>
      select(
        `SELECT id, action, loggable_id, subscription_id, order_id, profile_id, actor_type, created_at
          FROM activity_logs WHERE profile_id = ? AND loggable_type <> 'profile' ORDER BY sequence`,
        id,
      );
    const money = () =>
      select("SELECT id, total, status, store_order_id FROM orders WHERE profile_id = ?", id);
    const before = [await skeleton(), await money()];
    await redacted();
    expect([await skeleton(), await money()]).toEqual(before);
    expect(
      await select("SELECT DISTINCT actor_name FROM activity_logs WHERE profile_id = ? ORDER BY 1", id),
    ).toEqual([{ actor_name: null }, { actor_name: "Ada Admin" }]);
    const admin = await api(shop.merchant.admin, "GET", "/api/subscriptions", { query: { profile_id: id } });
    expect(admin.body.data).toHaveLength(1);
  });

  test("other customers do not change", async () => {
    await person("somebody-else", "9");
    await person("somebody-else", `1${customer}`);
    const before = await rows();
    await redacted();
    const after = (await rows()).split("\n").filter((line) => !line.startsWith("webhook_deliveries"));
    expect(after.join("\n")).toBe(before);
  });

  test("all profiles of the customer are redacted, also deleted ones", async () => {
    await person(canary, String(customer), { deleted_at: stamps.created_at });
    await person(canary, String(customer), { deleted_at: stamps.created_at });
    await person(canary, String(customer));
    await redacted();
    expect(await rows()).not.toContain(canary);
    expect(
      await select(
        "SELECT COUNT(*) AS n FROM profiles WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND deleted_at = ?",
        shop.merchant.of.account.id,
        stamps.created_at,
      ),
    ).toEqual([{ n: 2 }]);
  });

  test("active subscriptions are cancelled first, here and at the store", async () => {
    const id = await subscribed(shop);
    const { store_contract_id } = await read(shop.merchant, id);
    const [{ store_customer_id }] = (await select<Json>(
      "SELECT store_customer_id FROM profiles WHERE id = ?",
      shop.profileId,
    )) as [Json];
    await redacted(Number(store_customer_id));
    await shop.worker.drain();
    const [row] = await select<Json>("SELECT status, next_billing_date FROM subscriptions WHERE id = ?", id);
    expect(row).toEqual({ status: "CANCELLED", next_billing_date: null });
    expect((await entriesOf(id)).map(({ action }) => action)).toContain("subscription_cancelled");
    await shop.worker.tick(Date.now() + 120_000);
    expect(shop.store.contract(store_contract_id).status).toBe("CANCELLED");
    expect((await shipNow(shop.merchant, shop.worker, id)).status).toBe(409);
  });

  test("prepaid deliveries that remain are not sent", async () => {
    const ids = [await subscribed(shop), await subscribed(shop)];
    for (const id of ids) await force(id, { next_billed_index: 2 });
    const [living, cancelled] = ids as [string, string];
    expect((await done(shop.merchant.api, "POST", cancelled, "cancel")).next_delivery_date).not.toBeNull();
    const { profile } = await read(shop.merchant, living);
    const before = await Promise.all(ids.map(async (id) => (await entriesOf(id)).length));
    await redacted(Number(profile.store_customer_id));
    for (const [nth, id] of ids.entries()) {
      const row = await rowOf(id);
      expect(row).toMatchObject({ status: "CANCELLED", next_delivery_date: null });
      expect(row.next_billed_index).toBe(row.next_index);
      const action = id === living ? "subscription_cancelled" : "delivery_rescheduled";
      expect((await entriesOf(id)).slice(before[nth]).map((entry) => entry.action)).toEqual([action]);
    }
  });

  test("more than one batch of everything", async () => {
    const id = await person(canary, String(customer));
    const { of } = shop.merchant;
    const logs = Array.from({ length: 450 }, () => logOf(of, { description: canary, profile_id: id }));
    await put("activity_logs", logs);
    await put(
      "orders",
      Array.from({ length: 401 }, () => orderOf(of, { profile_id: id, tracking_number: canary })),
    );
    await put(
      "delivery_addresses",
      Array.from({ length: 400 }, () => ({
        ...textsOf(deliveryAddresses, canary),
        ...stamps,
        id: newId(),
        account_id: of.account.id,
        profile_id: id,
      })),
    );
    await redacted();
    expect(await rows()).not.toContain(canary);
  });

  test("an erasure interrupted anywhere continues", async () => {
    const places = [
      /update "activity_logs"/,
      /update "subscriptions" set .*"delivery_address"/,
      /update "entities" set .*"attributes"/,
      /update "payment_methods"/,
      /delete from "delivery_addresses"/,
      /update "orders" set .*"tracking_number"/,
      /update "profiles" set .*"first_name"/,
      /update "profiles" set .*"deleted_at"/,
    ];
    for (const place of places) {
      await person(canary, String(customer));
      await sendAccepted(shop, await asks("customers/redact"));
      const jobs = shop.worker.sent();
      shop.worker.forget();
      const DB = interrupted(place, { before: isolateEnded });
      const { retried } = await deliver(jobs, { bindings: { ...shop.worker.bindings, DB } });
      expect(retried, String(place)).toHaveLength(1);
      await deliver(jobs, { bindings: shop.worker.bindings });
      expect(await rows(), String(place)).not.toContain(canary);
    }
  });

  test("repeated, or for an unknown customer, changes nothing", async () => {
    await person(canary, String(customer));
    await redacted();
    const before = (await rows()).split("\n").filter((line) => !line.startsWith("webhook_deliveries"));
    await redacted();
    await redacted(404);
    const after = (await rows()).split("\n").filter((line) => !line.startsWith("webhook_deliveries"));
    expect(after).toEqual(before);
  });

  test("the e-mail address can be used again", async () => {
    await person(canary, String(customer));
    await execute(
      "UPDATE profiles SET email = 'a@b.test', email_folded = 'a@b.test' WHERE store_customer_id = ?",
      String(customer),
    );
    await redacted();
    const { status } = await api(shop.merchant.admin, "POST", "/api/profiles", {
      body: { email: "a@b.test" },
    });
    expect(status).toBeLessThan(300);
  });
});

test("customers/data_request is logged, by ids alone", async () => {
  const id = await person(canary, String(customer));
  await sendAccepted(shop, await asks("customers/data_request"));
  const before = (await rows()).split("\n").filter((line) => !line.startsWith("webhook_deliveries"));
  const lines = await logged(() => shop.worker.drain());
  expect(lines).toContainEqual({
    event: "customer_data_request",
    message_id: expect.any(String),
    alert: true,
    account_id: shop.merchant.of.account.id,
    store_customer_id: String(customer),
    profile_ids: [id],
  });
  expect(JSON.stringify(lines)).not.toContain(canary);
  const after = (await rows()).split("\n").filter((line) => !line.startsWith("webhook_deliveries"));
  expect(after).toEqual(before);
});

test("later tracking of an erased customer's orders is not stored", async () => {
  const id = shop.store.addCustomer({ email: "grace@customers.test" });
  const order = shop.store.addOrder({ customer: id, total: 1000 });
  await person("grace", id);
  await processAll(shop);
  await redacted(Number(id.split("/").at(-1)));
  shop.store.fulfill(order, { tracking: { number: canary, company: "DHL", url: "https://dhl.test/1" } });
  await processAll(shop);
  const its = await select(
    "SELECT * FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND store_order_id = ?",
    shop.merchant.of.account.id,
    plain(order),
  );
  expect(its).toMatchObject([{ fulfillment_status: "FULFILLED", tracking_number: null, tracking_url: null }]);
});
