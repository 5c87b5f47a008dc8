import { beforeAll, expect, test } from "vitest";
import type { Job } from "../../src/base/job.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { placesInBlock } from "../../src/kit/journal/tables.ts";
import { execute } from "./database.ts";
import { scansOf } from "./plans.ts";
import {
  dayOf,
  entityOf,
  linkOf,
  logOf,
  orderOf,
  profileOf,
  put,
  slotOf,
  subscriptionOf,
} from "./records.ts";
import { deliver } from "./shops.ts";
import { measured, type Read } from "./slow-database.ts";
import type { Tenant } from "./tenant.ts";
import type { TestWorker } from "./worker.ts";

/**
 * Fills every table that belongs to an account with rows of customers whom no test is about: nothing of theirs is due,
 * open or to be told. So many customers, each with one row in each table.
 */
export async function grow(of: Tenant, customers: number): Promise<void> {
  const account_id = of.account.id;
  const day = dayOf(of);
  const slot = slotOf(of, day.id);
  await put("delivery_days", [{ ...day, is_active: 0 }]);
  await put("delivery_slots", [slot]);
  const all = range(last, last + customers).map((nth) => {
    const profile = profileOf(of, {
      ...stamps,
      store_customer_id: String(firstNumber + nth),
    });
    const method = newId();
    const order = orderOf(of, {
      profile_id: profile.id,
      has_subscription: 1,
      order_created_at: at,
      tracking_number: `T${nth}`,
    });
    const entity = entityOf(of, profile.id);
    const plan = `plan-of-${nth}`;
    const subscription = subscriptionOf(of, profile.id, {
      number: -1 - nth,
      store_contract_id: firstNumber + nth,
      payment_method_id: method,
      entity_id: entity.id,
      delivery_slot_id: slot.id,
      last_order_id: order.id,
      next_billing_date: farOff,
      next_delivery_date: farOff,
      lines: JSON.stringify([{ selling_plan_id: plan }]),
      activation: 1,
    });
    return { nth, profile, method, order, entity, plan, subscription, attempt: newId() };
  });
  last += customers;
  const each = <T>(row: (one: (typeof all)[number]) => T): T[] => all.map(row);

  await put(
    "profiles",
    each(({ profile }) => profile),
  );
  await put(
    "delivery_addresses",
    each(({ profile }) => ({
      ...{ id: newId(), account_id, profile_id: profile.id, ...stamps },
      ...{
        address1: "1 High Street",
        city: "London",
        zip: "N1",
        country: "United Kingdom",
        country_code: "GB",
      },
    })),
  );
  await put(
    "payment_methods",
    each(({ profile, method, nth }) => ({
      ...{
        id: method,
        account_id,
        profile_id: profile.id,
        store_payment_method_id: `pm-of-${nth}`,
        ...stamps,
      },
      ...{ is_default: 1, status: "VALID" },
    })),
  );
  await put(
    "entities",
    each(({ entity }) => entity),
  );
  await put(
    "selling_plans",
    each(({ plan, nth }) => ({
      ...{ id: plan, account_id, name: "Weekly", store_group_id: `group-of-${nth}`, ...stamps },
      ...{
        billing_interval: "WEEK",
        billing_interval_count: 1,
        delivery_interval: "WEEK",
        delivery_interval_count: 1,
        shipping_amount: 0,
        is_active: 1,
      },
    })),
  );
  await put(
    "orders",
    each(({ order, attempt }) => ({ ...order, billing_attempt_id: attempt })),
  );
  await put(
    "subscriptions",
    each(({ subscription }) => subscription),
  );
  await put(
    "order_subscriptions",
    each(({ order, subscription }) => linkOf(of, order.id, subscription.id)),
  );
  await put(
    "subscription_skips",
    each(({ subscription }) => ({
      ...{
        id: newId(),
        account_id,
        subscription_id: subscription.id,
        cycle: 1,
        skip_weeks: 1,
        schedule_revision: 1,
      },
      ...{ previous_index: 0, previous_anchor_date: "2026-01-01", created_at: at },
    })),
  );
  await put(
    "billing_attempts",
    each(({ subscription, order, attempt }) => ({
      ...{
        id: attempt,
        account_id,
        subscription_id: subscription.id,
        activation: 1,
        cycle: 1,
        attempt_number: 1,
      },
      ...{
        origin: "RECURRING",
        status: "SUCCEEDED",
        store_key: attempt,
        amount: 1000,
        currency_code: "USD",
        snapshot: "{}",
      },
      ...{ claims: 1, unanswered: 0, requested_at: at, settled_at: at, order_id: order.id, ...stamps },
    })),
  );
  await put(
    "dunning_episodes",
    each(({ subscription }) => ({
      ...{ id: newId(), account_id, subscription_id: subscription.id, cycle: 1, status: "RECOVERED" },
      ...{ attempt_count: 1, retry_days: "[1]", opened_at: at, closed_at: at },
    })),
  );
  await put(
    "activity_logs",
    each(({ profile, order, subscription }) =>
      logOf(of, {
        ...{ action: "billing_succeeded", loggable_type: "subscription", loggable_id: subscription.id },
        ...{ subscription_id: subscription.id, order_id: order.id, profile_id: profile.id, created_at: at },
      }),
    ),
  );
  await put(
    "own_contracts",
    each(({ subscription }) => ({
      account_id,
      subscription_id: subscription.id,
      created_at: at,
    })),
  );
  await put(
    "sandbox_charges",
    each(({ attempt }) => ({
      ...{
        account_id,
        idempotency_key: attempt,
        state: "SUCCEEDED",
        amount: 1000,
        currency_code: "USD",
        created_at: at,
      },
    })),
  );
  await execute(
    "UPDATE contract_syncs SET next_action_at = NULL, agreed_status = 'ACTIVE' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND subscription_id IN (SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND number < 0)",
    account_id,
    account_id,
  );
  await put(
    "shopify_contracts",
    each(({ subscription }) => ({ account_id, subscription_id: subscription.id, lease_until: at })),
  );
  const now = new Date().toISOString();
  await put(
    "webhook_deliveries",
    each(({ nth }) => ({
      ...{
        account_id,
        webhook_id: `webhook-of-${nth}`,
        topic: "orders/updated",
        subject: `gid://shopify/Order/${nth}`,
      },
      ...{ tries: 1, received_at: now, done_at: now },
    })),
  );
  const endpoint_id = newId();
  await put("webhook_endpoints", [
    {
      ...{
        id: endpoint_id,
        account_id,
        url: "https://hooks.example.com/",
        event_types: '["*"]',
        payload: "full",
      },
      ...{ is_enabled: 0, disabled_reason: "by_hand", secret: "", ...stamps },
    },
  ]);
  await put(
    "event_deliveries",
    each(() => ({
      ...{ account_id, endpoint_id, event_id: newId(), event_type: "order.placed", sequence: 1 },
      ...{ status: "DELIVERED", attempt_count: 1, created_at: now, delivered_at: now },
    })),
  );
  await put(
    "idempotency_keys",
    each(({ nth }) => ({
      ...{
        account_id,
        caller: "key:1",
        method: "POST",
        path: "/api/profiles",
        key: `key-of-${nth}`,
        request_hash: "",
      },
      ...{
        token: newId(),
        state: "DONE",
        status: 200,
        headers: "{}",
        body: "{}",
        created_at: now,
      },
    })),
  );
}

