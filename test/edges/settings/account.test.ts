/** The account's settings change as they are named, and are refused where records already depend on them. */
import { beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../../../src/base/accounts/actions.ts";
import { renameAccount, renameInDirectory } from "../../../src/base/accounts/rename.ts";
import { api } from "../../support/client.ts";
import { directoryDb, testDb } from "../../support/database.ts";
import { faults, openMerchant } from "../../support/records.ts";
import { addPlan, addReason, on, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { bearer, token } from "../../support/tenant.ts";

const path = "/api/account";
let merchant: Shop;
beforeAll(async () => {
  merchant = await openShop({ timezone: "Europe/Berlin", currency: "EUR" });
});

function put(body: object, of: Pick<Shop, "api"> = merchant) {
  return api(of.api, "PUT", path, { body });
}

test("an account's default settings", async () => {
  const { account } = merchant.of;
  expect((await api(merchant.api, "GET", path)).body).toEqual({
    data: {
      id: account.id,
      name: account.shop,
      shop: account.shop,
      store: "sandbox",
      timezone: "Europe/Berlin",
      currency_code: "EUR",
      store_currencies: null,
      store_missing_scopes: null,
      dunning_retry_days: [1, 3, 7],
      dunning_final_action: "fail",
      payment_reminder_days_before: 3,
      out_of_stock_action: "retry",
      prepaid_on_end: "deliver",
      on_foreign_charge: "wait",
      on_dispute: "block",
      notify_payment_update: false,
      notify_every_retry: false,
      require_address: false,
      support_max_discount_percent: 20,
      support_max_refund: null,
      created_at: account.created_at,
      updated_at: account.updated_at,
    },
  });
});

test("only the named fields change, and the response is the changed account", async () => {
  const of = await openShop();
  const before = (await api(of.api, "GET", path)).body.data;
  const changes = {
    name: "Kibble & Co",
    timezone: "Asia/Tokyo",
    dunning_retry_days: [2, 5],
    dunning_final_action: "cancel",
    payment_reminder_days_before: null,
    prepaid_on_end: "stop",
    on_foreign_charge: "count",
    on_dispute: "ignore",
    notify_payment_update: true,
    notify_every_retry: true,
    require_address: true,
    support_max_discount_percent: 0,
    support_max_refund: 12.5,
  };
  for (const [field, value] of Object.entries(changes)) {
    const { status, body } = await put({ [field]: value }, of);
    expect([status, body.data[field]]).toEqual([200, value]);
  }
  const { updated_at, ...then } = (await api(of.api, "GET", path)).body.data;
  expect(then).toEqual({ ...before, ...changes, updated_at: undefined });
  expect(updated_at >= before.updated_at).toBe(true);
});

test.each([[{}], [undefined]])("a body of %j changes nothing", async (body) => {
  const before = await rowsOf(merchant.of.account.id);
  const answer = await api(merchant.api, "PUT", path, body ? { body } : {});
  expect(answer.status).toBe(200);
  expect(await rowsOf(merchant.of.account.id)).toBe(before);
});

test.each<[string, unknown]>([
  ["dunning_retry_days", []],
  ["dunning_retry_days", [0]],
  ["dunning_retry_days", [61]],
  ["dunning_retry_days", [1, 1]],
  ["dunning_retry_days", [3, 1]],
  ["dunning_retry_days", [1.5]],
  ["dunning_retry_days", ["1"]],
  ["dunning_retry_days", Array.from({ length: 11 }, (_, nth) => nth + 1)],
  ["dunning_retry_days", null],
  ["dunning_retry_days", "[1]"],
  ["dunning_final_action", "explode"],
  ["dunning_final_action", null],
  ["payment_reminder_days_before", -1],
  ["payment_reminder_days_before", 61],
  ["payment_reminder_days_before", 1.5],
  ["payment_reminder_days_before", "3"],
  ["prepaid_on_end", "refund"],
  ["prepaid_on_end", null],
  ["on_foreign_charge", "refund"],
  ["on_dispute", "cancel"],
  ["notify_payment_update", "true"],
  ["notify_payment_update", 1],
  ["notify_payment_update", null],
  ["require_address", "true"],
  ["require_address", null],
  ["support_max_discount_percent", 101],
  ["support_max_discount_percent", 12.5],
  ["support_max_discount_percent", null],
  ["support_max_refund", -1],
  ["support_max_refund", 1.234],
  ["notify_every_retry", "true"],
  ["notify_every_retry", 1],
  ["notify_every_retry", null],
  ["timezone", "Mars/Olympus"],
  ["timezone", "+02:00"],
  ["timezone", ""],
  ["currency_code", "XXY"],
  ["shop", "demo-store.myshopify.com"],
  ["name", ""],
  ["name", "x".repeat(256)],
  ["store", "shopify"],
  ["clock_at", "2030-01-01T00:00:00Z"],
  ["id", "mine"],
])("%s: %j is 400, by its name", async (field, value) => {
  const [status, code, ...paths] = faults(await put({ [field]: value })) as [number, string, ...string[]];
  expect([status, code]).toEqual([400, "VALIDATION_FAILED"]);
  expect(paths.every((at) => at === field || at.startsWith(`${field}.`))).toBe(true);
});

test.each([
  ["dunning_retry_days", [60]],
  ["dunning_retry_days", [1, 2, 3, 4, 5, 6, 7, 8, 9, 60]],
  ["payment_reminder_days_before", 0],
  ["payment_reminder_days_before", 60],
])("%s: %j is taken", async (field, value) => {
  expect((await put({ [field]: value })).body.data[field]).toEqual(value);
});

describe("the shop", () => {
  const portal = (shop: string) =>
    api({ credentials: {} }, "GET", "/api/public/portal/skip-reasons", { query: { shop } });
  const now = () => new Date().toISOString();
  const unknownField = (shop: string) => ({
    status: 400,
    body: {
      error: "Request is not valid: shop: unknown field",
      errorCode: "VALIDATION_FAILED",
      details: [{ path: "shop", message: "unknown field" }],
      request_id: shop,
    },
  });

  test("is read only: the field is unknown, whether the value is its own shop, another's or nobody's", async () => {
    const other = await openShop();
    const before = await rowsOf(merchant.of.account.id);
    for (const shop of [
      merchant.of.account.shop,
      other.of.account.shop,
      "nobodys.myshopify.com",
      "127.0.0.1",
    ]) {
      const { status, body } = await put({ shop, name: "Changed" });
      expect({ status, body: { ...body, request_id: shop } }).toEqual(unknownField(shop));
    }
    expect(await rowsOf(merchant.of.account.id)).toBe(before);
  });

  test("of another account stays theirs: their portal answers", async () => {
    const theirs = await openShop();
    const label = `reason-${theirs.of.account.id}`;
    await addReason(theirs, "skip", { label });
    const unregistered = `new-${theirs.of.account.shop}`;
    for (const shop of [theirs.of.account.shop, unregistered]) await put({ shop });
    const { body } = await portal(theirs.of.account.shop);
    expect(body).toMatchObject([{ data: { account_id: theirs.of.account.id, label } }]);
    expect((await portal(unregistered)).status).toBe(404);
    await createAccount(directoryDb(), { shop: unregistered, timezone: "UTC", currency: "USD" }, now());
    expect((await portal(unregistered)).status).toBe(200);
  });

  test("that the operator sets serves the portal at once, and the former shop is free", async () => {
    const of = await openShop();
    const { account } = of.of;
    const renamed = `new-${account.shop}`;
    await renameAccount(testDb(), { account, shop: renamed, now: now() });
    await renameInDirectory(directoryDb(), { account, shop: renamed, now: now() });
    expect((await api(of.api, "GET", path)).body.data.shop).toBe(renamed);
    expect((await portal(renamed)).status).toBe(200);
    expect((await portal(account.shop)).status).toBe(404);
  });
});

describe("the currency", () => {
  test("may change until something has a price in it", async () => {
    const { of } = await openMerchant();
    const as = { credentials: of.credentials };
    expect((await put({ currency_code: "jpy" }, { api: as })).body.data.currency_code).toBe("JPY");
    await addPlan({ of, admin: as });
    const refused = await put({ currency_code: "KWD" }, { api: as });
    expect([refused.status, refused.body.errorCode]).toEqual([409, "INVALID_STATE"]);
    expect((await put({ currency_code: "JPY" }, { api: as })).status).toBe(200);
  });

  test("a refused change leaves nothing behind", async () => {
    const of = await openShop();
    await subscribe(of);
    expect((await put({ currency_code: "JPY", name: "Changed" }, of)).status).toBe(409);
    expect((await api(of.api, "GET", path)).body.data.name).toBe(of.of.account.name);
  });
});

describe("who may", () => {
  test.each(["", "/test-clock"])("a customer may not call %s", async (part) => {
    for (const method of part === "" ? ["GET", "PUT"] : ["GET", "POST"]) {
      const answer = await api(
        merchant.customer,
        method,
        `${path}${part}`,
        method === "GET" ? {} : { body: {} },
      );
      expect([answer.status, answer.body.errorCode]).toEqual([403, "FORBIDDEN"]);
    }
  });

  test("staff and an api token may call it with the token alone", async () => {
    for (const actor_type of ["admin", "api"] as const) {
      const caller = bearer(await token(merchant.of, { actor_type }));
      expect((await api(caller, "GET", path)).body.data.id).toBe(merchant.of.account.id);
      expect((await api(caller, "PUT", path, { body: { name: "Mine" } })).status).toBe(200);
    }
    expect((await api({ credentials: {} }, "GET", path)).status).toBe(401);
  });
});

test("the time zone takes effect at once: today is another day", async () => {
  const of = await openShop({ timezone: "Pacific/Kiritimati" });
  const day = (timezone: string) => new Date().toLocaleDateString("sv", { timeZone: timezone });
  const ahead = day("Pacific/Kiritimati");
  const id = await subscribe(of, { next_delivery_date: ahead });
  await put({ timezone: "Pacific/Pago_Pago" }, of);
  const body = { next_delivery_date: day("Pacific/Pago_Pago") };
  expect((await api(of.api, "PUT", on(id, "schedule"), { body })).status).toBe(200);
});
