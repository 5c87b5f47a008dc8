import { requireWithinLimit } from "../../../base/accounts/limits.ts";
import { DomainError, type ErrorDetail } from "../../../base/errors.ts";
import { chargeJob } from "../../../base/job.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import { minuteMs } from "../../../base/lib/time/durations.ts";
import { type Ctx, isRehearsed, keepCreated } from "../../../kit/context.ts";
import { todayOf } from "../../../kit/days.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import { lacksAddress, missingFieldsOf } from "../../subscriptions/address/complete-address.ts";
import { hasReachedEnd, requireBeforeEnd } from "../../subscriptions/bounds/agreed-end.ts";
import { dayToWaitFor, requireChargeable } from "../../subscriptions/bounds/no-charge-before.ts";
import { calendarOf } from "../../subscriptions/dates/index.ts";
import { isBeyondLastCycle, isDisputed, isHeld, owesPayment } from "../../subscriptions/lifecycle.ts";
import type { Part } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { followingCharge } from "../after-cycle.ts";
import { insertAttempt } from "../charge-content.ts";
import { repeatedDelivery } from "../repeated-delivery.ts";
import { type PlannedDelivery, snapshotCharge, snapshotOf } from "../snapshot.ts";
import { deriveStoreKey } from "../store-key.ts";
import type { AttemptOrigin, Billed, BillingAttempt } from "../tables.ts";

/**
 * Throws NOT_BILLABLE if the subscription has none of these statuses, is not released, is disputed, has no contract at the store yet,
 * lacks the address that the account asks for, or only prepaid deliveries are left: the first of these that holds is named.
 */
export function requireBillable(
  { account }: Ctx,
  row: Subscription,
  statuses: Subscription["status"][] = ["ACTIVE"],
): Subscription & { store_contract_id: number } {
  if (!statuses.includes(row.status)) throw notBillable(row);
  if (isHeld(row))
    throw notBillable(row, [
      { path: "billing_blocked_reason", message: "it was moved in and is not released" },
    ]);
  if (isDisputed(row))
    throw notBillable(row, [
      { path: "billing_blocked_reason", message: "a payment of it is disputed, or such a dispute was lost" },
    ]);
  if (row.store_contract_id === null)
    throw notBillable(row, [{ path: "store_contract_id", message: "the store has no contract for it yet" }]);
  if (isBeyondLastCycle(row))
    throw notBillable(row, [{ path: "current_billing_cycle", message: "its last cycle has been billed" }]);
  if (lacksAddress(account, row))
    throw notBillable(row, [
      { path: "delivery_address", message: `is not complete without ${missingFieldsOf(row).join(", ")}` },
    ]);
  return row as Subscription & { store_contract_id: number };
}

/** The answer to a request that starts an attempt, or would; the latter says what follows it. */
export function newlyBilled(ctx: Ctx, view: SubscriptionView, attempt: BillingAttempt): Billed {
  const at = { row: view.row, calendar: calendarOf(view) };
  const following = isRehearsed(ctx) ? { following: followingCharge(ctx, at, attempt) } : {};
  return { attempt, isNew: true, ...following };
}

/**
 * A new attempt at the current cycle of a subscription, with the figures of this moment. Throws INVALID_STATE before no_charge_before and from
 * ends_on on, unless it records a charge that was made.
 */
