import { z } from "zod";

/**
 * What a job is about: of those about the same record one waits for the other, as they ask for the same lease or change the same row.
 * A charge is about its subscription, unless its message is from before messages said so.
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

export function notifyCustomerJob(account_id: string, dunning_episode_id: string): Job {
  return {
    type: "notify_customer",
    account_id,
    dunning_episode_id,
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

/** The kinds of things that fall due, each found by an index of its own. */
const dueKinds = ["schedule", "dunning", "waiting", "reminder"] as const;
export type DueKind = (typeof dueKinds)[number];

const id = z.string().min(1).max(255);
const account_id = id;

/** Work for the queue consumer, as a message holds it: ids, and nothing that can be read of a person; the rest is read when the work is done. */
export const jobSchema = z.discriminatedUnion("type", [
  /** Reconciles a subscription with its contract at the store. */
  z.object({ type: z.literal("sync_contract"), account_id, subscription_id: id }),
  /** Reads a contract that could not be taken over, and takes it over if it can be now. */
  z.object({ type: z.literal("refresh_contract"), account_id, store_contract_id: z.int() }),
  /** Makes the store's selling plan what ours is. */
  z.object({ type: z.literal("sync_plan"), account_id, selling_plan_id: id }),
  /** Has the store ask a customer for another payment method, once for an episode of dunning. */
  z.object({ type: z.literal("notify_customer"), account_id, dunning_episode_id: id }),
  /** Sets a store up that has installed the app. */
  z.object({ type: z.literal("set_up_store"), account_id }),
  /** Finds a page of what has fallen due, sends jobs that do it, and goes on after it. */
  z.object({
    type: z.literal("find_due"),
    account_id,
    kind: z.enum(dueKinds),
    after: z.object({ due: z.string(), id: z.string() }).exactOptional(),
  }),
  /** Does what has fallen due of these subscriptions. */
  z.object({ type: z.literal("process_due"), account_id, subscription_ids: z.array(id).max(1000) }),
  /** Asks the store to charge a billing attempt, or for its outcome. */
  z.object({ type: z.literal("charge"), account_id, attempt_id: id, subscription_id: id.exactOptional() }),
  /**
   * Compares a page of the store's charges with our attempts, and goes on after it; after the last it asks about a page of the challenges
   * that have expired, and goes on after that.
   */
  z.object({
    type: z.literal("reconcile"),
    account_id,
    since: z.string(),
    after: z.string().nullable(),
    challenges: z.object({ at: z.string(), id: z.string() }).exactOptional(),
  }),
  /** Reads the record that a webhook of the store names, and applies it here. */
  z.object({ type: z.literal("webhook"), account_id, webhook_id: id }),
  /** Sends an endpoint the events that are due to it. */
  z.object({ type: z.literal("deliver_event"), account_id, endpoint_id: id }),
  /** Makes a page of the deliveries that an endpoint has missed, and has the next one made. */
  z.object({ type: z.literal("recover_events"), account_id, endpoint_id: id }),
  /** Looks whether an account knows the e-mail address that the portal's form was sent with. It is sealed, as nobody else is to read it. */
  z.object({ type: z.literal("request_login"), account_id, sealed: z.string().max(4096) }),
  /** Moves an account's test clock on. */
  z.object({ type: z.literal("advance_clock"), account_id }),
]);

export type Job = z.output<typeof jobSchema>;

/** A job that goes on in further messages begins no more work after so many statements, well within what an invocation may run. */
export const longJobStatements = 600;

/**
 * The outcome of work on a webhook delivery: `later` if it cannot be done yet, `more` if the rest waits for the next message.
 */
export type Outcome = "done" | "later" | "more";
