import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { execute, select } from "../support/database.ts";
import {
  actionsOf,
  deliver,
  done,
  inDays,
  type Json,
  type Life,
  life,
  on,
  read,
  rowOf,
} from "../support/lives.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  episodesOf,
  later,
  linked,
  type Machine,
  machine,
  ordersOf,
  setClock,
  shipNow,
} from "../support/machine.ts";

let own: Life;
let works: Machine;
beforeAll(async () => {
  own = await life();
  works = machine();
});
afterEach(() => {
  vi.useRealTimers();
});

const now = { soon: false };
const dueLater = (store_payment_method_id = "pm_success") =>
  linked(own, works, { next_delivery_date: inDays(30), store_payment_method_id });
const ledgerOf = (id: string) =>
  select<{ idempotency_key: string }>(
    `SELECT DISTINCT c.idempotency_key FROM sandbox_charges AS c JOIN billing_attempts AS a
      ON a.store_key = c.idempotency_key WHERE a.subscription_id = ?`,
    id,
  );

test("row 15: a store that is silent on end: REVIEW and an alert, nothing else starts, and an answer still settles it", async () => {
  const id = await dueLater("pm_timeout_not_charged");
  await shipNow(own, works, id);
  works.forget();
  const [attempt] = await attemptsOf(own, id);
  const lines: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  for (let nth = 0; nth < 21; nth++) {
    await deliver([{ type: "charge", account_id: own.of.account.id, attempt_id: attempt.id }]);
    await execute("DELETE FROM sandbox_charges WHERE account_id = ? AND state = 'LOST'", own.of.account.id);
  }
  spy.mockRestore();
  expect(await attemptsOf(own, id)).toMatchObject([{ status: "REVIEW", error_code: "store_unreachable" }]);
  expect(lines.map((line) => JSON.parse(line)).filter(({ alert }) => alert)).toMatchObject([
    { event: "billing_review", attempt_id: attempt.id },
  ]);
  expect((await shipNow(own, works, id, { delivery_date: inDays(2) })).body.errorCode).toBe(
    "BILLING_IN_PROGRESS",
  );
  expect(await episodesOf(own, id)).toEqual([]);
  const { store_key } = (
    await select<{ store_key: string }>("SELECT store_key FROM billing_attempts WHERE id = ?", attempt.id)
  )[0] as { store_key: string };
  await execute(
    `INSERT INTO sandbox_charges (account_id, idempotency_key, state, amount, currency_code, created_at)
      VALUES (?, ?, 'SUCCEEDED', 1000, 'USD', '2026-01-01T00:00:00.000Z')`,
    own.of.account.id,
    store_key,
  );
  await later(works, 3700);
  expect(await attemptsOf(own, id)).toMatchObject([{ status: "SUCCEEDED", error_code: null }]);
  vi.useRealTimers();
  expect(await ordersOf(own, id)).toHaveLength(1);
});

test("row 17: absence is not trusted before the quiet period: no new key until then", async () => {
  const id = await dueLater("pm_timeout_not_charged");
  await shipNow(own, works, id);
  await works.drain(now);
  works.forget();
  await done(own.api, "POST", id, "pause");
  await done(own.api, "POST", id, "resume");
  await execute(
    "UPDATE billing_attempts SET first_sent_at = '2020-01-01T00:00:00.000Z' WHERE subscription_id = ?",
    id,
  );
  for (const minutes of [10, 30, 30]) await later(works, minutes * 60);
  expect(await attemptsOf(own, id)).toMatchObject([{ status: "PROCESSING" }]);
  await later(works, 10 * 60);
  expect(await attemptsOf(own, id)).toMatchObject([{ status: "CANCELLED", error_code: "not_charged" }]);
});

test("row 27: a key near the end of its window is sent again only once it is known that the store has not seen it", async () => {
  setClock("2026-03-02T08:00:00.000Z");
  const id = await linked(own, works, {
    next_delivery_date: "2026-03-03",
    store_payment_method_id: "pm_timeout_not_charged",
  });
  setClock("2026-03-03T00:00:00.000Z");
  const job = { type: "process_due", account_id: own.of.account.id, subscription_ids: [id] };
  await deliver([job]);
  const [attempt] = await attemptsOf(own, id);
  await deliver([{ type: "charge", account_id: own.of.account.id, attempt_id: attempt.id }]);
  expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "LOST" }]);
  await later(works, 24 * 3600);
  for (let nth = 0; nth < 4; nth++) await later(works, 61);
  vi.useRealTimers();
  expect(await attemptsOf(own, id)).toMatchObject([
    { attempt_number: 1, status: "SUCCEEDED" },
    { attempt_number: 1, status: "CANCELLED", error_code: "not_charged" },
  ]);
  expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
  expect(await ordersOf(own, id)).toHaveLength(1);
});

