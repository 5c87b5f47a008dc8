import { DomainError } from "../../base/errors.ts";
import type { CalendarDate } from "../../base/lib/time/dates.ts";
import type { ActorType } from "../../kit/context.ts";
import { reviewCodes } from "../billing/tables.ts";
import { dayToWaitFor } from "./bounds/no-charge-before.ts";
import type { Subscription, SubscriptionStatus } from "./tables.ts";

export function isAllowed(operation: Operation, { status }: Pick<Subscription, "status">): boolean {
  return (transitions[operation].from as readonly SubscriptionStatus[]).includes(status);
}

/** Whether the subscription already has the status that the operation leads to. Repeating the operation changes nothing. */
export function isReached(operation: Operation, { status }: Pick<Subscription, "status">): boolean {
  return transitions[operation].to === status && !isAllowed(operation, { status });
}

/** Refuses to move the dates while a billing attempt is in progress, because its outcome decides the next cycle. */
export function requireNotBilling(
  what: string,
  { open_attempt_id }: Pick<Subscription, "open_attempt_id">,
): void {
  if (open_attempt_id !== null)
    throw new DomainError("BILLING_IN_PROGRESS", `Cannot ${what}: a billing attempt is in progress`);
}

export function invalidState(what: string, { status }: Pick<Subscription, "status">): DomainError {
  return new DomainError("INVALID_STATE", `Cannot ${what}: the subscription is ${status}`);
}

/** Throws INVALID_STATE, naming state and operation, where the table does not allow it. */
export function requireAllowed(
  operation: Operation,
  state: Pick<Subscription, "status">,
  what: string = operation,
): void {
  if (!isAllowed(operation, state)) throw invalidState(what, state);
}

/** Billing waits for the merchant or the store to solve a problem, then continues by itself. */
export function isWaiting({ billing_waiting_since }: Pick<Subscription, "billing_waiting_since">): boolean {
  return billing_waiting_since !== null;
}

/** The attempt in progress is under review: until a person or the store has ended that, no other attempt is started. */
export function isUnderReview({ open_attempt_id, billing_blocked_reason }: Review): boolean {
  return (
    open_attempt_id !== null && (reviewCodes as readonly (string | null)[]).includes(billing_blocked_reason)
  );
}

/** Why billing stands still of a subscription that was moved in and is not released. */
export const importHeld = "import_held";

/** Whether a subscription that was moved in waits for its release: nothing of it falls due, and the store has no contract for it. */
export function isHeld({ billing_blocked_reason }: Pick<Subscription, "billing_blocked_reason">): boolean {
  return billing_blocked_reason === importHeld;
}

/** Why billing stands still of a subscription without a complete delivery address, where the account asks for one. */
export const addressMissing = "address_missing";

export function isAddressMissing({
  billing_blocked_reason,
}: Pick<Subscription, "billing_blocked_reason">): boolean {
  return billing_blocked_reason === addressMissing;
}

/** Whether a dispute of one of its payments keeps a subscription from being billed. */
export function isDisputed({ disputed_at }: Pick<Subscription, "disputed_at">): boolean {
  return disputed_at !== null;
}

/**
 * Why billing stands still, in one word; null if it does not. Of several reasons the one that a person has to end first: the review of an
 * attempt, the release of what was moved in, a dispute, and only then what ends by itself.
 */
export function blockedReason(row: Review & Pick<Subscription, "disputed_at">): string | null {
  return isDisputed(row) && !isUnderReview(row) && !isHeld(row) ? disputed : row.billing_blocked_reason;
}

const disputed = "disputed";

/** A payment is owed: retries are running or exhausted. */
export function owesPayment(state: Pick<Subscription, "status" | "dunning_episode_id">): boolean {
  return state.status === "PAYMENT_FAILED" || (state.status === "ACTIVE" && isInDunning(state));
}

