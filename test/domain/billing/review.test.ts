/** A review is settled once, as charged or not charged, and its cycle goes on accordingly. */
import { describe, expect, test, vi } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api, type RequestOptions } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { processDue } from "../../support/jobs.ts";
import {
  actionsOf,
  deliver,
  entriesOf,
  inDays,
  type Json,
  openShop,
  read,
  refusal,
} from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { attemptsOf, later, linked, ordersOf, shipNow, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

/** A subscription whose attempt waits for people; the store has no charge under its key. */
async function underReview(): Promise<{ id: string; attemptId: string }> {
  const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
  const attemptId: string = (await shipNow(shop, worker, id)).body.billing_attempt_id;
  worker.forget();
  await execute(
    "UPDATE billing_attempts SET status = 'REVIEW', claims = 1, error_code = 'store_unreachable' WHERE id = ?",
    attemptId,
  );
  await execute("UPDATE subscriptions SET billing_blocked_reason = 'store_unreachable' WHERE id = ?", id);
  return { id, attemptId };
}

/** A subscription of 10.00 for which the store has charged 25.00, at first in another currency. */
async function mismatched(): Promise<{ id: string; attemptId: string; order: string }> {
  const id = await linked(shop, worker, {
    next_delivery_date: inDays(7),
    store_payment_method_id: "pm_pending",
  });
  const attemptId: string = (await shipNow(shop, worker, id)).body.billing_attempt_id;
  await worker.drain({ soon: false });
  const [charge] = await select<{ charge_number: number }>(
    `UPDATE sandbox_charges SET amount = 2500, currency_code = 'EUR' WHERE idempotency_key =
      (SELECT store_key FROM billing_attempts WHERE id = ?) RETURNING charge_number`,
    attemptId,
  );
  await worker.drain();
  await execute("UPDATE sandbox_charges SET currency_code = 'USD' WHERE amount = 2500");
  return { id, attemptId, order: `sandbox-order-${charge!.charge_number}` };
}

function settle(attemptId: string, body: unknown, options: RequestOptions = {}) {
  return api<Json>(shop.admin, "POST", `/api/billing-attempts/${attemptId}/settle`, { body, ...options });
}

function charged(store_order_id: string, amount?: number) {
  return {
    charged: true,
    store_order_id,
    ...(amount === undefined ? {} : { amount }),
  };
}

describe("found to be charged", () => {
  test("the order is made, the schedule goes on, and the entry names who settled it", async () => {
    const { id, attemptId } = await underReview();
    const { status, body } = await settle(attemptId, charged("gid://order/77"));
    const [order] = await ordersOf(shop, id);
    expect([status, body.data]).toMatchObject([
      200,
      { id: attemptId, status: "SUCCEEDED", amount: 10, error_code: null, order_id: order.id },
    ]);
    expect(order).toMatchObject({ store_order_id: "gid://order/77", total: 10 });
    expect(await read(shop, id)).toMatchObject({
      current_billing_cycle: 2,
      total_revenue: 10,
      billing_blocked_reason: null,
    });
    const { metadata, ...entry } = (await entriesOf(id)).at(-1)!;
    expect(entry).toMatchObject({ action: "billing_succeeded", actor_type: "admin" });
    expect(metadata).toEqual({ billing_attempt_id: attemptId, cycle: 1, store_order_id: "gid://order/77" });
  });

  test("currency_mismatch: what the store has charged is recorded", async () => {
    const { id, attemptId, order } = await mismatched();
    expect(await attemptsOf(shop, id)).toMatchObject([
      { status: "REVIEW", error_code: "currency_mismatch", amount: 10 },
    ]);
    expect(await read(shop, id)).toMatchObject({ billing_blocked_reason: "currency_mismatch" });
    expect((await settle(attemptId, charged(order))).body.data).toMatchObject({
      status: "SUCCEEDED",
      amount: 25,
    });
    expect(await ordersOf(shop, id)).toMatchObject([{ store_order_id: order, total: 25 }]);
    expect(await read(shop, id)).toMatchObject({ total_revenue: 25, billing_blocked_reason: null });
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "billing_succeeded",
      metadata: { amount: 25, requested_amount: 10 },
    });
  });

  test("an amount that the person states is recorded, whatever the store says", async () => {
    const { id, attemptId, order } = await mismatched();
    expect((await settle(attemptId, charged(order, 24.5))).body.data.amount).toBe(24.5);
    expect(await ordersOf(shop, id)).toMatchObject([{ total: 24.5 }]);
    expect((await read(shop, id)).total_revenue).toBe(24.5);
  });

  test("a charge in another currency: the amount has to be stated", async () => {
    const { id, attemptId, order } = await mismatched();
    await execute("UPDATE sandbox_charges SET currency_code = 'EUR' WHERE amount = 2500");
    const { status, body } = await settle(attemptId, charged(order));
    expect([status, body.details[0].path]).toEqual([400, "amount"]);
    expect((await settle(attemptId, charged(order, 27))).status).toBe(200);
    expect(await ordersOf(shop, id)).toMatchObject([{ total: 27, currency_code: "USD" }]);
  });

  test("order_taken is settled with the right order; another charge's is refused", async () => {
    const other = await linked(shop, worker, { next_delivery_date: inDays(7) });
    await shipNow(shop, worker, other);
    await worker.drain();
    const [theirs] = await ordersOf(shop, other);
    const { id, attemptId } = await underReview();
    await execute("UPDATE billing_attempts SET error_code = 'order_taken' WHERE id = ?", attemptId);
    const before = await rowsOf(shop.of.account.id);
    expect(refusal(await settle(attemptId, charged(theirs.store_order_id)))).toEqual([409, "INVALID_STATE"]);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
    expect((await settle(attemptId, charged("order-right"))).body.data.status).toBe("SUCCEEDED");
    expect(await ordersOf(shop, id)).toMatchObject([{ store_order_id: "order-right", total: 10 }]);
  });
});

