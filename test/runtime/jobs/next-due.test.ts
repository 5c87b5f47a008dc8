/** The moment of the next work is told exactly: before it the tick finds nothing, and then it does. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { later } from "../../../src/base/lib/time/dates.ts";
import { nextDueAt } from "../../../src/edges/operator/next-due.ts";
import { execute, testDb } from "../../support/database.ts";
import { tickAt } from "../../support/jobs.ts";
import { attemptOf, put } from "../../support/records.ts";
import { aContract, openShop, type Shop, subscribe } from "../../support/shops.ts";

const now = "2026-11-22T12:00:00.000Z";
const [minute, day] = [60_000, 86_400_000];
let shop: Shop;
let id: string;

/** The only account there is has one subscription, of which nothing will be due. */
beforeAll(async () => {
  shop = await openShop({ timezone: "America/New_York" });
  id = await subscribe(shop);
});
beforeEach(async () => {
  for (const table of ["webhook_deliveries", "billing_attempts", "contract_syncs", "dunning_episodes"])
    await execute(`DELETE FROM ${table}`);
  await execute(
    "UPDATE accounts SET clock_at = NULL, due_busy_until = NULL, payment_reminder_days_before = 3",
  );
  await execute("UPDATE payment_methods SET exp_year = 2099");
  await execute(
    "UPDATE reconciliations SET next_at = '2099-01-01T00:00:00.000Z', next_forecast_at = '2099-01-01T00:00:00.000Z'",
  );
  await execute(
    `UPDATE subscriptions SET store_contract_id = ?, next_billing_date = NULL, next_delivery_date = NULL,
      next_production_date = NULL, billing_retry_at = NULL, created_at = '2026-01-01T00:00:00.000Z'`,
    aContract(),
  );
});

async function next(): Promise<string | undefined> {
  const ms = await nextDueAt(testDb(), new Date(now));
  return ms === undefined || ms > Date.parse("2090-01-01") ? undefined : new Date(ms).toISOString();
}

function dueOn(date: string) {
  return execute("UPDATE subscriptions SET next_billing_date = ?, next_delivery_date = ?", date, date);
}

/** The records that fall due, at which moment, and the kind of job that the tick then sends. */
const cases: [what: string, moment: string, job: string, prepare: (moment: string) => Promise<unknown>][] = [
  [
    "a cycle, when its day begins",
    "2026-11-25T05:00:00.000Z",
    "find_due",
    async () => {
      await dueOn("2026-11-25");
      await execute("UPDATE accounts SET payment_reminder_days_before = NULL");
    },
  ],
  [
    "a reminder, so many days before its date",
    "2026-11-27T05:00:00.000Z",
    "find_due",
    () => dueOn("2026-11-30"),
  ],
  [
    "a card, 30 days before it expires",
    "2026-12-01T05:00:00.000Z",
    "find_due",
    () => execute("UPDATE payment_methods SET exp_year = 2026, exp_month = 12"),
  ],
  [
    "a cycle that waits",
    later(now, 90 * minute),
    "find_due",
    (moment) => execute("UPDATE subscriptions SET billing_retry_at = ?", moment),
  ],
  [
    "the end of what the last look found",
    later(now, 3 * minute),
    "find_due",
    async (moment) => {
      await dueOn("2026-11-20");
      await execute("UPDATE accounts SET due_busy_until = ?", moment);
    },
  ],
  [
    "an attempt",
    later(now, 5 * minute),
    "charge",
    (moment) =>
      put("billing_attempts", [attemptOf(shop.of, id, 1, { status: "QUEUED", next_action_at: moment })]),
  ],
  [
    "a webhook",
    later(now, 2 * minute),
    "webhook",
    (moment) =>
      put("webhook_deliveries", [
        {
          account_id: shop.of.account.id,
          webhook_id: "w",
          topic: "orders/paid",
          subject: "s",
          tries: 1,
          next_action_at: moment,
          received_at: now,
        },
      ]),
  ],
  [
    "a subscription without a contract, a minute after it was made",
    later(now, 30_000),
    "sync_contract",
    (moment) =>
      execute("UPDATE subscriptions SET store_contract_id = NULL, created_at = ?", later(moment, -minute)),
  ],
  [
    "the nightly comparison",
    later(now, day / 2),
    "reconcile",
    (moment) => execute("UPDATE reconciliations SET next_at = ?", moment),
  ],
];

describe("the tick finds nothing before the moment that is told, and finds it then", () => {
  test.each(cases)("%s", async (_, moment, job, prepare) => {
    await prepare(moment);
    expect(await next()).toBe(moment);
    expect(await tickAt(later(moment, -1))).toEqual([]);
    expect(await tickAt(moment)).toContainEqual(expect.objectContaining({ type: job }));
  });
});

test("what is overdue hides nothing that comes", async () => {
  await dueOn("2026-11-20");
  await execute("UPDATE subscriptions SET billing_retry_at = ?", later(now, minute));
  expect(await next()).toBe(later(now, minute));
});

test("nothing falls due by a test clock that stands still", async () => {
  await dueOn("2026-11-25");
  await execute("UPDATE accounts SET clock_at = ?", now);
  expect(await next()).toBeUndefined();
});
