import { createScheduledController } from "cloudflare:test";
import { describe, expect } from "vitest";
import type { DueKind, Job } from "../../src/job.ts";
import worker from "../../src/worker.ts";
import { execute } from "../support/database.ts";
import { type Case, doesNotGrow, readsOfJobs } from "../support/growth.ts";
import { addPlan, done, force, inDays, itemOf, type Life, life, subscribe } from "../support/lives.ts";
import { clockOf, linked, type Machine, machine, shipNow } from "../support/machine.ts";
import { measured, type Read } from "../support/slow-database.ts";

let shop: Life;
let works: Machine;

/** What makes a subscription due. */
const today = { next_billing_date: inDays(0), next_delivery_date: inDays(0), anchor_date: inDays(0) };
const accountId = (): string => shop.of.account.id;
const processDue = (...subscription_ids: string[]): Job[] => [
  { type: "process_due", account_id: accountId(), subscription_ids },
];
const findDue = (kind: DueKind): Job[] => [{ type: "find_due", account_id: accountId(), kind }];
const syncOf = (subscription_id: string): Job[] => [
  { type: "sync_contract", account_id: accountId(), subscription_id },
];
const waiting = (type: Job["type"]): Job[] => works.sent().filter((job) => job.type === type);

/** A subscription a week from its billing, paid in this way. */
const subscribed = (store_payment_method_id = "pm_success", more: object = {}): Promise<string> =>
  linked(shop, works, { store_payment_method_id, next_delivery_date: inDays(7), ...more });

const dueToday = async (): Promise<string> => {
  const id = await subscribed();
  await force(id, today);
  return id;
};

/** A subscription whose payment was refused, and is to be tried again now. */
const inDunning = async (): Promise<string> => {
  const id = await subscribed("pm_card_declined");
  await shipNow(shop, works, id);
  await works.drain();
  await execute("UPDATE dunning_episodes SET due_at = opened_at WHERE subscription_id = ?", id);
  return id;
};

const charged = async (method: string): Promise<Job[]> => {
  await shipNow(shop, works, await subscribed(method));
  return waiting("charge");
};

/** What a message's job reads of the database. */
const reading = (jobs: () => Promise<Job[]>) => async (): Promise<Read[]> => {
  const todo = await jobs();
  works.forget();
  return readsOfJobs(works, todo);
};

/** Creates what each kind of job needs. */
const jobs: Record<
  Exclude<Job["type"], "webhook" | "advance_clock" | "deliver_event" | "recover_events">,
  Record<string, () => Promise<Job[]>>
> = {
  sync_contract: {
    "of a subscription without one": async () => syncOf(await subscribe(shop)),
    "of one that has it": async () => syncOf(await subscribed()),
  },
  charge: {
    "that is paid": () => charged("pm_success"),
    "that is declined": () => charged("pm_card_declined"),
    "that is challenged": () => charged("pm_requires_action"),
    "that the store does not answer": () => charged("pm_timeout"),
    "that has been made": async () => {
      const its = await charged("pm_success");
      await works.drain();
      return its;
    },
  },
  process_due: {
    "a billing": async () => processDue(await dueToday()),
    "the end of a pause": async () => {
      const id = await subscribed();
      await done(shop.api, "POST", id, "pause", { pause_until: inDays(1) });
      await force(id, { pause_until: inDays(0) });
      return processDue(id);
    },
    "a retry": async () => processDue(await inDunning()),
    "a delivery that is paid for": async () => {
      const plan = await addPlan(shop, {
        billing_interval_count: 2,
        delivery_interval: "WEEK",
        delivery_interval_count: 1,
      });
      const id = await subscribed("pm_success", { lines: [itemOf(plan)] });
      await force(id, { ...today, next_index: 1, next_billed_index: 2 });
      return processDue(id);
    },
    "nothing that is due": async () => processDue(await subscribed()),
  },
  reconcile: {
    "a charge that is recorded, and one that is not": async () => {
      const since = new Date().toISOString();
      await charged("pm_success");
      await works.drain();
      const [lost] = await charged("pm_success");
      await works.drain();
      if (lost?.type !== "charge") throw new Error("no charge");
      await execute("DELETE FROM billing_attempts WHERE id = ?", lost.attempt_id);
      return [{ type: "reconcile", account_id: accountId(), since, after: null }];
    },
  },
  find_due: {
    "on the schedule": async () => {
      await dueToday();
      return findDue("schedule");
    },
    "in dunning": async () => {
      await inDunning();
      return findDue("dunning");
    },
    "to be reminded of": async () => {
      await force(await subscribed(), { next_billing_date: inDays(2) });
      return findDue("reminder");
    },
  },
};

/** The tick finds one of each, and none of what earlier cases left open: what is due, what lost messages have left behind, what is too old. */
const tick = async (): Promise<Read[]> => {
  await execute("UPDATE billing_attempts SET next_action_at = NULL WHERE account_id = ?", accountId());
  await subscribe(shop);
  await dueToday();
  await inDunning();
  await force(await subscribed(), { next_billing_date: inDays(2) });
  await shipNow(shop, works, await subscribed());
  await execute("UPDATE reconciliations SET next_at = '2026-01-01' WHERE account_id = ?", accountId());
  await execute(
    "INSERT INTO webhook_deliveries VALUES (?, ?, 'orders/create', 'gid://shopify/Order/1', 0, '2026-01-01', '2026-01-01', NULL)",
    accountId(),
    crypto.randomUUID(),
  );
  const old = "2026-01-01T00:00:00.000Z";
  await execute(
    `UPDATE idempotency_keys SET created_at = ? WHERE account_id = ? AND key =
      (SELECT key FROM idempotency_keys WHERE account_id = ? ORDER BY key LIMIT 1)`,
    old,
    accountId(),
    accountId(),
  );
  works.forget();
  const { DB, reads } = measured();
  const soon = createScheduledController({ scheduledTime: Date.now() + 120_000 });
  await worker.scheduled(soon, { ...works.bindings, DB });
  const found = new Set(
    works.sent().map((job) => (job.type === "find_due" ? `find_due ${job.kind}` : job.type)),
  );
  expect([...found].toSorted()).toEqual([
    ...[
      "charge",
      "find_due dunning",
      "find_due reminder",
      "find_due schedule",
      "reconcile",
      "sync_contract",
      "webhook",
    ],
  ]);
  return reads;
};

const cases: Case[] = Object.entries(jobs).flatMap(([type, its]) =>
  Object.entries(its).map(([what, todo]): Case => ({ title: `${type}: ${what}`, read: reading(todo) })),
);

const opened = async () => {
  shop = await life();
  works = machine();
  return shop.of;
};

describe("what a job reads does not grow with the account", () => {
  doesNotGrow([...cases, { title: "the tick", read: tick, most: 160 }], opened, () => works.drain());
});

/** From then on the account has a test clock, by which everything falls due. */
describe("nor does what moving its clock reads", () => {
  const aDay = reading(async () => {
    await dueToday();
    const advance_to = new Date(Date.parse(await clockOf(shop)) + 86_400_000).toISOString();
    await works.call(shop.api, "POST", "/api/account/test-clock", { body: { advance_to } });
    return waiting("advance_clock");
  });
  doesNotGrow([{ title: "advance_clock: by a day with a billing", read: aDay, most: 200 }], opened, () =>
    works.drain(),
  );
});
