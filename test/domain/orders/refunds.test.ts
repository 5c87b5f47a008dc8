/** A refund pays back what is left, at most, and its order, revenue and history agree. */
import { describe, expect, test, vi } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { makeRefund } from "../../../src/domain/own-orders/make-refund.ts";
import { getOwnOrder } from "../../../src/domain/own-orders/queries.ts";
import { takeOverRefunds } from "../../../src/domain/own-orders/take-over-refunds.ts";
import type { StoreRefund } from "../../../src/stores/port/refunds.ts";
import { type Store, StoreRefusalError, UnknownOutcomeError } from "../../../src/stores/port.ts";
import type { Answer } from "../../support/client.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, testDb } from "../../support/database.ts";
import { linkOf, orderOf, put } from "../../support/records.ts";
import { entriesOf, type Json, read } from "../../support/shops.ts";
import { limitedKey, staff } from "../../support/tenant.ts";
import { later, startClock, useShop } from "../../support/worker.ts";
import { expectConflict, orderActions, ownOrders } from "./own-orders.ts";

const { shop, worker } = useShop();
const { call, placed, order, refunds, refund, ledgerOf } = ownOrders(shop, worker);

function faultsOf({ status, body }: Answer<Json>) {
  return [status, body.details];
}

test("a refund is PENDING at once, then paid: the order, the revenue and the history say so", async () => {
  const { id, subscriptionId } = await placed();
  const answer = await refund(id, { amount: 2.5, reason: "One bag arrived torn" });
  expect([answer.status, answer.body.data]).toMatchObject([
    201,
    {
      order_id: id,
      amount: 2.5,
      currency_code: "USD",
      status: "PENDING",
      reason: "One bag arrived torn",
      is_made_at_store: false,
    },
  ]);
  expect(await order(id)).toMatchObject({ status: "PAID", refunded_amount: 0 });
  await worker.drain();
  expect(await refunds(id)).toMatchObject([
    {
      id: answer.body.data.id,
      status: "SUCCEEDED",
      store_reference: expect.stringMatching(/^sandbox-refund-/),
    },
  ]);
  expect(await order(id)).toMatchObject({ status: "PARTIALLY_REFUNDED", refunded_amount: 2.5, total: 10 });
  expect(await read(shop, subscriptionId)).toMatchObject({ total_revenue: 7.5 });
  const entries = await entriesOf(id);
  const asker = ["admin", entries[1]!.actor_name];
  expect(asker[1]).toBeTruthy();
  expect(entries.map(({ action, actor_type, actor_name }) => [action, actor_type, actor_name])).toEqual([
    ["order_placed", "system", null],
    ["order_updated", ...asker],
    ["order_refunded", ...asker],
  ]);
  const about = { refund_id: answer.body.data.id, amount: 2.5, reason: "One bag arrived torn" };
  expect(entries[1]).toMatchObject({ metadata: { ...about, refund_status: "PENDING" } });
  expect(entries[2]).toMatchObject({
    metadata: { ...about, refund_status: "SUCCEEDED" },
    changes: { status: { from: "PAID", to: "PARTIALLY_REFUNDED" }, refunded_amount: { from: 0, to: 2.5 } },
  });
});

test("without an amount all that is left is paid back", async () => {
  const { id, subscriptionId } = await placed();
  await refund(id, { amount: 2.5 });
  const rest = await refund(id);
  expect(rest.body.data.amount).toBe(7.5);
  await worker.drain();
  expect(await order(id)).toMatchObject({ status: "REFUNDED", refunded_amount: 10 });
  expect(await read(shop, subscriptionId)).toMatchObject({ total_revenue: 0 });
  expect(await ledgerOf(subscriptionId)).toEqual([
    { amount: 250, state: "SUCCEEDED" },
    { amount: 750, state: "SUCCEEDED" },
  ]);
});