/** The number of further cycles that a customer has agreed to. The merchant may cancel earlier. */
export function cyclesAgreed({ min_cycles, current_billing_cycle }: Agreement, actor: ActorType): number {
  return actor === "customer" ? Math.max(0, (min_cycles ?? 0) - (current_billing_cycle - 1)) : 0;
}

/** The actions that the caller may take now, and whether a payment is being retried. */
export function flagsOf(state: State & Agreement, actor: ActorType, today: CalendarDate) {
  return {
    can_cancel: isAllowed("cancel", state) && cyclesAgreed(state, actor) === 0,
    can_pause: isAllowed("pause", state),
    can_resume: isAllowed("resume", state),
    can_reactivate: isAllowed("reactivate", state) && !isUnderReview(state),
    can_retry_payment:
      (owesPayment(state) || isWaiting(state)) &&
      !isDisputed(state) &&
      !isAddressMissing(state) &&
      dayToWaitFor(state, today) === undefined,
    is_in_dunning: isInDunning(state),
  };
}

/** An ended subscription is not billed unless it is reactivated. Deliveries that are paid for may still be made. */
export function isOver({ status }: Pick<Subscription, "status">): boolean {
  return status === "CANCELLED" || status === "EXPIRED";
}

/** Ends a wait: a paused or ended subscription is not billed. The reason of a review stays until the review ends. */
export function withoutWait(row: Subscription): Partial<Subscription> {
  if (!isWaiting(row)) return {};
  return isUnderReview(row)
    ? { ...notWaiting, billing_blocked_reason: row.billing_blocked_reason }
    : notWaiting;
}

/** Moving the next dates ends a wait, unless a payment is owed or in progress: the cycle is billed on its new day. */
export function endOfWait(row: Subscription): Partial<Subscription> {
  return owesPayment(row) || row.open_attempt_id !== null ? {} : withoutWait(row);
}

/** Whether the last of the cycles that its plan allows has been billed. */
export function isBeyondLastCycle({
  max_cycles,
  current_billing_cycle,
}: Pick<Subscription, "max_cycles" | "current_billing_cycle">): boolean {
  return max_cycles !== null && current_billing_cycle > max_cycles;
}

/** The statuses from which each operation is possible, and the one it leads to. Operations and can_* flags read this table. */
const transitions = {
  pause: { from: ["ACTIVE", "PAUSED"], to: "PAUSED" },
  resume: { from: ["PAUSED"], to: "ACTIVE" },
  cancel: { from: ["ACTIVE", "PAUSED", "PAYMENT_FAILED"], to: "CANCELLED" },
  reactivate: { from: ["CANCELLED", "EXPIRED"], to: "ACTIVE" },
  skip: { from: ["ACTIVE"], to: "ACTIVE" },
  unskip: { from: ["ACTIVE"], to: "ACTIVE" },
  change: { from: ["ACTIVE", "PAUSED", "PAYMENT_FAILED"], to: undefined },
} as const satisfies Record<string, { from: SubscriptionStatus[]; to: SubscriptionStatus | undefined }>;

export type Operation = keyof typeof transitions;
type Agreement = Pick<Subscription, "min_cycles" | "current_billing_cycle">;
type State = Pick<
  Subscription,
  "status" | "dunning_episode_id" | "billing_waiting_since" | "disputed_at" | "no_charge_before"
> &
  Review;
type Review = Pick<Subscription, "open_attempt_id" | "billing_blocked_reason">;

/** The columns of a subscription whose billing does not wait. */
export const notWaiting = {
  billing_blocked_reason: null,
  billing_waiting_since: null,
  billing_wait_count: 0,
  billing_retry_at: null,
} as const satisfies Partial<Subscription>;

/** The columns of an ended subscription: no further dates, no dunning. */
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

/** An episode is open while payment retries run; the status stays ACTIVE. */
function isInDunning({ dunning_episode_id }: Pick<Subscription, "dunning_episode_id">): boolean {
  return dunning_episode_id !== null;
}
