/** A card that a provider keeps becomes a payment method at Shopify once, wherever an import dies. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { readAccount } from "../../../src/base/accounts/queries.ts";
import { erasePersonalData } from "../../../src/domain/privacy/erase-personal-data.ts";
import { remoteMethodScopes } from "../../../src/stores/shopify/app/scopes.ts";
import {
  begin,
  jobOf,
  jsonLines,
  moveIn,
  must,
  outcomesOf,
  putPart,
  release,
  rowOf,
  rowsOf,
  stage,
  start,
} from "../../domain/imports/imports.ts";
import { api } from "../../support/client.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, select, testDb } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { deliver, inDays, type Json, openShop, read } from "../../support/shops.ts";
import { interrupted, isolateEnded } from "../../support/slow-database.ts";
import { later, openWorker } from "../../support/worker.ts";
import { useShop } from "./shop.ts";

const shop = useShop();

beforeEach(() => {
  shop.store.settings.scopes.push(...remoteMethodScopes);
});

/** A row of a customer of the store whose card is at a provider. */
function remoteRow(ref: string, more: object = {}): Record<string, unknown> {
  return rowOf(shop.merchant, ref, {
    store_customer_id: plain(shop.store.addCustomer({ email: `${ref}@example.com` })),
    selling_plan_id: shop.plan,
    store_payment_method_id: undefined,
    remote_gateway: "stripe",
    remote_customer_id: `cus_${ref}`,
    remote_payment_method_id: `pm_${ref}`,
    ...more,
  });
}

function references(): object[] {
  return [...shop.store.remotes.values()].map(({ reference }) => reference);
}

async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) await later(shop.worker, 60);
}

/** An import of these rows that was checked, and is to be written by the messages that the test delivers. */
async function begun(rows: Record<string, unknown>[]) {
  const { merchant, worker } = shop;
  const id = await stage(merchant, rows);
  await start(merchant, worker, id, false);
  must(await worker.call(merchant.api, "POST", `/api/jobs/${id}/start`, { body: { commit: true } }));
  worker.forget();
  return { id, message: { type: "work_rows", account_id: merchant.of.account.id, job_id: id } };
}

test("Stripe's subscriptions bring their cards into the store by Stripe's hand", async () => {
  const { merchant, store, worker } = shop;
  const email = "grace@example.com";
  const store_customer_id = plain(store.addCustomer({ email }));
  const recurring = { interval: "week", interval_count: 1 };
  const price = { id: "price_1", product: "prod_1", currency: "eur", unit_amount: 1995, recurring };
  const id = await begin(merchant, { format: "stripe", defaults: { selling_plan_id: shop.plan } });
  const object = {
    ...{ id: "sub_1", status: "active", customer: { id: "cus_1", email }, default_payment_method: "pm_1" },
    ...{ current_period_end: Date.parse(inDays(10)) / 1000, items: { data: [{ quantity: 1, price }] } },
    store_customer_id,
  };
  must(await putPart(merchant, id, JSON.stringify(object), { type: jsonLines }));
  await start(merchant, worker, id, true);
  expect(await outcomesOf(merchant, id)).toEqual({ sub_1: "OK" });
  expect(references()).toEqual([{ stripePaymentMethod: { customerId: "cus_1", paymentMethodId: "pm_1" } }]);
});