/** The reads of the database that the consumer makes to do these jobs. */
export async function readsOfJobs({ bindings }: TestWorker, jobs: Job[]): Promise<Read[]> {
  const { DB, reads } = measured();
  const { acked } = await deliver(jobs, { bindings: { ...bindings, DB } });
  expect(jobs.length, "jobs to do").toBeGreaterThan(0);
  expect(acked, "jobs that were done").toHaveLength(jobs.length);
  return reads;
}

/** A test for each case that what it reads does not grow with the account. `after` is done after each case. */
export function doesNotGrow(cases: Case[], open: () => Promise<Tenant>, after: () => Promise<unknown>) {
  const figures = new Map<string, Read[][]>(cases.map(({ title }) => [title, []]));
  beforeAll(async () => {
    const of = await open();
    let size = 0;
    for (const next of sizes) {
      await grow(of, next - size);
      size = next;
      for (const { title, read } of cases) {
        figures.get(title)?.push(await read());
        await after();
      }
    }
  }, 120_000);
  test.each(cases.map(({ title, most = 100 }) => [title, most] as const))("%s", (title, most) =>
    expectBounded(figures.get(title) ?? [], most),
  );
  test("no statement scans a tenant's table, nor all rows of an account", async () => {
    const statements = [...figures.values()].flat(2).map(({ sql }) => sql);
    expect(await scansOf(new Set(statements))).toEqual([]);
  });
}

const at = "2026-01-01T00:00:00.000Z";
const stamps = { created_at: at, updated_at: at };
/** Farther off than any test looks. */
const farOff = "2036-01-01";

let last = 0;
/** Numbers of contracts and of subscriptions, which no record that a test makes will have. */
const firstNumber = 5_000_000;

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** Something whose reads are counted, done once at each size of the account; 100 rows at most unless told. */
export type Case = { title: string; read: () => Promise<Read[]>; most?: number };

/** So many customers, each with one record of each kind. */
const sizes = [300, 3_000] as const;
/** By how much more is read in the larger account: pages of indexes, and merges of the search's. */
const slack = 6;
/** An entry that counts a block of the stream reads that block, groups its rows and merges them, in an account of either size. */
const countingBlock = 2.5 * placesInBlock;

function sum(reads: Read[]): number {
  return reads.reduce((total, { rows }) => total + rows, 0);
}

/** Asserts that no more is read in the larger account than in the smaller, and little in both. */
function expectBounded([small = [], large = []]: Read[][], most: number): void {
  const worst = large.toSorted((one, other) => other.rows - one.rows).slice(0, 2);
  const named = worst.map(({ rows, sql }) => `${rows}: … ${sql.replaceAll(/\s+/g, " ").slice(-200)}`);
  const told = `${sum(small)} rows of ${sizes[0]}; ${named.join("\n")}`;
  expect(sum(small), "rows read").toBeGreaterThan(0);
  expect(sum(large), told).toBeLessThanOrEqual(sum(small) + slack + countingBlock);
  expect(sum(large), told).toBeLessThanOrEqual(most + countingBlock);
}
