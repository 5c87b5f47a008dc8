/** A payment whose outcome stays open for a day or twenty claims is put under review, and blocks what would charge anew. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { chargeLater } from "../../../src/domain/billing/actions/wait.ts";
import type { BillingAttempt } from "../../../src/domain/billing/tables.ts";
import { api } from "../../support/client.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, select, testDb } from "../../support/database.ts";
import {
  actionsOf,
  deliver,
  done,
  entriesOf,
  feedOf,
  inDays,
  type Json,
  on,
  openShop,
  read,
  type Shop,
} from "../../support/shops.ts";
import { attemptsOf, later, linked, ordersOf, setClock, shipNow, useWorker } from "../../support/worker.ts";

const worker = useWorker();
let shop: Shop;
let alerts: string[];
beforeEach(async () => {
  shop = await openShop();
  worker.forget();
  alerts = [];
  vi.spyOn(console, "log").mockImplementation((line) => {
    const { event, alert } = JSON.parse(String(line));
    if (alert) alerts.push(event);
  });
});
afterEach(async () => {
  await execute("DROP TRIGGER IF EXISTS never_settles");
  await execute("DROP TRIGGER IF EXISTS no_orders");
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function shipped(store_payment_method_id: string): Promise<{ id: string; attemptId: string }> {
  const id = await linked(shop, worker, { next_delivery_date: inDays(30), store_payment_method_id });
  const attemptId: string = (await shipNow(shop, worker, id)).body.billing_attempt_id;
  worker.forget();
  return { id, attemptId };
}

function claim(attempt_id: string) {
  return deliver([{ type: "charge", account_id: shop.of.account.id, attempt_id }]);
}

/** The store never decides: whatever is asked, the payment is pending still. */
function stillPending(attemptId: string) {
  return execute(
    `UPDATE sandbox_charges SET state = 'PENDING' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND idempotency_key =
      (SELECT store_key FROM billing_attempts WHERE id = ?)`,
    shop.of.account.id,
    attemptId,
  );
}

const neverSettles = `CREATE TRIGGER never_settles AFTER UPDATE OF state ON sandbox_charges
  WHEN NEW.state = 'SUCCEEDED' BEGIN UPDATE sandbox_charges SET state = 'PENDING'
    WHERE account_seq = NEW.account_seq AND idempotency_key = NEW.idempotency_key; END`;

async function toldOf(id: string, attemptId: string, error_code: string): Promise<void> {
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "REVIEW", error_code }]);
  expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", billing_blocked_reason: error_code });
  expect((await actionsOf(id)).filter((action) => action === "billing_review_required")).toHaveLength(1);
  expect((await entriesOf(id)).at(-1)).toMatchObject({
    action: "billing_review_required",
    actor_type: "system",
    metadata: { billing_attempt_id: attemptId, cycle: 1, attempt_number: 1, error_code },
  });
  expect((await feedOf(shop, id))[0]).toMatchObject({ action: "billing_review_required" });
  expect(alerts).toEqual(["billing_review"]);
}

test("a payment that the store calls pending for ever is under review after twenty claims, and says so", async () => {
  await execute(neverSettles);
  const { id, attemptId } = await shipped("pm_pending");
  for (let nth = 0; nth < 19; nth++) await claim(attemptId);
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "PROCESSING" }]);
  await claim(attemptId);
  await toldOf(id, attemptId, "still_pending");
  await execute("DROP TRIGGER never_settles");
  await later(worker, 3700);
  vi.useRealTimers();
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED", error_code: null }]);
  expect(await read(shop, id)).toMatchObject({ billing_blocked_reason: null, current_billing_cycle: 2 });
});

test("an outcome that is open for a day is under review, however seldom it was asked for", async () => {
  await execute(neverSettles);
  setClock("2026-03-02T08:00:00.000Z");
  const id = await linked(shop, worker, {
    next_delivery_date: "2026-03-20",
    store_payment_method_id: "pm_pending",
  });
  const attemptId: string = (await shipNow(shop, worker, id)).body.billing_attempt_id;
  worker.forget();
  await claim(attemptId);
  setClock("2026-03-03T07:59:59.000Z");
  await claim(attemptId);
  expect(await select("SELECT status FROM billing_attempts WHERE id = ?", attemptId)).toEqual([
    { status: "PROCESSING" },
  ]);
  setClock("2026-03-03T08:01:00.000Z");
  await claim(attemptId);
  vi.useRealTimers();
  await toldOf(id, attemptId, "still_pending");
});

test("a charge that was made and cannot be recorded is under review after twenty claims", async () => {
  await execute(
    `CREATE TRIGGER no_orders BEFORE INSERT ON orders BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`,
  );
  const { id, attemptId } = await shipped("pm_success");
  const again = async () => {
    await claim(attemptId);
    await execute("UPDATE billing_attempts SET lease_until = NULL WHERE id = ?", attemptId);
  };
  for (let nth = 0; nth < 20; nth++) await again();
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "PROCESSING" }]);
  expect(alerts).toEqual([]);
  await again();
  await toldOf(id, attemptId, "not_recorded");
  await execute("DROP TRIGGER no_orders");
  await later(worker, 3700);
  vi.useRealTimers();
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(await ordersOf(shop, id)).toHaveLength(1);
});

