import type { Job } from "./job-schema.ts";

export type { DueKind, Job } from "./job-schema.ts";

/**
 * The record that a job is about: of jobs about the same record one waits for the other, as they ask for the same lease or change
 * the same row. A charge is about its subscription, unless its message is from before messages said so.
 */
export function subjectOf(job: Job): string {
  const { type, account_id, ...names } = job;
  return "subscription_id" in names ? `subscription ${names.subscription_id}` : JSON.stringify(job);
}

export function syncContractJob(account_id: string, subscription_id: string): Job {
  return {
    type: "sync_contract",
    account_id,
    subscription_id,
  };
}

/** Has the consumer charge an attempt, or ask the store for its outcome. */
export function chargeJob(
  account_id: string,
  { id, subscription_id }: { id: string; subscription_id: string },
): Job {
  return { type: "charge", account_id, attempt_id: id, subscription_id };
}

export function processDueJob(account_id: string, subscription_ids: string[]): Job {
  return {
    type: "process_due",
    account_id,
    subscription_ids,
  };
}

export function syncPlanJob(account_id: string, selling_plan_id: string): Job {
  return {
    type: "sync_plan",
    account_id,
    selling_plan_id,
  };
}

/** Has the consumer read a contract again from the store, by its plain id there. */
export function refreshContractJob(account_id: string, store_contract_id: number): Job {
  return {
    type: "refresh_contract",
    account_id,
    store_contract_id,
  };
}

/** Has the consumer read a payment method again from the store. */
export function refreshPaymentMethodJob(account_id: string, store_payment_method_id: string): Job {
  return {
    type: "refresh_payment_method",
    account_id,
    store_payment_method_id,
  };
}

export function notifyCustomerJob(account_id: string, dunning_episode_id: string): Job {
  return {
    type: "notify_customer",
    account_id,
    dunning_episode_id,
  };
}

export function eraseProfileJob(account_id: string, profile_id: string): Job {
  return {
    type: "erase_profile",
    account_id,
    profile_id,
  };
}

/** Has the consumer pay a refund of an order back, or ask the store what became of it. */
export function refundOrderJob(account_id: string, refund_id: string): Job {
  return {
    type: "refund_order",
    account_id,
    refund_id,
  };
}

export function carryOutJob(account_id: string, declaration_id: string): Job {
  return {
    type: "carry_out",
    account_id,
    declaration_id,
  };
}

/** Has the consumer do a page of a job of the merchant. Forecasts only read, and so a page of theirs takes few statements. */
export function workJob(account_id: string, { id: job_id, kind }: { id: string; kind: string }): Job {
  return {
    type: kind === "FORECAST" ? "work_job" : "work_rows",
    account_id,
    job_id,
  };
}

export function followClosedDaysJob(account_id: string, closed_day_id: string): Job {
  return {
    type: "follow_closed_days",
    account_id,
    closed_day_id,
  };
}

/** Whether a job talks to an endpoint, which may hang. */
export function isForEndpoint(type: Job["type"]): boolean {
  return type === "deliver_event";
}

export function deliverEventJob(account_id: string, endpoint_id: string): Job {
  return {
    type: "deliver_event",
    account_id,
    endpoint_id,
  };
}

/** A job that goes on in further messages begins no more work after so many statements, well within what an invocation may run. */
export const longJobStatements = 600;

/**
 * The outcome of work on a webhook delivery: `later` if it cannot be done yet, `more` if the rest waits for the next message.
 */
export type JobOutcome = "done" | "later" | "more";
