import type { Ctx } from "../../kit/context.ts";
import type { StoreRefund } from "../../stores/port/refunds.ts";
import { StoreRefusalError, StoreThrottledError, UnknownOutcomeError } from "../../stores/port.ts";
import { getOwnOrder } from "./queries.ts";
import { recordRefund } from "./record-refund.ts";
import { refundKey } from "./refund-key.ts";
import { lookLater, takeRefund } from "./refund-outbox.ts";
import type { OrderRefund } from "./tables.ts";
import { takeOverRefunds } from "./take-over-refunds.ts";

/**
 * Asks the store to pay a refund back, and records the answer. The store is first asked for what it has: an earlier request may have
 * reached it, whatever is known of it here. So a repetition, late, twice or at once, pays once.
 */
export async function makeRefund(ctx: Ctx, id: string): Promise<void> {
  const refund = await takeRefund(ctx, id);
  if (!refund) return;
  const seen = await askStoreSafely(ctx, refund);
  if (seen.outcome === "unknown") return lookLater(ctx, refund, seen);
  if (seen.outcome === "refused") return recordRefusal(ctx, refund, seen.error);
  await recordRefund(ctx, refund.order_id, seen.refund);
  if (seen.refund.status === "PENDING") await lookLater(ctx, refund, { reference: seen.refund.reference });
}

/** The store's answer. Where it is not known, after how many seconds it is asked again at the earliest, if the store says so. */
type StoreAnswer =
  | { outcome: "shown"; refund: StoreRefund }
  | { outcome: "refused"; error: StoreRefusalError }
  | { outcome: "unknown"; seconds?: number };

/** An error that is no refusal leaves the outcome unknown: an outage is never a failure. */
function askStoreSafely(ctx: Ctx, refund: OrderRefund): Promise<StoreAnswer> {
  return askStore(ctx, refund).catch((error): StoreAnswer => {
    if (!(error instanceof UnknownOutcomeError || error instanceof StoreRefusalError)) throw error;
    const { id: refund_id, tries } = refund;
    ctx.log("refund_outcome_unknown", {
      alert: tries === alertedTries,
      refund_id,
      tries,
      cause: error.message,
    });
    return error instanceof StoreThrottledError
      ? { outcome: "unknown", seconds: error.retryAfter }
      : { outcome: "unknown" };
  });
}

/** After about a day, people are told once. */
const alertedTries = 18;

async function askStore(ctx: Ctx, refund: OrderRefund): Promise<StoreAnswer> {
  const { id, order_id, is_own, store_reference, amount, reason, tries } = refund;
  const key = is_own === 1 ? refundKey(id) : null;
  const order = await getOwnOrder(ctx, order_id);
  const all = await takeOverRefunds(ctx, order);
  const shown = all.find((one) => (key === null ? one.reference === store_reference : one.key === key));
  if (shown) return { outcome: "shown", refund: shown };
  const { row, chargeReference } = order;
  if (key === null || chargeReference === null || !ctx.store.refund) return { outcome: "unknown" };
  const { currency_code } = row;
  const asked = { key, reference: chargeReference, amount, currency_code, reason };
  try {
    return { outcome: "shown", refund: await ctx.store.refund(asked) };
  } catch (error) {
    if (error instanceof StoreRefusalError && !mayArriveLate(tries)) return { outcome: "refused", error };
    throw error;
  }
}

/** Whether an earlier request may still reach the store, and be paid after this one was refused. */
function mayArriveLate(tries: number): boolean {
  return tries > 1 && tries <= quietTries;
}

/** The pauses double from a minute on: after so many tries the last one was longer ago than any request takes. */
const quietTries = 7;

/** Nothing is paid back: the amount is free again, and people are told. */
async function recordRefusal(
  ctx: Ctx,
  refund: OrderRefund,
  { message, codes }: StoreRefusalError,
): Promise<void> {
  const { id, order_id, amount, reason, tries } = refund;
  ctx.log("store_refused", { alert: true, refund_id: id, order_id, codes });
  const failed = {
    key: refundKey(id),
    reference: null,
    amount,
    reason,
    status: "FAILED",
    error: message,
    refusedTry: tries,
  } as const;
  await recordRefund(ctx, order_id, failed);
}