test("under review the store is asked every hour and not more often, whatever comes of it", async () => {
  await execute(neverSettles);
  const { attemptId } = await shipped("pm_pending");
  for (let nth = 0; nth < 20; nth++) await claim(attemptId);
  const claims = async () =>
    (await select<{ claims: number }>("SELECT claims FROM billing_attempts WHERE id = ?", attemptId))[0]!
      .claims;
  const before = await claims();
  for (let minutes = 0; minutes < 120; minutes += 10) await later(worker, 600);
  vi.useRealTimers();
  expect((await claims()) - before).toBeLessThanOrEqual(2);
  expect(alerts).toEqual(["billing_review"]);
});

test("another currency is reported once, however often the store is asked about it", async () => {
  const { id, attemptId } = await shipped("pm_pending");
  await claim(attemptId);
  await execute(
    `UPDATE sandbox_charges SET currency_code = 'JPY' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND idempotency_key =
      (SELECT store_key FROM billing_attempts WHERE id = ?)`,
    shop.of.account.id,
    attemptId,
  );
  for (let hours = 0; hours < 4; hours++) await later(worker, 3700);
  vi.useRealTimers();
  await toldOf(id, attemptId, "currency_mismatch");
});

test("a store that is busy does not hide that people have to look", async () => {
  await execute(neverSettles);
  const { id, attemptId } = await shipped("pm_pending");
  for (let nth = 0; nth < 20; nth++) await claim(attemptId);
  const [attempt] = await select<BillingAttempt>("SELECT * FROM billing_attempts WHERE id = ?", attemptId);
  const now = new Date(Date.now() + 2 * 3_600_000).toISOString();
  await chargeLater(ctxOn(testDb(), shop.of.account, { now, realNow: now }), attempt!, {
    outcome: "throttled",
    seconds: 30,
  });
  await toldOf(id, attemptId, "still_pending");
});

test("a challenge that waits for its customer is no open outcome: it is not put under review", async () => {
  const { id, attemptId } = await shipped("pm_requires_action");
  for (let nth = 0; nth < 30; nth++) await claim(attemptId);
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "ACTION_REQUIRED" }]);
  await stillPending(attemptId);
  expect(alerts).toEqual([]);
});

describe("while an attempt is under review, its subscription", () => {
  const cancelled = async () => {
    await execute(neverSettles);
    const { id, attemptId } = await shipped("pm_pending");
    for (let nth = 0; nth < 20; nth++) await claim(attemptId);
    await done(shop.api, "POST", id, "cancel");
    return { id, attemptId };
  };
  const settle = (attemptId: string, body: object) =>
    api(shop.api, "POST", `/api/billing-attempts/${attemptId}/settle`, { body });

  test("is not reactivated, which says why; once the review is settled, it is, and billed", async () => {
    const { id, attemptId } = await cancelled();
    expect(await read(shop, id)).toMatchObject({
      status: "CANCELLED",
      can_reactivate: false,
      billing_blocked_reason: "still_pending",
    });
    for (const dry_run of [true, false]) {
      const refused = await api<Json>(shop.api, "POST", on(id, "reactivate"), { query: { dry_run } });
      expect([refused.status, refused.body.errorCode, refused.body.error]).toEqual([
        409,
        "INVALID_STATE",
        "Cannot reactivate: the subscription is CANCELLED, and its last billing attempt is under review",
      ]);
    }
    expect((await settle(attemptId, { charged: false })).status).toBe(200);
    expect(await read(shop, id)).toMatchObject({ can_reactivate: true, billing_blocked_reason: null });
    await execute("DROP TRIGGER never_settles");
    await done(shop.api, "POST", id, "reactivate");
    await shipNow(shop, worker, id);
    await worker.drain();
    expect((await attemptsOf(shop, id))[0]).toMatchObject({ status: "SUCCEEDED", cycle: 1 });
  });

  test("shows why to the end, also where it waited for the merchant before, and is paused", async () => {
    await execute(neverSettles);
    const { id, attemptId } = await shipped("pm_pending");
    await execute("UPDATE subscriptions SET billing_waiting_since = created_at WHERE id = ?", id);
    for (let nth = 0; nth < 20; nth++) await claim(attemptId);
    expect(await done(shop.api, "POST", id, "pause")).toMatchObject({
      billing_blocked_reason: "still_pending",
    });
    await settle(attemptId, { charged: true, store_order_id: "order-found" });
    expect(await read(shop, id)).toMatchObject({ status: "PAUSED", billing_blocked_reason: null });
  });
});
