import type { Job } from "../../base/job.ts";
import { minuteMs } from "../../base/lib/time/durations.ts";

/**
 * The limits of one invocation. The platform ends an invocation that asks its database for more than a thousand
 * statements or lasts longer than a quarter of an hour; after this time no further job is begun.
 */
export type Limits = { statements: number; beginMs: number; atOnce: number };

/** One of the six connections that the platform gives an invocation is for the queue; each job uses one at a time. */
export const invocationLimits: Limits = { statements: 950, beginMs: 8 * minuteMs, atOnce: 5 };

/**
 * The most statements that one job of a type runs, which tests and the simulator hold it to. A job is begun only where so many are left,
 * unless it is the first of its invocation.
 */
export const mostStatements: Record<Job["type"], number> = {
  sync_contract: 40,
  sync_plan: 20,
  set_up_store: 400,
  find_due: 20,
  process_due: 170,
  refresh_contract: 400,
  refresh_payment_method: 400,
  charge: 60,
  notify_customer: 100,
  reconcile: 700,
  reconcile_disputes: 900,
  reconcile_refunds: 900,
  refund_order: 400,
  carry_out: 120,
  erase_profile: 400,
  webhook: 400,
  deliver_event: 160,
  recover_events: 40,
  apply_reminders: 20,
  follow_closed_days: 170,
  request_login: 20,
  mail_staff_link: 20,
  work_job: 40,
  work_rows: 700,
  take_forecast: 20,
  advance_clock: 900,
};
