/** The search for accounts with something due finds all of them, and reads few rows. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Account } from "../../../src/base/accounts/tables.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { findAccountsDue } from "../../../src/domain/billing/due/due.ts";
import type { Subscription } from "../../../src/domain/subscriptions/tables.ts";
import { execute, select, testDb } from "../../support/database.ts";
import { profileOf, put, seeded, subscriptionOf } from "../../support/records.ts";
import type { Tenant } from "../../support/tenant.ts";

const now = "2026-11-22T10:30:00.000Z";

async function search() {
  const db = testDb();
  const alerts: string[] = [];
  const jobs = await findAccountsDue(db, now, (_, fields) => void alerts.push(String(fields?.account_id)));
  const due = jobs.map((job) => (job.type === "find_due" ? `${job.kind} ${job.account_id}` : job.type));
  return { due: due.toSorted(), alerts: alerts.toSorted(), rows_read: db.usage.rows_read };
}

describe("the accounts that have something due", () => {
  type Generated = {
    account: Partial<Account>;
    isDisconnected: boolean;
    subscriptions: Partial<Subscription>[];
    episodesDueAt: (string | null)[];
  };

  const zone = fc.constantFrom(
    ...["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York", "Asia/Kathmandu"],
    ...["Australia/Lord_Howe", "Mars/Olympus", ""],
  );
  /** Before, on and after each of the days that the zones have now. */
  const day = fc.constantFrom(
    ...["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26"],
  );
  const instant = fc.constantFrom(
    ...["2026-11-20T09:00:00.000Z", "2026-11-22T10:29:59.999Z", now],
    ...["2026-11-22T10:30:00.001Z", "2026-11-24T09:00:00.000Z"],
  );
  const clock = fc.oneof(
    { weight: 4, arbitrary: fc.constant({ clock_at: null, clock_target: null }) },
    { weight: 3, arbitrary: fc.record({ clock_at: instant, clock_target: fc.constant(null) }) },
    { weight: 1, arbitrary: fc.record({ clock_at: instant, clock_target: instant }) },
    { weight: 1, arbitrary: fc.constant({ clock_at: "tomorrow", clock_target: null }) },
  );
  const steps = ["draining", "copying", "deleting", "importing"];
  const account = fc
    .record({
      timezone: zone,
      clock,
      engine: fc.constantFrom("d1" as const, "d1" as const, "d1" as const, "object" as const),
      moving: seldom(fc.constantFrom(...steps).map((step) => JSON.stringify({ step, since: now }))),
      due_busy_until: seldom(instant),
      payment_reminder_days_before: fc.option(fc.integer({ min: 0, max: 4 })),
    })
    .map(({ clock, ...rest }) => ({ ...rest, ...clock }));
  const subscription = fc.record({
    status: fc.constantFrom("ACTIVE" as const, "ACTIVE" as const, "PAUSED" as const, "CANCELLED" as const),
    next_billing_date: fc.option(day),
    pause_until: fc.option(day),
    last_payment_reminder_billing_date: fc.option(day),
    billing_retry_at: seldom(instant),
  });
  const generated = fc.record({
    account,
    isDisconnected: fc.nat(4).map((nth) => nth === 0),
    subscriptions: fc.array(subscription, { maxLength: 2 }),
    episodesDueAt: fc.array(fc.option(instant), { maxLength: 1 }),
  });

  test("are those that a look at each row of each account finds, whatever their zones and clocks", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(generated, { minLength: 20, maxLength: 30 }), async (accounts) => {
        await insert(accounts);
        const expected = await lookAtEach();
        expect(expected.due.length).toBeGreaterThan(0);
        expect(await search()).toMatchObject(expected);
      }),
      seeded(12),
    );
  });

  function seldom<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
    return fc.tuple(fc.nat(3), value).map(([nth, one]) => (nth === 0 ? one : null));
  }

  async function insert(all: Generated[]): Promise<void> {
    const tenants = await openAccounts(all.length);
    for (const [nth, { account, isDisconnected, subscriptions, episodesDueAt }] of all.entries()) {
      const of = tenants[nth]!;
      const { id, seq: account_seq } = of.account;
      const profile = profileOf(of);
      await put("profiles", [profile]);
      const rows = subscriptions.map((values) =>
        subscriptionOf(of, profile.id, { store_contract_id: null, ...values }),
      );
      for (const [index, row] of rows.entries()) row.store_contract_id = index + 1;
      await put("subscriptions", rows);
      const [first] = rows;
      if (first)
        await put(
          "dunning_episodes",
          episodesDueAt.map((due_at) => ({
            ...{ id: newId(), account_seq, subscription_id: first.id, cycle: 1, status: "OPEN" },
            ...{ attempt_count: 1, retry_days: "[1]", opened_at: now, due_at },
          })),
        );
      if (isDisconnected)
        await put("shopify_connections", [
          {
            ...{ account_seq, credentials: "", shop: of.account.shop },
            ...{ created_at: now, updated_at: now, disconnected_at: now },
          },
        ]);
      const columns = Object.keys(account);
      await execute(
        `UPDATE accounts SET ${columns.map((column) => `${column} = ?`)} WHERE id = ?`,
        ...(Object.values(account) as (string | number | null)[]),
        id,
      );
    }
  }

  type Dates = Record<"due_on" | "remind_of" | "billing_retry_at", string | null> & { account_seq: number };

  /** The definition: each account by itself, at its own time, and each of its rows. */
  async function lookAtEach(): Promise<{ due: string[]; alerts: string[] }> {
    const dates = await select<Dates>(
      "SELECT account_seq, due_on, remind_of, billing_retry_at FROM subscriptions",
    );
    const episodes = await select<{ account_seq: number; due_at: string | null }>(
      "SELECT account_seq, due_at FROM dunning_episodes",
    );
    const disconnected = await select<{ account_seq: number }>(
      "SELECT account_seq FROM shopify_connections WHERE disconnected_at IS NOT NULL",
    );
    const due: string[] = [];
    const alerts: string[] = [];
    for (const account of await select<Account>("SELECT * FROM accounts")) {
      const { id, seq, timezone, clock_at, payment_reminder_days_before: days } = account;
      if (account.engine !== "d1" || account.clock_target !== null) continue;
      const ownNow = clock_at ?? now;
      const today = dayIn(timezone, ownNow);
      if (today === undefined) alerts.push(id);
      if (today === undefined || isBusyOrClosed(account)) continue;
      if (disconnected.some(({ account_seq }) => account_seq === seq)) continue;
      const its = dates.filter(({ account_seq }) => account_seq === seq);
      const last = new Date(Date.parse(today) + (days ?? 0) * 86_400_000).toISOString().slice(0, 10);
      const has = {
        schedule: its.some(({ due_on }) => due_on !== null && due_on <= today),
        dunning: episodes.some(
          ({ account_seq, due_at }) => account_seq === seq && due_at && due_at <= ownNow,
        ),
        waiting: its.some(({ billing_retry_at: at }) => at !== null && at <= ownNow),
        reminder: days !== null && its.some(({ remind_of: of }) => of !== null && of > today && of <= last),
      };
      for (const [kind, isDue] of Object.entries(has)) if (isDue) due.push(`${kind} ${id}`);
    }
    return { due: due.toSorted(), alerts: alerts.toSorted() };
  }

  function dayIn(timeZone: string, at: string): string | undefined {
    try {
      return new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" }).format(new Date(at));
    } catch {
      return undefined;
    }
  }

  function isBusyOrClosed({ moving, due_busy_until }: Account): boolean {
    const { step } = JSON.parse(moving ?? "{}");
    return step === "deleting" || step === "importing" || (due_busy_until !== null && due_busy_until > now);
  }
});

