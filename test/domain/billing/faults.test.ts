/** Nothing is charged twice or lost while stores are silent, ticks race and databases are restored. */
import { expect, test, vi } from "vitest";
import { execute, select } from "../../support/database.ts";
import {
  actionsOf,
  deliver,
  done,
  inDays,
  type Json,
  on,
  openShop,
  read,
  rowOf,
} from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  episodesOf,
  later,
  linked,
  openWorker,
  ordersOf,
  setClock,
  shipNow,
  useShop,
} from "../../support/worker.ts";

const { shop, worker } = useShop();

const now = { soon: false };

function dueLater(store_payment_method_id = "pm_success") {
  return linked(shop, worker, { next_delivery_date: inDays(30), store_payment_method_id });
}

function ledgerOf(id: string) {
  return select<{ idempotency_key: string }>(
    `SELECT DISTINCT c.idempotency_key FROM sandbox_charges AS c JOIN billing_attempts AS a
      ON a.store_key = c.idempotency_key WHERE a.subscription_id = ?`,
    id,
  );
}

test("row 15: a store that never answers: REVIEW and an alert, nothing else starts, and an answer still settles it", async () => {
  const id = await dueLater("pm_timeout_not_charged");
  await shipNow(shop, worker, id);
  worker.forget();
  const [attempt] = await attemptsOf(shop, id);
  const lines: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  for (let nth = 0; nth < 21; nth++) {
    await deliver([{ type: "charge", account_id: shop.of.account.id, attempt_id: attempt.id }]);
    await execute(
      "DELETE FROM sandbox_charges WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND state = 'LOST'",
      shop.of.account.id,
    );
  }
  spy.mockRestore();
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "REVIEW", error_code: "store_unreachable" }]);
  expect(lines.map((line) => JSON.parse(line)).filter(({ alert }) => alert)).toMatchObject([
    { event: "billing_review", attempt_id: attempt.id },
  ]);
  expect((await shipNow(shop, worker, id, { delivery_date: inDays(2) })).body.errorCode).toBe(
    "BILLING_IN_PROGRESS",
  );
  expect(await episodesOf(shop, id)).toEqual([]);
  const { store_key } = (
    await select<{ store_key: string }>("SELECT store_key FROM billing_attempts WHERE id = ?", attempt.id)
  )[0] as { store_key: string };
  await execute(
    `INSERT INTO sandbox_charges (account_seq, idempotency_key, state, amount, currency_code, created_at)
      VALUES ((SELECT seq FROM accounts WHERE id = ?), ?, 'SUCCEEDED', 1000, 'USD', '2026-01-01T00:00:00.000Z')`,
    shop.of.account.id,
    store_key,
  );
  await later(worker, 3700);
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED", error_code: null }]);
  vi.useRealTimers();
  expect(await ordersOf(shop, id)).toHaveLength(1);
});

test("row 17: absence is not trusted before the quiet period: no new key until then", async () => {
  const id = await dueLater("pm_timeout_not_charged");
  await shipNow(shop, worker, id);
  await worker.drain(now);
  worker.forget();
  await done(shop.api, "POST", id, "pause");
  await done(shop.api, "POST", id, "resume");
  await execute(
    "UPDATE billing_attempts SET first_sent_at = '2020-01-01T00:00:00.000Z' WHERE subscription_id = ?",
    id,
  );
  for (const minutes of [10, 30, 30]) await later(worker, minutes * 60);
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "PROCESSING" }]);
  await later(worker, 10 * 60);
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "CANCELLED", error_code: "not_charged" }]);
});

test("row 27: a key near the end of its window is sent again only once it is known that the store has not seen it", async () => {
  setClock("2026-03-02T08:00:00.000Z");
  const id = await linked(shop, worker, {
    next_delivery_date: "2026-03-03",
    store_payment_method_id: "pm_timeout_not_charged",
  });
  setClock("2026-03-03T00:00:00.000Z");
  const job = { type: "process_due", account_id: shop.of.account.id, subscription_ids: [id] };
  await deliver([job]);
  const [attempt] = await attemptsOf(shop, id);
  await deliver([{ type: "charge", account_id: shop.of.account.id, attempt_id: attempt.id }]);
  expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "LOST" }]);
  await later(worker, 24 * 3600);
  for (let nth = 0; nth < 4; nth++) await later(worker, 61);
  vi.useRealTimers();
  expect(await attemptsOf(shop, id)).toMatchObject([
    { attempt_number: 1, status: "SUCCEEDED" },
    { attempt_number: 1, status: "CANCELLED", error_code: "not_charged" },
  ]);
  expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
  expect(await ordersOf(shop, id)).toHaveLength(1);
});