describe("a payment method that a provider keeps", () => {
  test("is made by the store when the import is written, and not by the check", async () => {
    const rows = [
      remoteRow("a"),
      remoteRow("b", { remote_gateway: "BRAINTREE" }),
      remoteRow("c", { remote_gateway: "authorize_net" }),
      remoteRow("d", { status: "CANCELLED", next_billing_date: undefined }),
    ];
    const id = await stage(shop.merchant, rows);
    await start(shop.merchant, shop.worker, id, false);
    expect(await outcomesOf(shop.merchant, id)).toEqual({
      a: "PENDING",
      b: "PENDING",
      c: "PENDING",
      d: "PENDING",
    });
    expect(references()).toEqual([]);
    await start(shop.merchant, shop.worker, id, true);
    expect(await outcomesOf(shop.merchant, id)).toEqual({ a: "OK", b: "OK", c: "OK", d: "OK" });
    expect(references(), "none for what has ended").toEqual([
      { stripePaymentMethod: { customerId: "cus_a", paymentMethodId: "pm_a" } },
      { braintreePaymentMethod: { customerId: "cus_b", paymentMethodToken: "pm_b" } },
      {
        authorizeNetCustomerPaymentProfile: { customerProfileId: "cus_c", customerPaymentProfileId: "pm_c" },
      },
    ]);
    const made = [...shop.store.remotes.keys()].map(plain);
    const methods = await select(
      `SELECT its.ref, method.store_payment_method_id AS id FROM import_refs AS its
        JOIN subscriptions AS made ON made.account_seq = its.account_seq AND made.id = its.record_id
        LEFT JOIN payment_methods AS method ON method.account_seq = made.account_seq AND method.id = made.payment_method_id
        WHERE its.job_id = ? ORDER BY its.ref`,
      id,
    );
    expect(methods).toEqual(["a", "b", "c", "d"].map((ref, nth) => ({ ref, id: made[nth] ?? null })));
  });

  test("is made once for each customer and reference, in whichever import it comes again", async () => {
    const one = remoteRow("a");
    const two = { ...one, subscription_ref: "a-2" };
    const { job } = await moveIn(shop.merchant, shop.worker, [one, two]);
    expect(job).toMatchObject({ done: 2, failed: 0 });
    const again = { ...one, subscription_ref: "a-3" };
    expect((await moveIn(shop.merchant, shop.worker, [again])).job).toMatchObject({ done: 1, failed: 0 });
    expect(references()).toHaveLength(1);
    const other = { ...one, subscription_ref: "a-4", remote_payment_method_id: "pm_other" };
    expect((await moveIn(shop.merchant, shop.worker, [other])).job).toMatchObject({ done: 1, failed: 0 });
    expect(references()).toHaveLength(2);
  });

  test("that the store is still processing is waited for, and its row is written then", async () => {
    shop.store.settings.processesAtRead = 4;
    const { job, id } = await moveIn(shop.merchant, shop.worker, [remoteRow("a"), remoteRow("b")]);
    expect(job.status).toBe("RUNNING");
    expect(await outcomesOf(shop.merchant, id)).toEqual({ a: "PENDING", b: "PENDING" });
    expect(references(), "both are asked for before the first is ready").toHaveLength(2);
    await minutes(8);
    expect(await jobOf(shop.merchant, id)).toMatchObject({ status: "DONE", done: 2, failed: 0 });
    expect(references()).toHaveLength(2);
  });

  test("that is not processed within an hour is its row's fault", async () => {
    shop.store.settings.processesAtRead = Number.POSITIVE_INFINITY;
    const { id } = await moveIn(shop.merchant, shop.worker, [remoteRow("a")]);
    for (let times = 0; times < 8; times++) await later(shop.worker, 600);
    expect(await outcomesOf(shop.merchant, id)).toEqual({
      a: ["FAILED", "remote_payment_method_id was not processed by the store within an hour"],
    });
  });

  test("that the store or the provider refuses is its row's fault, and the others are moved in", async () => {
    shop.store.refuse("customerPaymentMethodRemoteCreate", "INVALID");
    const rows = [remoteRow("refused"), remoteRow("unknown"), remoteRow("good")];
    const { id } = await moveIn(shop.merchant, shop.worker, rows);
    expect(await outcomesOf(shop.merchant, id)).toEqual({
      refused: ["FAILED", "remote_payment_method_id was refused by the store: Refused: INVALID"],
      unknown: [
        "FAILED",
        "remote_payment_method_id was revoked by the store: the provider does not know it, or refuses it",
      ],
      good: "OK",
    });
    const { job } = await moveIn(shop.merchant, shop.worker, [rows[0]!]);
    expect(job, "asked for anew by the next import").toMatchObject({ done: 1 });
  });

  test("needs its permissions, which the check says", async () => {
    const { settings } = shop.store;
    settings.scopes = settings.scopes.filter((scope) => scope !== "write_customer_payment_methods");
    const id = await stage(shop.merchant, [remoteRow("a")]);
    await start(shop.merchant, shop.worker, id, true);
    expect(await outcomesOf(shop.merchant, id)).toEqual({
      a: ["FAILED", "remote_gateway cannot be used: the app lacks the scope write_customer_payment_methods"],
    });
    settings.scopes.push("write_customer_payment_methods");
    const { id: later, message } = await begun([remoteRow("b")]);
    settings.scopes = settings.scopes.filter((scope) => scope !== "write_customer_payment_methods");
    await deliver([message], { bindings: shop.worker.bindings });
    const [[, fault]] = Object.values(await outcomesOf(shop.merchant, later)) as [[string, string]];
    expect(fault).toContain("the app needs the scopes write_customers and write_customer_payment_methods");
    expect(references()).toEqual([]);
  });

  test("is named whole, with a customer of the store, and in place of one that the store has", async () => {
    const id = await stage(shop.merchant, [
      remoteRow("part", { remote_customer_id: undefined }),
      remoteRow("gateway", { remote_gateway: "ADYEN" }),
      remoteRow("both", { store_payment_method_id: "1" }),
      remoteRow("nobody", { store_customer_id: undefined }),
    ]);
    await start(shop.merchant, shop.worker, id, false);
    expect(await outcomesOf(shop.merchant, id)).toEqual({
      part: ["FAILED", "remote_customer_id is required"],
      gateway: ["FAILED", "remote_gateway must be one of STRIPE, BRAINTREE, AUTHORIZE_NET"],
      both: ["FAILED", "remote_gateway must be absent where there is a store_payment_method_id"],
      nobody: ["FAILED", "store_customer_id is required with remote_gateway"],
    });
  });

  test("comes by the columns of contracts of other apps, too", async () => {
    const customer = plain(shop.store.addCustomer({ email: "shop@example.com" }));
    const contract = {
      handle: "c-1",
      upcoming_billing_date: "2035-01-20T00:00:00Z",
      customer_id: customer,
      email: "shop@example.com",
      currency_code: "EUR",
      status: "ACTIVE",
      cadence_interval: "WEEK",
      cadence_interval_count: 1,
      line_variant_id: "41001",
      line_quantity: 1,
      line_current_price: 10,
      line_selling_plan_id: shop.plan,
      remote_gateway: "stripe",
      remote_customer_id: "cus_1",
      remote_payment_method_id: "pm_1",
    };
    const { id } = await moveIn(shop.merchant, shop.worker, [contract], { format: "shopify" });
    expect(await outcomesOf(shop.merchant, id)).toEqual({ "c-1": "OK" });
    expect(references()).toEqual([{ stripePaymentMethod: { customerId: "cus_1", paymentMethodId: "pm_1" } }]);
  });
});

