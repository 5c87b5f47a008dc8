import type { Usage } from "../../base/db/port.ts";
import { DomainError } from "../../base/errors.ts";
import type { Job } from "../../base/job.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { chargeAttempt } from "../../domain/billing/actions/charge.ts";
import { takeOverPaymentMethod } from "../../domain/billing/actions/payment-method.ts";
import { processDue } from "../../domain/billing/actions/process-due.ts";
import { announceAnniversaries } from "../../domain/billing/due/anniversaries.ts";
import { sendDue } from "../../domain/billing/due/due-pages.ts";
import { announceExpiring } from "../../domain/billing/due/expiring-methods.ts";
import { remind } from "../../domain/billing/due/reminders.ts";
import { reconcileNext } from "../../domain/billing/reconcile/nightly.ts";
import { walkClosedDays } from "../../domain/closed-days/walk-subscriptions.ts";
import { syncContract } from "../../domain/contracts/sync.ts";
import { carryOut } from "../../domain/declarations/actions/carry-out.ts";
import { reconcileDisputes } from "../../domain/disputes/reconcile.ts";
import { notifyCustomer } from "../../domain/dunning/notify-customer.ts";
import { takeNightly } from "../../domain/goods/runs.ts";
import { takeForecastPage } from "../../domain/goods/take-page.ts";
import { applyReminders } from "../../domain/mail/reminder-rules.ts";
import { workOnJob } from "../../domain/merchant-jobs/work.ts";
import { makeRefund } from "../../domain/own-orders/make-refund.ts";
import { eraseProfile } from "../../domain/privacy/erasures.ts";
import { syncSellingPlan } from "../../domain/selling-plans/sync.ts";
import { recordLogin } from "../../domain/sessions/login.ts";
import { lookAgain } from "../../domain/store-sync/contracts.ts";
import { reconcileRefunds } from "../../domain/store-sync/look-at-refunds.ts";
import { refreshPaymentMethod } from "../../domain/store-sync/payment-methods.ts";
import { setUpStore } from "../../domain/store-sync/set-up.ts";
import { deliverEvents, type MailDelivery } from "../../domain/webhook-endpoints/deliver.ts";
import { recoverEvents } from "../../domain/webhook-endpoints/recover.ts";
import { workOnDelivery } from "../../edges/webhooks/work.ts";
import type { Ctx } from "../../kit/context.ts";
import { advanceClock } from "./advance-clock.ts";

type FindDue = Extract<Job, { type: "find_due" }>;

/** Does a job on behalf of its account. Doing it twice, late or in another order changes nothing. */
export async function handleJob(ctx: Ctx, job: Job): Promise<void> {
  const { type, account_id, ...ids } = job;
  const before = { ...ctx.db.usage };
  const about = aboutOf(ids);
  let outcome = "done";
  await doJob(ctx, job).catch((error) => {
    if (!(error instanceof DomainError && error.code === "NOT_FOUND")) throw error;
    outcome = "without_record";
    ctx.log("job_without_record", { type, account_id, ...about });
  });
  ctx.log("job", { type, account_id, outcome, ...about, ...usageSince(before, ctx.db.usage) });
}

async function findAndSend(ctx: Ctx, job: FindDue): Promise<void> {
  if (job.kind !== "reminder") return sendDue(ctx, { ...job, kind: job.kind });
  for (let pages = 0; pages < remindedPages; pages++) {
    const reminded = await remind(ctx);
    for (const { id } of reminded) ctx.log("payment_reminder", { subscription_id: id });
    if (reminded.length > 0 || (await announceExpiring(ctx)) > 0) continue;
    if (!(await announceAnniversaries(ctx))) return;
  }
  await ctx.send([job]);
}

/** Reminders, payment methods that expire and anniversaries are recorded a page at a time; after so many pages another message goes on. */
const remindedPages = 3;

async function doJob(ctx: Ctx, job: Job): Promise<unknown> {
  switch (job.type) {
    case "sync_contract":
      return syncContract(ctx, job.subscription_id, { takeOverPaymentMethod });
    case "refresh_contract":
      return lookAgain(ctx, job.store_contract_id);
    case "refresh_payment_method":
      return refreshPaymentMethod(ctx, job.store_payment_method_id);
    case "sync_plan":
      return syncSellingPlan(ctx, job.selling_plan_id);
    case "notify_customer":
      return notifyCustomer(ctx, job.dunning_episode_id);
    case "set_up_store":
      return setUpStore(ctx);
    case "find_due":
      return findAndSend(ctx, job);
    case "process_due":
      return processDue(ctx, job.subscription_ids);
    case "charge":
      return chargeAttempt(ctx, job.attempt_id);
    case "reconcile":
      return reconcileNext(ctx, job);
    case "reconcile_disputes":
      return reconcileDisputes(ctx, job);
    case "reconcile_refunds":
      return reconcileRefunds(ctx, job);
    case "refund_order":
      return makeRefund(ctx, job.refund_id);
    case "carry_out":
      return carryOut(ctx, job.declaration_id);
    case "erase_profile":
      return eraseProfile(ctx, job.profile_id);
    case "webhook":
      return workOnDelivery(ctx, job.webhook_id);
    case "deliver_event":
      return deliverEvents(ctx, job.endpoint_id, { sendMail });
    case "recover_events":
      return recoverEvents(ctx, job.endpoint_id);
    case "apply_reminders":
      return applyReminders(ctx);
    case "follow_closed_days":
      return walkClosedDays(ctx, job.closed_day_id);
    case "request_login":
      return recordLogin(ctx, job.sealed);
    case "mail_staff_link":
      return mailLink(ctx, job.sealed);
    case "work_job":
    case "work_rows":
      return workOnMerchantJob(ctx, job.job_id);
    case "take_forecast":
      return takeNightly(ctx, job.postponed_to);
    case "advance_clock":
      return advanceClock(ctx, handleJob);
    default:
      return job satisfies never;
  }
}

/** Imports and bulk jobs are loaded by the first of them. */
async function workOnMerchantJob(ctx: Ctx, id: string): Promise<void> {
  const { bulkWork } = await import("../../domain/bulk/work.ts");
  const { importWork } = await import("../../domain/imports/work.ts");
  const forecast = { RUNNING: { page: takeForecastPage } };
  return workOnJob(ctx, id, { FORECAST: forecast, BULK: bulkWork, IMPORT: importWork });
}

/** Links of staff are loaded by the first that is asked for, with what mails them. */
async function mailLink(ctx: Ctx, sealed: string): Promise<void> {
  const { mailStaffLink } = await import("../../domain/staff-sessions/login.ts");
  return mailStaffLink(ctx, sealed);
}

/** The mails are loaded by the first that is sent. */
async function sendMail(ctx: Ctx, due: MailDelivery): Promise<Instant | null> {
  const { deliverMail } = await import("../../domain/mail/deliver.ts");
  return deliverMail(ctx, due);
}

/** The fields of a job in the log besides its type and account: ids, or how many there are. */
function aboutOf(fields: object): object {
  if ("sealed" in fields) return {};
  return "subscription_ids" in fields && Array.isArray(fields.subscription_ids)
    ? { subscriptions: fields.subscription_ids.length }
    : fields;
}

/** The use of the database by a job itself: others may have run on the same connection before it. */
function usageSince(before: Usage, now: Usage): Usage {
  return {
    db_round_trips: now.db_round_trips - before.db_round_trips,
    db_statements: now.db_statements - before.db_statements,
    rows_read: now.rows_read - before.rows_read,
    rows_written: now.rows_written - before.rows_written,
  };
}