describe("found not to be charged", () => {
  test("the cycle is free, without dunning, and its number and key are used again", async () => {
    const { id, attemptId } = await underReview();
    const { body: settled } = await settle(attemptId, { charged: false });
    expect(settled.data).toMatchObject({ status: "CANCELLED", error_code: "not_charged" });
    expect(await attemptsOf(shop, id)).toEqual([settled.data]);
    expect(await read(shop, id)).toMatchObject({
      is_in_dunning: false,
      current_billing_cycle: 1,
      billing_blocked_reason: null,
    });
    expect((await actionsOf(id)).at(-1)).toBe("billing_failed");
    const { body } = await shipNow(shop, worker, id, { delivery_date: inDays(3) });
    await worker.drain();
    expect((await attemptsOf(shop, id))[0]).toMatchObject({
      id: body.billing_attempt_id,
      attempt_number: 1,
      status: "SUCCEEDED",
    });
    const keys = await select<{ store_key: string }>(
      "SELECT DISTINCT store_key FROM billing_attempts WHERE subscription_id = ?",
      id,
    );
    expect(keys).toHaveLength(1);
  });

  test("a recurring cycle is due again: the next tick bills it", async () => {
    const shop = await openShop();
    const id = await linked(shop, worker, { next_delivery_date: inDays(0) });
    await deliver([processDue(shop, id)]);
    const [attempt] = await attemptsOf(shop, id);
    await execute("UPDATE billing_attempts SET status = 'REVIEW', claims = 1 WHERE id = ?", attempt.id);
    const path = `/api/billing-attempts/${attempt.id}/settle`;
    expect((await api(shop.api, "POST", path, { body: { charged: false } })).status).toBe(200);
    await later(worker, 61);
    vi.useRealTimers();
    expect((await attemptsOf(shop, id))[0]).toMatchObject({
      status: "SUCCEEDED",
      trigger: "RECURRING",
      attempt_number: 1,
    });
  });
});

test.each([{ charged: true, store_order_id: "order-1", amount: 12.5 }, { charged: false }])(
  "a dry run answers the same and writes nothing: %j",
  async (body) => {
    const { attemptId } = await underReview();
    const before = await rowsOf(shop.of.account.id);
    const dry = await settle(attemptId, body, { query: { dry_run: true } });
    expect([dry.status, dry.headers.get("Dry-Run")]).toEqual([200, "true"]);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
    const real = await settle(attemptId, body);
    const moment = { settled_at: expect.any(String), updated_at: expect.any(String) };
    expect(real.headers.get("Dry-Run")).toBeNull();
    expect({ ...real.body.data, order_id: null }).toEqual({ ...dry.body.data, ...moment });
  },
);

describe("refused", () => {
  test("an attempt that is not under review: 409 that names its status", async () => {
    const { attemptId } = await underReview();
    await settle(attemptId, { charged: false });
    const again = await settle(attemptId, { charged: false });
    expect(refusal(again)).toEqual([409, "INVALID_STATE"]);
    expect(again.body.error).toBe("The billing attempt is CANCELLED, not under review");
  });

  test("two people at once: one settles it, the other is told", async () => {
    const { id, attemptId } = await underReview();
    const answers = await Promise.all([
      settle(attemptId, charged("order-at-once")),
      settle(attemptId, { charged: false }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [attempt] = await attemptsOf(shop, id);
    expect(answers.find(({ status }) => status === 200)!.body.data.status).toBe(attempt.status);
  });

  test("an unknown attempt: 404; another account's: 404; a customer: 403", async () => {
    const { attemptId } = await underReview();
    expect((await settle(newId(), { charged: false })).status).toBe(404);
    const stranger = await openShop();
    const path = `/api/billing-attempts/${attemptId}/settle`;
    const body = { charged: false };
    expect((await api(stranger.api, "POST", path, { body })).status).toBe(404);
    expect((await api(shop.customer, "POST", path, { body })).status).toBe(403);
  });

  test.each([
    {},
    { charged: true },
    { charged: false, amount: 10 },
    { charged: false, store_order_id: "order-1" },
    { charged: true, store_order_id: "order-1", amount: 10.001 },
    { charged: true, store_order_id: "order-1", amount: -1 },
    { charged: "true", store_order_id: "order-1" },
  ])("400: %j", async (body) => {
    const { attemptId } = await underReview();
    expect(refusal(await settle(attemptId, body))).toEqual([400, "VALIDATION_FAILED"]);
    await settle(attemptId, { charged: false });
  });
});