describe("an amount", () => {
  test.each([
    [10.01, "must be at most 10 USD, which is left of the order"],
    [0, "must be more than 0"],
    [-1, "must be more than 0"],
    [1.005, "must be an amount of USD, with at most 2 decimals"],
  ])("of %s is refused by name", async (amount, message) => {
    const { id } = await placed();
    expect(faultsOf(await refund(id, { amount }))).toEqual([400, [{ path: "amount", message }]]);
    expect(await refunds(id)).toEqual([]);
  });

  test("above what is left, pending refunds included, is refused; of nothing that is left, too", async () => {
    const { id } = await placed();
    await refund(id, { amount: 6 });
    expect(faultsOf(await refund(id, { amount: 4.01 }))).toEqual([
      400,
      [{ path: "amount", message: "must be at most 4 USD, which is left of the order" }],
    ]);
    await refund(id, { amount: 4 });
    for (const body of [{}, { amount: 0.01 }])
      expect(faultsOf(await refund(id, body))).toEqual([
        400,
        [{ path: "amount", message: "must be at most 0 USD, which is left of the order" }],
      ]);
    await worker.drain();
    expect(faultsOf(await refund(id))).toMatchObject([400, [{ path: "amount" }]]);
  });
});

describe("what the store makes of a refund, by test method", () => {
  test("pm_refund_pending: it pends, its amount is not to be had twice, and it is paid once", async () => {
    const { id, subscriptionId } = await placed("pm_refund_pending");
    await refund(id, { amount: 6 });
    await worker.drain();
    expect(await refunds(id)).toMatchObject([
      { status: "PENDING", store_reference: expect.stringMatching(/^sandbox-refund-/) },
    ]);
    expect(await order(id)).toMatchObject({ status: "PAID", refunded_amount: 0 });
    expect((await refund(id, { amount: 6 })).status).toBe(400);
    await later(worker, 120);
    vi.useRealTimers();
    expect(await refunds(id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(await ledgerOf(subscriptionId)).toEqual([{ amount: 600, state: "SUCCEEDED" }]);
    expect(await order(id)).toMatchObject({ status: "PARTIALLY_REFUNDED", refunded_amount: 6 });
  });

  test.each(["pm_refund_timeout", "pm_refund_timeout_not_made"])(
    "%s: asked again, and paid once",
    async (method) => {
      const { id, subscriptionId } = await placed(method);
      await refund(id);
      await worker.drain();
      expect(await refunds(id)).toMatchObject([{ status: "PENDING", store_reference: null }]);
      await later(worker, 120);
      vi.useRealTimers();
      expect(await refunds(id)).toMatchObject([{ status: "SUCCEEDED" }]);
      expect(await ledgerOf(subscriptionId)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
      expect(await order(id)).toMatchObject({ status: "REFUNDED", refunded_amount: 10 });
    },
  );

  test("pm_refund_fails: nothing is paid back, and the amount is free again", async () => {
    const { id, subscriptionId } = await placed("pm_refund_fails");
    await refund(id);
    await worker.drain();
    expect(await refunds(id)).toMatchObject([{ status: "FAILED", amount: 10 }]);
    expect(await order(id)).toMatchObject({ status: "PAID", refunded_amount: 0 });
    expect(await read(shop, subscriptionId)).toMatchObject({ total_revenue: 10 });
    expect(await orderActions(id)).toEqual(["order_placed", "order_updated", "order_updated"]);
    expect((await refund(id)).status).toBe(201);
  });
});

describe("orders that cannot be refunded here", () => {
  test("a prepaid delivery, which an earlier order has paid for", async () => {
    const prepaid = orderOf(shop.of, { store_order_id: `prepaid-${newId()}`, is_prepaid: 1, total: 0 });
    await put("orders", [prepaid]);
    expectConflict(await refund(prepaid.id), /earlier order has paid/);
  });

  test("an order that was moved in, which another system was paid for", async () => {
    const { subscriptionId } = await placed();
    const moved = orderOf(shop.of, {
      store_order_id: `recharge/${newId()}`,
      external_source: "recharge",
      status: "PAID",
    });
    await put("orders", [moved]);
    await put("order_subscriptions", [linkOf(shop.of, moved.id, subscriptionId)]);
    expectConflict(await refund(moved.id), /system that it came from/);
    const cancelled = await call("POST", moved.id, "/cancel", { refund: true });
    expectConflict(cancelled, /system that it came from/);
    expect(await order(moved.id)).toMatchObject({ status: "PAID" });
  });

  test("an order without a charge of ours", async () => {
    const sold = orderOf(shop.of, { store_order_id: `sold-${newId()}` });
    await put("orders", [sold]);
    expectConflict(await refund(sold.id), /no charge that was made here/);
  });
});

test("an Idempotency-Key makes a repeated request one refund", async () => {
  const { id, subscriptionId } = await placed();
  const ask = () => refund(id, { amount: 3 }, { headers: { "Idempotency-Key": newId() } });
  const key = { headers: { "Idempotency-Key": newId() } };
  const once = await refund(id, { amount: 3 }, key);
  await worker.drain();
  const twice = await refund(id, { amount: 3 }, key);
  expect([twice.status, twice.body]).toEqual([201, once.body]);
  expect((await ask()).status).toBe(201);
  await worker.drain();
  expect(await ledgerOf(subscriptionId)).toHaveLength(2);
});

test("billing:write refunds, billing:read lists; orders:write does not", async () => {
  const { id } = await placed();
  const admin = await staff(shop.of, "Ada");
  const limited = async (...scopes: Parameters<typeof limitedKey>[1]) => ({
    as: { credentials: { ...admin.credentials, ...(await limitedKey(shop.of, scopes)).credentials } },
  });
  expect((await refund(id, {}, await limited("orders:write"))).status).toBe(403);
  expect((await call("GET", id, "/refunds", undefined, await limited("billing:read"))).status).toBe(200);
  expect((await refund(id, {}, await limited("billing:write"))).status).toBe(201);
  worker.forget();
});

describe("refunds that were made at the store", () => {
  /** A store that shows these refunds of every charge. */
  async function takeOver(orderId: string, shown: StoreRefund[]) {
    const db = testDb(shop.of.account);
    const store = { listRefunds: async () => shown } as unknown as Store;
    const ctx = ctxOn(db, shop.of.account, { store, actor: { type: "system", name: null } });
    await takeOverRefunds(ctx, await getOwnOrder(ctx, orderId));
  }
  const atStore = (more: Partial<StoreRefund> = {}): StoreRefund => ({
    reference: `re_${newId()}`,
    key: null,
    amount: 400,
    status: "SUCCEEDED",
    reason: "requested_by_customer",
    created_at: new Date().toISOString(),
    ...more,
  });

  test("are recorded once, however often they are shown", async () => {
    const { id, subscriptionId } = await placed();
    const shown = atStore();
    await takeOver(id, [shown]);
    await takeOver(id, [shown]);
    expect(await refunds(id)).toMatchObject([
      { amount: 4, status: "SUCCEEDED", is_made_at_store: true, store_reference: shown.reference },
    ]);
    expect(await order(id)).toMatchObject({ status: "PARTIALLY_REFUNDED", refunded_amount: 4 });
    expect(await read(shop, subscriptionId)).toMatchObject({ total_revenue: 6 });
    expect(await orderActions(id)).toEqual(["order_placed", "order_refunded"]);
    expect((await entriesOf(id)).at(-1)).toMatchObject({ actor_type: "system", actor_name: null });
    expect((await refund(id)).body.data.amount).toBe(6);
    worker.forget();
  });

  test("ours are known by their key and never counted twice, whoever records them first", async () => {
    const { id } = await placed();
    const { body } = await refund(id, { amount: 4 });
    await takeOver(id, [atStore({ key: `refund-${body.data.id}` })]);
    expect(await refunds(id)).toMatchObject([
      { id: body.data.id, status: "SUCCEEDED", is_made_at_store: false },
    ]);
    await worker.drain();
    expect(await order(id)).toMatchObject({ refunded_amount: 4 });
  });

  test("that pend take from what is left, and one that fails later gives it back", async () => {
    const { id, subscriptionId } = await placed();
    const shown = atStore({ status: "PENDING", amount: 1000 });
    await takeOver(id, [shown]);
    expect((await refund(id)).status).toBe(400);
    await takeOver(id, [{ ...shown, status: "SUCCEEDED" }]);
    expect(await order(id)).toMatchObject({ status: "REFUNDED", refunded_amount: 10 });
    await takeOver(id, [{ ...shown, status: "FAILED" }]);
    expect(await order(id)).toMatchObject({ status: "PAID", refunded_amount: 0 });
    expect(await read(shop, subscriptionId)).toMatchObject({ total_revenue: 10 });
    expect(await refunds(id)).toMatchObject([{ status: "FAILED" }]);
  });

  test("are found before one of ours is asked for", async () => {
    const { id, subscriptionId } = await placed();
    await execute(
      `INSERT INTO sandbox_refunds (account_seq, refund_number, charge_number, state, amount, created_at)
        SELECT account_seq, 1 + (SELECT COALESCE(MAX(refund_number), 0) FROM sandbox_refunds
          WHERE account_seq = c.account_seq), charge_number, 'SUCCEEDED', 900, created_at
        FROM sandbox_charges AS c WHERE subscription_id = ?`,
      subscriptionId,
    );
    await refund(id, { amount: 3 });
    await worker.drain();
    expect(await refunds(id)).toMatchObject([
      { amount: 9, status: "SUCCEEDED", is_made_at_store: true },
      { amount: 3, status: "FAILED", error_message: "The charge has less left to pay back" },
    ]);
    expect(await order(id)).toMatchObject({ refunded_amount: 9 });
  });
});

test("a refusal is no failure while an earlier request may arrive, and is one once it cannot", async () => {
  const { id } = await placed();
  const { body } = await refund(id, { amount: 4 });
  worker.forget();
  const answers = [
    new UnknownOutcomeError("No answer"),
    ...Array.from({ length: 7 }, () => new StoreRefusalError("Not now")),
  ];
  const statuses: string[] = [];
  let now = Date.now();
  for (const answer of answers) {
    const store = { listRefunds: async () => [], refund: () => Promise.reject(answer) } as unknown as Store;
    now += 3 * 3_600_000;
    const realNow = new Date(now).toISOString();
    await makeRefund(
      ctxOn(testDb(shop.of.account), shop.of.account, { store, realNow, send: async () => {} }),
      body.data.id,
    );
    statuses.push((await refunds(id))[0].status);
  }
  expect(statuses).toEqual([...Array.from({ length: 7 }, () => "PENDING"), "FAILED"]);
  expect(await refunds(id)).toMatchObject([{ error_message: "Not now" }]);
});

test("a refusal frees no amount once another try has begun, which may be paid", async () => {
  const { id } = await placed();
  const { body } = await refund(id, { amount: 4 });
  worker.forget();
  const make = (store: object, minutes: number) => {
    const realNow = new Date(Date.now() + minutes * 60_000).toISOString();
    const more = { store: store as unknown as Store, realNow, send: async () => {} };
    return makeRefund(ctxOn(testDb(shop.of.account), shop.of.account, more), body.data.id);
  };
  const silent = {
    listRefunds: async () => [],
    refund: () => Promise.reject(new UnknownOutcomeError("No answer")),
  };
  const refusing = {
    ...silent,
    refund: async () => {
      await make(silent, 3);
      throw new StoreRefusalError("Not now");
    },
  };
  await make(refusing, 0);
  expect(await refunds(id)).toMatchObject([{ status: "PENDING", error_message: null }]);
  expect((await refund(id, { amount: 7 })).status).toBe(400);
  const paid = {
    ...{ reference: "re_1", key: `refund-${body.data.id}`, amount: 400, status: "SUCCEEDED", reason: null },
    created_at: new Date().toISOString(),
  };
  await make({ ...silent, listRefunds: async () => [paid] }, 10);
  expect(await refunds(id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(await order(id)).toMatchObject({ refunded_amount: 4 });
});

test("a refund goes by the account's time, the looks at it by real time", async () => {
  const { id } = await placed();
  await startClock(shop, "2031-05-01T12:00:00.000Z");
  const { body } = await refund(id, { amount: 1 });
  expect(body.data.created_at).toBe("2031-05-01T12:00:00.000Z");
  await worker.drain();
  expect(await refunds(id)).toMatchObject([{ status: "SUCCEEDED", updated_at: "2031-05-01T12:00:00.000Z" }]);
  await execute("UPDATE accounts SET clock_at = NULL WHERE id = ?", shop.of.account.id);
});
