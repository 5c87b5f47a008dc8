import { createScheduledController } from "cloudflare:test";
import { expect } from "vitest";
import { parseEnv } from "../../src/base/env.ts";
import type { DueKind, Job } from "../../src/base/job.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { loginJob } from "../../src/domain/sessions/login.ts";
import { staffLinkJob } from "../../src/domain/staff-sessions/login.ts";
import deployed from "../../src/worker.ts";
import { openVisitor } from "../edges/portal/visitor.ts";
import { execute, select } from "../support/database.ts";
import { type Case, readsOfJobs } from "../support/growth.ts";
import {
  addPlan,
  customerOf,
  done,
  force,
  inDays,
  itemOf,
  openShop,
  rowOf,
  type Shop,
  subscribe,
} from "../support/shops.ts";
import { measured, type Read } from "../support/slow-database.ts";
import { linked, openWorker, shipNow, type TestWorker } from "../support/worker.ts";

/** The account whose reads are measured; `openAccount` opens it. */
export let shop: Shop;

export let worker: TestWorker;

export function sentJobs(type: Job["type"]): Job[] {
  return worker.sent().filter((job) => job.type === type);
}

export async function createDueToday(): Promise<string> {
  const id = await createSubscription();
  await force(id, today);
  return id;
}

/** The reads of the database that a message's job makes. */
export function reading(jobs: () => Promise<Job[]>) {
  return async (): Promise<Read[]> => {
    const sent = await jobs();
    worker.forget();
    return readsOfJobs(worker, sent);
  };
}

/** Cron finds one of each, and nothing that earlier cases left open: what is due, what is left of lost messages, and what is too old. */
export async function tick(): Promise<Read[]> {
  await execute(
    "UPDATE billing_attempts SET next_action_at = NULL WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    accountId(),
  );
  await execute("UPDATE jobs SET next_action_at = NULL WHERE next_action_at IS NOT NULL");
  await subscribe(shop);
  await createDueToday();
  await createInDunning();
  await force(await createSubscription(), { next_billing_date: inDays(2) });
  await shipNow(shop, worker, await createSubscription());
  await execute(
    "UPDATE reconciliations SET next_at = '2026-01-01' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    accountId(),
  );
  await execute(
    "INSERT INTO webhook_deliveries VALUES ((SELECT seq FROM accounts WHERE id = ?), ?, 'orders/create', 'gid://shopify/Order/1', 0, '2026-01-01', '2026-01-01', NULL)",
    accountId(),
    crypto.randomUUID(),
  );
  const old = "2026-01-01T00:00:00.000Z";
  await execute(
    `UPDATE idempotency_keys SET created_at = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND key =
      (SELECT key FROM idempotency_keys WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY key LIMIT 1)`,
    old,
    accountId(),
    accountId(),
  );
  worker.forget();
  const { DB, reads } = measured();
  const soon = createScheduledController({ scheduledTime: Date.now() + 120_000 });
  await deployed.scheduled(soon, { ...worker.bindings, DB });
  const found = new Set(
    worker.sent().map((job) => (job.type === "find_due" ? `find_due ${job.kind}` : job.type)),
  );
  expect([...found].toSorted()).toEqual([
    ...["charge", "find_due dunning", "find_due reminder", "find_due schedule"],
    ...["follow_closed_days", "reconcile", "sync_contract", "webhook"],
  ]);
  return reads;
}

export async function openAccount() {
  shop = await openShop();
  worker = openWorker();
  return shop.of;
}

/** The dates that make a subscription due. */
const today = { next_billing_date: inDays(0), next_delivery_date: inDays(0), anchor_date: inDays(0) };

function accountId(): string {
  return shop.of.account.id;
}

function processDue(...subscription_ids: string[]): Job[] {
  return [{ type: "process_due", account_id: accountId(), subscription_ids }];
}

function findDue(kind: DueKind): Job[] {
  return [{ type: "find_due", account_id: accountId(), kind }];
}

function syncContract(subscription_id: string): Job[] {
  return [{ type: "sync_contract", account_id: accountId(), subscription_id }];
}

async function requestLogin(email: string): Promise<Job[]> {
  const [env, { account }] = [parseEnv(worker.bindings), shop.of];
  return [await loginJob({ env, account, newId }, { email, locale: "en", is_printed: false })];
}

async function requestStaffLink(email: string): Promise<Job[]> {
  const [env, { account }, realNow] = [parseEnv(worker.bindings), shop.of, new Date().toISOString()];
  return [await staffLinkJob({ env, account, newId, realNow }, { kind: "login", email, is_printed: true })];
}

/** A subscription that is billed in a week, with this payment method. */
function createSubscription(store_payment_method_id = "pm_success", more: object = {}): Promise<string> {
  return linked(shop, worker, { store_payment_method_id, next_delivery_date: inDays(7), ...more });
}