export async function startAttempt(
  ctx: Ctx,
  view: SubscriptionView,
  request: AttemptRequest,
): Promise<AttemptStart> {
  const row = view.row as Subscription & { store_contract_id: number };
  const { today } = view;
  const { before, sentBefore: sent, earlier } = request;
  if (!sent && !earlier) {
    requireChargeable(row, today);
    requireBeforeEnd(row, today);
  }
  const delivery = request.delivery ?? repeatedDelivery({ row, calendar: calendarOf(view) }, before);
  const figures = earlier?.figures;
  const snapshot = figures
    ? { ...snapshotOf(figures), ...delivery, billing_date: today }
    : snapshotCharge(row, view.method, delivery, today);
  const { amount, currency_code } = figures ?? { ...row, amount: row.total };
  if (!sent && !earlier) requireWithinLimit(ctx, [{ amount, currency_code }]);
  const reference = sent?.reference ?? earlier?.reference ?? null;
  const identity = {
    account_seq: ctx.account.seq,
    subscription_id: row.id,
    activation: row.activation,
    cycle: row.current_billing_cycle,
    attempt_number: numberAfter(before, request.withdrawn),
  };
  const attempt: BillingAttempt = {
    ...identity,
    id: ctx.newId(),
    origin: request.origin,
    status: reference === null ? "QUEUED" : "PROCESSING",
    store_key: await deriveStoreKey({ ...identity, account_id: ctx.account.id }),
    amount,
    currency_code,
    snapshot: JSON.stringify(snapshot),
    content_attempt_id: null,
    request_hash: request.requestHash ?? null,
    claims: 0,
    unanswered: 0,
    lease_until: null,
    next_action_at: later(ctx.realNow, graceMs),
    requested_at: ctx.realNow,
    first_sent_at: sent?.at ?? null,
    last_sent_at: sent?.at ?? null,
    store_reference: reference,
    next_action_url: null,
    error_code: null,
    error_message: null,
    order_id: null,
    settled_at: null,
    created_at: ctx.now,
    updated_at: ctx.now,
    is_refused: 0,
    open_since: reference === null ? null : ctx.now,
    challenged_at: null,
    uncounted_claims: 0,
    is_switch: request.isSwitch ? 1 : 0,
    noted_reference: null,
  };
  keepCreated(ctx, { attempt: attempt.id });
  return {
    result: attempt,
    columns: { open_attempt_id: attempt.id, billing_retry_at: null },
    writes: [insertAttempt(attempt, snapshot)],
    jobs: [chargeJob(ctx.account.id, attempt)],
    entry: {
      action: request.origin === "SHIP_NOW" ? "ship_now_requested" : "billing_started",
      metadata: {
        billing_attempt_id: attempt.id,
        cycle: attempt.cycle,
        attempt_number: attempt.attempt_number,
        trigger: attempt.origin,
      },
    },
  };
}

/**
 * A try at what is owed, with the payment method of the view, after the latest attempt at the cycle (`selectLatestAttempts`);
 * undefined if nothing is owed or may be charged now, or an attempt is in progress.
 */
export async function startOwed(
  ctx: Ctx,
  view: SubscriptionView,
  request: Pick<AttemptRequest, "before" | "isSwitch">,
): Promise<AttemptStart | undefined> {
  const { row } = view;
  if (!owesPayment(row) || isHeldBack(ctx, row)) return undefined;
  if (row.store_contract_id === null || row.open_attempt_id !== null) return undefined;
  return startAttempt(ctx, view, { ...request, origin: "DUNNING" });
}

/** Whether a payment that is owed waits for the end of a dispute, the address that the account asks for, or no_charge_before, or the subscription is to end. */
export function isHeldBack(ctx: Ctx, row: Subscription): boolean {
  const today = todayOf(ctx);
  const isTooEarly = dayToWaitFor(row, today) !== undefined;
  return isTooEarly || hasReachedEnd(row, today) || isDisputed(row) || lacksAddress(ctx.account, row);
}

/** The time that the message of a new attempt may take before the sweep sends another. */
const graceMs = minuteMs;

function notBillable(row: Subscription, details?: ErrorDetail[]): DomainError {
  return new DomainError("NOT_BILLABLE", `Subscription is not billable: ${row.status}`, details);
}

/** Why an attempt is started, and what it delivers. */
type AttemptRequest = {
  origin: AttemptOrigin;
  slot?: SlotWithDay | undefined;
  delivery?: PlannedDelivery;
  requestHash?: string;
  /** A switch of the payment method is the cause. */
  isSwitch?: boolean;
  /** An attempt that the same batch withdraws, whose number the new one takes. */
  withdrawn?: string | undefined;
  /** The store's charge, where an attempt that the database has lost is made anew: it is asked about, and never sent. */
  sentBefore?: { reference: string; at: Instant };
  /**
   * The charge of an earlier attempt, which pays the cycle: the new attempt has its reference, and is never sent. `figures` is the earlier
   * attempt where the charge has its figures, else those of this moment are charged.
   */
  earlier?: { reference: string; figures: BillingAttempt | undefined };
  /** The latest attempt at the cycle, read with the subscription (`selectLatestAttempts`). */
  before: BillingAttempt | undefined;
};

/**
 * The number grows only after an attempt that the store knows has failed: the same charge always has the same key.
 */
function numberAfter(before: BillingAttempt | undefined, withdrawn: string | undefined): number {
  if (!before) return 1;
  return before.attempt_number + (before.is_refused === 1 || before.id === withdrawn ? 0 : 1);
}

/** The start of an attempt, which is its result. */
export type AttemptStart = Part<BillingAttempt> & { result: BillingAttempt };
