import { DomainError } from "../errors.ts";
import type { Subscription, SubscriptionStatus } from "./tables.ts";

/** From where each operation is possible, and where it leads: the one table behind operations and can_* flags. */
const transitions = {
  pause: { from: ["ACTIVE"], to: "PAUSED" },
  resume: { from: ["PAUSED"], to: "ACTIVE" },
  cancel: { from: ["ACTIVE", "PAUSED", "PAYMENT_FAILED"], to: "CANCELLED" },
  reactivate: { from: ["CANCELLED", "EXPIRED"], to: "ACTIVE" },
  skip: { from: ["ACTIVE"], to: "ACTIVE" },
  unskip: { from: ["ACTIVE"], to: "ACTIVE" },
  change: { from: ["ACTIVE", "PAUSED", "PAYMENT_FAILED"], to: undefined },
} as const satisfies Record<string, { from: SubscriptionStatus[]; to: SubscriptionStatus | undefined }>;

export type Operation = keyof typeof transitions;
type State = Pick<Subscription, "status" | "dunning_episode_id" | "billing_waiting_since">;

export const isAllowed = (operation: Operation, { status }: Pick<Subscription, "status">): boolean =>
  (transitions[operation].from as readonly SubscriptionStatus[]).includes(status);

/** Whether the transition has been made already, so that asking again changes nothing. */
export const isReached = (operation: Operation, { status }: Pick<Subscription, "status">): boolean =>
  transitions[operation].to === status && !isAllowed(operation, { status });

/** Billing is under way: what moves the dates waits until it is known what came of it. */
export const requireNotBilling = (
  what: string,
  { open_attempt_id }: Pick<Subscription, "open_attempt_id">,
): void => {
  if (open_attempt_id !== null)
    throw new DomainError("BILLING_IN_PROGRESS", `Cannot ${what}: a billing attempt is in progress`);
};

export const invalidState = (what: string, { status }: Pick<Subscription, "status">): DomainError =>
  new DomainError("INVALID_STATE", `Cannot ${what}: the subscription is ${status}`);

/** Throws INVALID_STATE, naming state and operation, where the table does not allow it. */
export const requireAllowed = (
  operation: Operation,
  state: Pick<Subscription, "status">,
  what: string = operation,
): void => {
  if (!isAllowed(operation, state)) throw invalidState(what, state);
};

/** While retries run the status stays ACTIVE and an episode is open. */
export const isInDunning = ({ dunning_episode_id }: Pick<Subscription, "dunning_episode_id">): boolean =>
  dunning_episode_id !== null;

/** Billing waits for the merchant or the store, who are at fault; it goes on by itself. */
export const isWaiting = ({ billing_waiting_since }: Pick<Subscription, "billing_waiting_since">): boolean =>
  billing_waiting_since !== null;

/** Payment is owed: retries run, or have run out. */
export const owesPayment = (state: Pick<Subscription, "status" | "dunning_episode_id">): boolean =>
  state.status === "PAYMENT_FAILED" || (state.status === "ACTIVE" && isInDunning(state));

export const flagsOf = (state: State) => ({
  can_cancel: isAllowed("cancel", state),
  can_pause: isAllowed("pause", state),
  can_resume: isAllowed("resume", state),
  can_reactivate: isAllowed("reactivate", state),
  can_retry_payment: owesPayment(state) || isWaiting(state),
  is_in_dunning: isInDunning(state),
});

/** Nothing is billed any more, unless it is reactivated; what is paid for may still be delivered. */
export const isOver = ({ status }: Pick<Subscription, "status">): boolean =>
  status === "CANCELLED" || status === "EXPIRED";

/** Billing waits for nobody. */
export const notWaiting = {
  billing_blocked_reason: null,
  billing_waiting_since: null,
  billing_wait_count: 0,
  billing_retry_at: null,
} as const satisfies Partial<Subscription>;

/** Who is paused, or over, is not billed, so nothing is waited for. */
export const withoutWait = (row: Subscription): Partial<Subscription> => (isWaiting(row) ? notWaiting : {});

/** What moves the next dates ends a wait, unless payment is owed from before: that cycle is billed on its new day. */
export const endOfWait = (row: Subscription): Partial<Subscription> =>
  owesPayment(row) || row.open_attempt_id !== null ? {} : withoutWait(row);

/** The columns of a subscription that is over: nothing comes any more, nothing is owed. */
export const over = {
  next_billing_date: null,
  next_delivery_date: null,
  next_production_date: null,
  dunning_episode_id: null,
} as const satisfies Partial<Subscription>;

export const unpaused = {
  paused_at: null,
  pause_until: null,
  pause_reason: null,
  pause_reason_id: null,
} as const satisfies Partial<Subscription>;

/** Whether the last of the cycles that its plan allows has been billed. */
export const isBeyondLastCycle = ({
  max_cycles,
  current_billing_cycle,
}: Pick<Subscription, "max_cycles" | "current_billing_cycle">): boolean =>
  max_cycles !== null && current_billing_cycle > max_cycles;