describe("a payment method is made once", () => {
  test.each([
    ["has done it", "done"],
    ["has not", "none"],
  ] as const)("where the store's answer is lost and it %s", async (_, effect) => {
    shop.store.fail({ kind: "timeout", on: "CreateRemotePaymentMethod", effect });
    const { id, job } = await moveIn(shop.merchant, shop.worker, [remoteRow("a"), remoteRow("b")]);
    expect(job.status).toBe("RUNNING");
    await minutes(8);
    expect(await jobOf(shop.merchant, id)).toMatchObject({ status: "DONE", done: 2, failed: 0 });
    expect(references()).toHaveLength(2);
  });

  test.each([
    ["claimed", /INSERT INTO remote_payment_methods/],
    ["made and not noted", /UPDATE remote_payment_methods SET store_payment_method_id/],
    ["noted, and its page is not", /update "jobs" set .*"progress"/i],
  ])("where the message dies once it is %s", async (_, statement) => {
    const { id, message } = await begun([remoteRow("a"), remoteRow("b")]);
    let left = 1;
    const before = async () => {
      if (left-- > 0) await isolateEnded();
    };
    const DB = interrupted(statement, {
      [statement.source.startsWith("INSERT") ? "after" : "before"]: before,
    });
    await deliver([message], { bindings: { ...env, ...shop.worker.bindings, DB } }).catch(() => {});
    await minutes(8);
    expect(left, "it has died").toBeLessThan(1);
    expect(await jobOf(shop.merchant, id)).toMatchObject({ status: "DONE", done: 2, failed: 0 });
    expect(references()).toHaveLength(2);
  });

  test("where its messages come twice at once, and the lease of one has run out", async () => {
    const { id, message } = await begun([remoteRow("a"), remoteRow("b"), remoteRow("c")]);
    const bindings = shop.worker.bindings;
    const past = "2020-01-01T00:00:00.000Z";
    await Promise.all([deliver([message], { bindings }), deliver([message], { bindings })]);
    await execute(
      "UPDATE jobs SET lease_until = ?, next_action_at = ? WHERE id = ? AND next_action_at IS NOT NULL",
      ...[past, past, id],
    );
    await Promise.all([deliver([message], { bindings }), deliver([message], { bindings })]);
    await minutes(8);
    expect(await jobOf(shop.merchant, id)).toMatchObject({ status: "DONE", done: 3, failed: 0 });
    expect(references()).toHaveLength(3);
  });

  test("where the store asks for pauses, however often", async () => {
    shop.store.fail({ kind: "http429", on: "CreateRemotePaymentMethod", times: 12 });
    shop.store.fail({ kind: "http429", on: "PaymentMethodsOfCustomer", times: 3 });
    const { id } = await moveIn(shop.merchant, shop.worker, [remoteRow("a"), remoteRow("b")]);
    await minutes(20);
    expect(await jobOf(shop.merchant, id)).toMatchObject({ status: "DONE", done: 2, failed: 0 });
    expect(references()).toHaveLength(2);
  });

  test("and none is guessed where the customer has got several meanwhile", async () => {
    shop.store.fail({ kind: "timeout", on: "CreateRemotePaymentMethod", effect: "done" });
    const row = remoteRow("a");
    const { id } = await moveIn(shop.merchant, shop.worker, [row]);
    shop.store.addPaymentMethod(`gid://shopify/Customer/${row.store_customer_id}`);
    await minutes(8);
    expect(await outcomesOf(shop.merchant, id)).toEqual({
      a: [
        "FAILED",
        "remote_payment_method_id may have been made before: name the customer's payment method as store_payment_method_id",
      ],
    });
    expect(references()).toHaveLength(1);
  });

  test("and none is made any more once the import is cancelled", async () => {
    const { id, message } = await begun([remoteRow("a"), remoteRow("b")]);
    const cancel = async () => {
      await api(shop.merchant.api, "POST", `/api/jobs/${id}/cancel`);
    };
    const DB = interrupted(/INSERT INTO remote_payment_methods/, { before: cancel });
    await deliver([message], { bindings: { ...env, ...shop.worker.bindings, DB } });
    await minutes(3);
    expect(await jobOf(shop.merchant, id)).toMatchObject({ status: "CANCELLED", done: 0 });
    expect(references()).toEqual([]);
  });
});