describe("the rows that the search for due accounts reads", () => {
  const paris = { timezone: "Europe/Paris" };
  const further = Intl.supportedValuesOf("timeZone").filter((name) => name.startsWith("Africa/"));

  /** Accounts that are there already, of which nothing changes. */
  beforeAll(async () => {
    await openAccounts(50, paris);
  });

  test.each<[string, number, () => Promise<unknown>]>([
    [
      "eight for an account: its own, a look for each kind, and three for reminders",
      100 * 8,
      () => openAccounts(100, paris),
    ],
    ["four more for a zone", 40 * 12, () => openEach(further.slice(0, 40).map((timezone) => ({ timezone })))],
    [
      "two more for an account with a test clock",
      30 * 10,
      () => openAccounts(30, { ...paris, clock_at: "2026-11-20T09:00:00.000Z" }),
    ],
    ["none for an account with an object", 0, () => openAccounts(30, { ...paris, engine: "object" })],
  ])("are %s", async (_, rows, act) => {
    const before = (await search()).rows_read;
    await act();
    expect((await search()).rows_read - before).toBe(rows);
  });
});

function openEach(each: Partial<Account>[]): Promise<unknown> {
  return Promise.all(each.map((values) => openAccounts(1, values)));
}

/** Accounts as they are created, with no records. */
async function openAccounts(count: number, values: Partial<Account> = {}): Promise<Tenant[]> {
  const rows = Array.from({ length: count }, () => {
    const id = newId();
    return {
      ...{ id, name: id, shop: `shop-${id}.myshopify.com`, timezone: "UTC", currency_code: "USD" },
      ...{ created_at: now, updated_at: now },
      ...values,
    };
  });
  await put("accounts", rows);
  const made = new Map((await select<Account>("SELECT * FROM accounts")).map((row) => [row.id, row]));
  return rows.map(({ id }) => ({ account: made.get(id)!, credentials: {}, key: "", keyId: "" }));
}