test("row 21: cancel and ship-now at once: billed before, or refused; never charged after", async () => {
  for (let nth = 0; nth < 10; nth++) {
    const id = await dueLater();
    const [, shipped] = await Promise.all([
      worker.call(shop.api, "POST", on(id, "cancel")),
      shipNow(shop, worker, id),
    ]);
    expect([200, 409]).toContain(shipped.status);
    await worker.drain();
    expect(await chargesOf(id)).toEqual([]);
    expect(await read(shop, id)).toMatchObject({ status: "CANCELLED", total_revenue: 0 });
  }
});

test("row 22: skip and ship-now at once: one after the other, never both on the same dates", async () => {
  for (let nth = 0; nth < 10; nth++) {
    const id = await dueLater();
    const [skipped, shipped] = await Promise.all([
      worker.call(shop.api, "POST", on(id, "skip"), { body: { skip_weeks: 1 } }),
      shipNow(shop, worker, id),
    ]);
    expect([200, 409]).toContain(skipped.status);
    if (skipped.status === 409)
      expect(["BILLING_IN_PROGRESS", "VERSION_CONFLICT"]).toContain(skipped.body.errorCode);
    expect(shipped.status).toBe(200);
    await worker.drain();
    expect((await read(shop, id)).next_delivery_date).toBe(inDays(7));
  }
});

test("row 23: two ticks at a retry make one attempt", async () => {
  const other = await openShop();
  setClock("2026-03-02T08:00:00.000Z");
  const id = await linked(other, worker, {
    next_delivery_date: "2026-03-02",
    store_payment_method_id: "pm_card_declined",
  });
  await worker.tick();
  setClock("2026-03-03T08:00:00.000Z");
  const ticks = Array.from({ length: 5 }, () => openWorker());
  await Promise.all(ticks.map((one) => one.tick()));
  await Promise.all(ticks.map((one) => one.tick()));
  expect(await attemptsOf(other, id)).toHaveLength(2);
  expect(await episodesOf(other, id)).toMatchObject([{ attempt_count: 2 }]);
});

test("ten new payment methods at once, in dunning, start one attempt at a time and charge once", async () => {
  const other = await openShop();
  const id = await linked(other, worker, { store_payment_method_id: "pm_card_declined" });
  await advance(other, worker, 1 / 24);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, nth) =>
      worker.call(other.api, "PUT", on(id, "payment-method"), {
        body: { store_payment_method_id: `pm_new_${nth}` },
      }),
    ),
  );
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  await worker.drain();
  await worker.tick();
  expect((await chargesOf(id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(1);
  expect(await ordersOf(other, id)).toHaveLength(1);
  expect((await read(other, id)).current_billing_cycle).toBe(2);
});

test("ship-now, retry-payment and another method at once, in dunning: one charge", async () => {
  const other = await openShop();
  const id = await linked(other, worker, { store_payment_method_id: "pm_card_declined" });
  await advance(other, worker, 1 / 24);
  const cron = openWorker();
  await Promise.all([
    shipNow(other, worker, id),
    worker.call(other.api, "POST", on(id, "retry-payment")),
    worker.call(other.api, "PUT", on(id, "payment-method"), {
      body: { store_payment_method_id: "pm_success" },
    }),
    cron.tick(),
  ]);
  await worker.drain();
  await worker.tick();
  expect((await chargesOf(id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(1);
  expect(await read(other, id)).toMatchObject({
    status: "ACTIVE",
    is_in_dunning: false,
    current_billing_cycle: 2,
  });
});

test("row 25: a database restored to before the charge asks under the same key, and gets the charge that was made", async () => {
  const id = await dueLater();
  const before = await rowOf(id);
  await shipNow(shop, worker, id);
  await worker.drain();
  const keys = await ledgerOf(id);
  await execute("DELETE FROM order_subscriptions WHERE subscription_id = ?", id);
  await execute(
    "DELETE FROM orders WHERE billing_attempt_id IN (SELECT id FROM billing_attempts WHERE subscription_id = ?)",
    id,
  );
  await execute("DELETE FROM billing_attempts WHERE subscription_id = ?", id);
  const restored = [
    "current_billing_cycle",
    "next_delivery_date",
    "next_billing_date",
    "anchor_date",
    "next_index",
  ];
  for (const column of [...restored, "next_billed_index", "last_order_id", "total_revenue"])
    await execute(`UPDATE subscriptions SET ${column} = ? WHERE id = ?`, (before as Json)[column], id);
  await shipNow(shop, worker, id);
  await worker.drain();
  expect(await ledgerOf(id)).toEqual(keys);
  expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
  expect(await ordersOf(shop, id)).toHaveLength(1);
  expect(await actionsOf(id)).toHaveLength(6);
});