/** A subscription whose payment was refused, and is to be tried again now. */
async function createInDunning(): Promise<string> {
  const id = await createSubscription("pm_card_declined");
  await shipNow(shop, worker, id);
  await worker.drain();
  await execute("UPDATE dunning_episodes SET due_at = opened_at WHERE subscription_id = ?", id);
  return id;
}

/** Closes a day; its message is dropped, as the job is given. */
async function closeDay(day: string): Promise<string> {
  const body = { from: day, to: day, rule: "later", label: "Holiday" };
  const closed = await worker.call(shop.api, "POST", "/api/subscriptions/closed-days", { body });
  worker.forget();
  return closed.body.data.id;
}

async function chargeJobs(method: string): Promise<Job[]> {
  await shipNow(shop, worker, await createSubscription(method));
  return sentJobs("charge");
}

/** Creates what each kind of job needs. */
export const jobsByType: Record<
  Exclude<Job["type"], "webhook" | "advance_clock" | "deliver_event" | "recover_events" | "apply_reminders">,
  Record<string, () => Promise<Job[]>>
> = {
  sync_contract: {
    "of a subscription without one": async () => syncContract(await subscribe(shop)),
    "of one that has it": async () => syncContract(await createSubscription()),
  },
  set_up_store: {
    "of the sandbox store": async () => [{ type: "set_up_store", account_id: accountId() }],
  },
  sync_plan: {
    "of the sandbox store": async () => [
      { type: "sync_plan", account_id: accountId(), selling_plan_id: await addPlan(shop) },
    ],
  },
  refresh_payment_method: {
    "that subscriptions are paid with": async () => {
      // The store knows a method by an id of its own, while growth gives all customers one of the same.
      const store_payment_method_id = `pm_${crypto.randomUUID()}`;
      await createSubscription(store_payment_method_id);
      return [{ type: "refresh_payment_method", account_id: accountId(), store_payment_method_id }];
    },
  },
  notify_customer: {
    "that is not wanted any more": async () => {
      const id = await createInDunning();
      await execute(
        `INSERT INTO customer_notices SELECT account_seq, id, subscription_id, 'PENDING', opened_at, 0, NULL
          FROM dunning_episodes WHERE subscription_id = ?`,
        id,
      );
      const [row] = await select<{ id: string }>(
        "SELECT id FROM dunning_episodes WHERE subscription_id = ?",
        id,
      );
      return [{ type: "notify_customer", account_id: accountId(), dunning_episode_id: row!.id }];
    },
  },
  erase_profile: {
    "of a customer": async () => {
      const { profileId } = await customerOf(shop.of);
      await worker.call(shop.admin, "DELETE", `/api/profiles/${profileId}`, { query: { erase: "true" } });
      return sentJobs("erase_profile");
    },
  },
  carry_out: {
    "of nobody who is known": async () => {
      await createSubscription();
      const email = `nobody-${crypto.randomUUID()}@example.com`;
      await openVisitor(worker, shop).post("/leave", { email, name: "Nobody", confirm: "1" });
      return sentJobs("carry_out");
    },
  },
  refund_order: {
    "that is paid back": async () => {
      await chargeJobs("pm_success");
      await worker.drain();
      const [order] = await select<{ id: string }>(
        "SELECT id FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND billing_attempt_id IS NOT NULL ORDER BY seq DESC LIMIT 1",
        accountId(),
      );
      await worker.call(shop.admin, "POST", `/api/subscriptions/orders/${order!.id}/refunds`, { body: {} });
      return sentJobs("refund_order");
    },
  },
  charge: {
    "that is paid": () => chargeJobs("pm_success"),
    "that is declined": () => chargeJobs("pm_card_declined"),
    "that is challenged": () => chargeJobs("pm_requires_action"),
    "that the store does not answer": () => chargeJobs("pm_timeout"),
    "that has been made": async () => {
      const jobs = await chargeJobs("pm_success");
      await worker.drain();
      return jobs;
    },
  },
  process_due: {
    "a billing": async () => processDue(await createDueToday()),
    "the end of a pause": async () => {
      const id = await createSubscription();
      await done(shop.api, "POST", id, "pause", { pause_until: inDays(1) });
      await force(id, { pause_until: inDays(0) });
      return processDue(id);
    },
    "a retry": async () => processDue(await createInDunning()),
    "a delivery that is paid for": async () => {
      const plan = await addPlan(shop, {
        billing_interval_count: 2,
        delivery_interval: "WEEK",
        delivery_interval_count: 1,
      });
      const id = await createSubscription("pm_success", { lines: [itemOf(plan)] });
      await force(id, { ...today, next_index: 1, next_billed_index: 2 });
      return processDue(id);
    },
    "nothing that is due": async () => processDue(await createSubscription()),
  },
  follow_closed_days: {
    "with nothing to move": async () => [
      { type: "follow_closed_days", account_id: accountId(), closed_day_id: await closeDay(inDays(400)) },
    ],
    "five dates": async () => {
      const ids = await Promise.all(Array.from({ length: 5 }, () => subscribe(shop)));
      await execute(
        `UPDATE subscriptions SET anchor_date = ?1, next_delivery_date = ?1, next_billing_date = ?1
          WHERE id IN (SELECT value FROM json_each(?2))`,
        inDays(30),
        JSON.stringify(ids),
      );
      const closed_day_id = await closeDay(inDays(30));
      return [{ type: "follow_closed_days", account_id: accountId(), closed_day_id }];
    },
  },
  reconcile: {
    "a charge that is recorded, and one that is not": async () => {
      const since = new Date().toISOString();
      await chargeJobs("pm_success");
      await worker.drain();
      const [lost] = await chargeJobs("pm_success");
      await worker.drain();
      if (lost?.type !== "charge") throw new Error("no charge");
      await execute("DELETE FROM billing_attempts WHERE id = ?", lost.attempt_id);
      return [{ type: "reconcile", account_id: accountId(), since, after: null }];
    },
  },
  reconcile_disputes: {
    "at a store without any": async () => [
      {
        type: "reconcile_disputes",
        account_id: accountId(),
        since: new Date().toISOString(),
        begun_at: new Date().toISOString(),
        after: null,
      },
    ],
  },
  reconcile_refunds: {
    "at a store that others do not use": async () => [
      { type: "reconcile_refunds", account_id: accountId(), since: new Date().toISOString(), after: null },
    ],
  },
  refresh_contract: {
    "one that could not be taken over": async () => {
      const contract = 7_000_001;
      await execute(
        "INSERT INTO unsupported_contracts VALUES ((SELECT seq FROM accounts WHERE id = ?), ?, 'CUSTOMER', 'it has no e-mail address', 'EUR', '1', '2026-01-01', '2026-01-01')",
        accountId(),
        contract,
      );
      return [{ type: "refresh_contract", account_id: accountId(), store_contract_id: contract }];
    },
  },
  request_login: {
    "of a customer": async () => {
      const [profile] = await select<{ email: string }>(
        "SELECT email FROM profiles WHERE id = ?",
        shop.profileId,
      );
      return requestLogin(profile!.email);
    },
    "of nobody": () => requestLogin("nobody@else.example"),
  },
  mail_staff_link: {
    "of a member of staff": async () => {
      const email = `sam-${newId()}@shop.example`;
      await worker.call(shop.api, "POST", "/api/staff", { body: { email, role: "SUPPORT" } });
      return requestStaffLink(email);
    },
    "of nobody else": () => requestStaffLink("nobody@else.example"),
  },
  work_job: {
    "a forecast": async () => {
      await createSubscription();
      await worker.call(shop.api, "POST", "/api/forecast/goods/runs", {
        body: { from: inDays(0), to: inDays(55) },
      });
      return sentJobs("work_job");
    },
  },
  work_rows: {
    "a bulk": async () => {
      const body = { action: "skip_deliveries", ids: [await createSubscription()] };
      await worker.call(shop.api, "POST", "/api/bulk", { body });
      return sentJobs("work_rows");
    },
    "a bulk that is undone": async () => {
      const body = { action: "pause", ids: [await createSubscription()] };
      const job = await worker.call(shop.api, "POST", "/api/bulk", { body });
      await worker.drain();
      await worker.call(shop.api, "POST", `/api/jobs/${job.body.data.id}/undo`);
      return sentJobs("work_rows");
    },
  },
  take_forecast: {
    "of a night": async () => {
      const account_id = accountId();
      const postponed_to = inDays(1);
      await execute(
        "UPDATE reconciliations SET next_forecast_at = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        ...[postponed_to, account_id],
      );
      return [{ type: "take_forecast", account_id, postponed_to }];
    },
  },
  find_due: {
    "on the schedule": async () => {
      await createDueToday();
      return findDue("schedule");
    },
    "in dunning": async () => {
      await createInDunning();
      return findDue("dunning");
    },
    "to be reminded of": async () => {
      await force(await createSubscription(), { next_billing_date: inDays(2) });
      return findDue("reminder");
    },
    "cards that expire": async () => {
      const { payment_method_id } = await rowOf(await createSubscription());
      await execute(
        "UPDATE payment_methods SET exp_year = CAST(? AS INTEGER), exp_month = CAST(? AS INTEGER) WHERE id = ?",
        ...[...inDays(0).split("-").slice(0, 2), payment_method_id],
      );
      return findDue("reminder");
    },
  },
};

/** A case for each job. */
export const jobCases: Case[] = Object.entries(jobsByType).flatMap(([type, byTitle]) =>
  Object.entries(byTitle).map(([title, jobs]): Case => ({ title: `${type}: ${title}`, read: reading(jobs) })),
);