test("row 21: cancel and ship-now at once: billed before, or refused; never charged after", async () => {
  for (let nth = 0; nth < 10; nth++) {
    const id = await dueLater();
    const [, shipped] = await Promise.all([
      works.call(own.api, "POST", on(id, "cancel")),
      shipNow(own, works, id),
    ]);
    expect([200, 409]).toContain(shipped.status);
    await works.drain();
    expect(await chargesOf(id)).toEqual([]);
    expect(await read(own, id)).toMatchObject({ status: "CANCELLED", total_revenue: 0 });
  }
});

test("row 22: skip and ship-now at once: one after the other, never both on the same dates", async () => {
  for (let nth = 0; nth < 10; nth++) {
    const id = await dueLater();
    const [skipped, shipped] = await Promise.all([
      works.call(own.api, "POST", on(id, "skip"), { body: { skip_weeks: 1 } }),
      shipNow(own, works, id),
    ]);
    expect([200, 409]).toContain(skipped.status);
    if (skipped.status === 409)
      expect(["BILLING_IN_PROGRESS", "VERSION_CONFLICT"]).toContain(skipped.body.errorCode);
    expect(shipped.status).toBe(200);
    await works.drain();
    expect((await read(own, id)).next_delivery_date).toBe(inDays(7));
  }
});

test("row 23: two ticks at a retry make one attempt", async () => {
  const of = await life();
  setClock("2026-03-02T08:00:00.000Z");
  const id = await linked(of, works, {
    next_delivery_date: "2026-03-02",
    store_payment_method_id: "pm_card_declined",
  });
  await works.tick();
  setClock("2026-03-03T08:00:00.000Z");
  const ticks = Array.from({ length: 5 }, () => machine());
  await Promise.all(ticks.map((one) => one.tick()));
  await Promise.all(ticks.map((one) => one.tick()));
  expect(await attemptsOf(of, id)).toHaveLength(2);
  expect(await episodesOf(of, id)).toMatchObject([{ attempt_count: 2 }]);
});

test("ten new payment methods at once, in dunning, start one attempt at a time and charge once", async () => {
  const of = await life();
  const id = await linked(of, works, { store_payment_method_id: "pm_card_declined" });
  await advance(of, works, 1 / 24);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, nth) =>
      works.call(of.api, "PUT", on(id, "payment-method"), {
        body: { store_payment_method_id: `pm_new_${nth}` },
      }),
    ),
  );
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  await works.drain();
  await works.tick();
  expect((await chargesOf(id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(1);
  expect(await ordersOf(of, id)).toHaveLength(1);
  expect((await read(of, id)).current_billing_cycle).toBe(2);
});

test("ship-now, retry-payment and another method at once, in dunning: one charge", async () => {
  const of = await life();
  const id = await linked(of, works, { store_payment_method_id: "pm_card_declined" });
  await advance(of, works, 1 / 24);
  const other = machine();
  await Promise.all([
    shipNow(of, works, id),
    works.call(of.api, "POST", on(id, "retry-payment")),
    works.call(of.api, "PUT", on(id, "payment-method"), { body: { store_payment_method_id: "pm_success" } }),
    other.tick(),
  ]);
  await works.drain();
  await works.tick();
  expect((await chargesOf(id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(1);
  expect(await read(of, id)).toMatchObject({
    status: "ACTIVE",
    is_in_dunning: false,
    current_billing_cycle: 2,
  });
});

test("row 25: a database restored to before the charge asks under the same key, and is told what was charged", async () => {
  const id = await dueLater();
  const before = await rowOf(id);
  await shipNow(own, works, id);
  await works.drain();
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
  await shipNow(own, works, id);
  await works.drain();
  expect(await ledgerOf(id)).toEqual(keys);
  expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
  expect(await ordersOf(own, id)).toHaveLength(1);
  expect(await actionsOf(id)).toHaveLength(6);
});