test("the provider's ids go with the customer who is erased", async () => {
  const { merchant, worker } = shop;
  const { id } = await moveIn(merchant, worker, [remoteRow("a"), remoteRow("b")]);
  const kept = () => select("SELECT reference FROM remote_payment_methods WHERE job_id = ?", id);
  expect(await kept()).toHaveLength(2);
  const account = (await readAccount(testDb(merchant.of.account), merchant.of.account.id))!;
  const [{ record_id }] = (await rowsOf(merchant, id)) as [Json];
  const { profile_id } = await read(merchant, record_id);
  await erasePersonalData(ctxOn(testDb(merchant.of.account), account), profile_id);
  expect(await kept()).toEqual([{ reference: expect.stringContaining("cus_b") }]);
});

test("the provider's ids go with the import, 30 days after its end", async () => {
  const { merchant, worker } = shop;
  const { id } = await moveIn(merchant, worker, [remoteRow("a")]);
  await release(merchant, worker, id);
  await execute("UPDATE jobs SET prune_at = '2020-01-01T00:00:00.000Z' WHERE id = ?", id);
  await worker.tick();
  await worker.tick();
  expect(await select("SELECT reference FROM remote_payment_methods WHERE job_id = ?", id)).toEqual([]);
  expect(await select("SELECT id FROM jobs WHERE id = ?", id)).toEqual([]);
});

test("a store that takes over no payment methods is said by the check", async () => {
  const other = await openShop();
  const worker = openWorker();
  const row = rowOf(other, "a", {
    store_payment_method_id: undefined,
    ...{ remote_gateway: "STRIPE", remote_customer_id: "cus_1", remote_payment_method_id: "pm_1" },
  });
  const id = await stage(other, [row]);
  await start(other, worker, id, false);
  expect(await outcomesOf(other, id)).toEqual({
    a: ["FAILED", "remote_gateway cannot be used: the connected store takes over no payment methods"],
  });
});
