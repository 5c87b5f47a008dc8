import { z } from "zod";

/** The kinds of things that fall due, each found by an index of its own; payment methods that expire are found with reminders. */
const dueKinds = ["ending", "schedule", "dunning", "waiting", "reminder"] as const;
export type DueKind = (typeof dueKinds)[number];

const id = z.string().min(1).max(255);
const account_id = id;

/** Work for the queue consumer, as a message holds it: ids, and nothing that can be read of a person; the rest is read when the work is done. */
export const jobSchema = z.discriminatedUnion("type", [
  /** Reconciles a subscription with its contract at the store. */
  z.object({ type: z.literal("sync_contract"), account_id, subscription_id: id }),
  /** Reads a contract that could not be taken over, and takes it over if it can be now. */
  z.object({ type: z.literal("refresh_contract"), account_id, store_contract_id: z.int() }),
  /** Reads a payment method from the store, which has another word about it than its row. */
  z.object({ type: z.literal("refresh_payment_method"), account_id, store_payment_method_id: id }),
  /** Makes the store's selling plan what ours is. */
  z.object({ type: z.literal("sync_plan"), account_id, selling_plan_id: id }),
  /** Has the store ask a customer for another payment method, once for an episode of dunning. */
  z.object({ type: z.literal("notify_customer"), account_id, dunning_episode_id: id }),
  /** Sets a store up that has installed the app. */
  z.object({ type: z.literal("set_up_store"), account_id }),
  /**
   * Finds a page of what has fallen due, sends jobs that do it, and goes on after it. `waits` is how often it has waited for the page before to
   * be done.
   */
  z.object({
    type: z.literal("find_due"),
    account_id,
    kind: z.enum(dueKinds),
    after: z.object({ due: z.string(), id: z.string() }).exactOptional(),
    waits: z.int().exactOptional(),
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
    /** Whether an earlier page had a charge that is still to be recorded. */
    is_unsettled: z.boolean().exactOptional(),
    challenges: z.object({ at: z.string(), id: z.string() }).exactOptional(),
  }),
  /** Looks at a page of the store's disputes, then of those that are open here, after the one of this id, and goes on after it. */
  z.object({
    type: z.literal("reconcile_disputes"),
    account_id,
    since: z.string(),
    /** When the look began: its pages show all that were opened before. */
    begun_at: z.string(),
    after: z.string().nullable(),
    /** Whether an earlier page had a dispute whose charge is still to be recorded. */
    is_unsettled: z.boolean().exactOptional(),
    open: z.string().max(255).exactOptional(),
  }),
  /** Looks at a page of the refunds that the store has made, and goes on after it. */
  z.object({
    type: z.literal("reconcile_refunds"),
    account_id,
    since: z.string(),
    after: z.string().nullable(),
  }),
  /** Has the store pay a refund of an order back, or asks what became of it. */
  z.object({ type: z.literal("refund_order"), account_id, refund_id: id }),
  /** Finds what a declaration is about, and carries it out where it may be done by itself. */
  z.object({ type: z.literal("carry_out"), account_id, declaration_id: id }),
  /** Erases everything personal that is known of a customer. */
  z.object({ type: z.literal("erase_profile"), account_id, profile_id: id }),
  /** Reads the record that a webhook of the store names, and applies it here. */
  z.object({ type: z.literal("webhook"), account_id, webhook_id: id }),
  /** Sends an endpoint the events that are due to it. */
  z.object({ type: z.literal("deliver_event"), account_id, endpoint_id: id }),
  /** Makes a page of the deliveries that an endpoint has missed, and has the next one made. */
  z.object({ type: z.literal("recover_events"), account_id, endpoint_id: id }),
  /** Applies the account's rules of reminders to a page of its subscriptions, and has the next one done. */
  z.object({ type: z.literal("apply_reminders"), account_id }),
  /** Works the next dates of a page of subscriptions out anew, after closed days have changed, and goes on after it. */
  z.object({ type: z.literal("follow_closed_days"), account_id, closed_day_id: id }),
  /** Looks whether an account knows the e-mail address that the portal's form was sent with. It is sealed, as nobody else is to read it. */
  z.object({ type: z.literal("request_login"), account_id, sealed: z.string().max(4096) }),
  /** Makes a link into the console for a member of staff, and mails it. It is sealed, as nobody else is to read who asked. */
  z.object({ type: z.literal("mail_staff_link"), account_id, sealed: z.string().max(4096) }),
  /** Does a page of a job of the merchant, and has the next one done. */
  z.object({ type: z.literal("work_job"), account_id, job_id: id }),
  /** Does a page of the rows of a job of the merchant, and has the next one done. */
  z.object({ type: z.literal("work_rows"), account_id, job_id: id }),
  /** Takes the forecast of a night, which was put off until `postponed_to` when it was found due. */
  z.object({ type: z.literal("take_forecast"), account_id, postponed_to: z.string() }),
  /** Moves an account's test clock on. */
  z.object({ type: z.literal("advance_clock"), account_id }),
]);

export type Job = z.output<typeof jobSchema>;
