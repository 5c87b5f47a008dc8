import type { Ctx } from "../../context.ts";
import { recovery } from "../../dunning/actions.ts";
import type { ChargeAnswer } from "../../store/port.ts";
import { type Decision, perform, type Told } from "../../subscriptions/actions/perform.ts";
import { afterCycle, type Discount, type Line } from "../../subscriptions/amounts.ts";
import { isOver, over, unpaused } from "../../subscriptions/lifecycle.ts";
import { pricedColumns } from "../../subscriptions/lines.ts";
import { paidAfterCancel } from "../../subscriptions/prepaid.ts";
import { discountsOf, linesOf } from "../../subscriptions/present.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { nextAfter, owedOf, todayOf } from "../../subscriptions/schedule.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { type Frozen, frozenOf, paidForBy } from "../frozen.ts";
import { orderOfCharge } from "../order.ts";
import type { BillingAttempt } from "../tables.ts";
import { settled, stillOpen } from "./settle.ts";
import { putUnderReview } from "./wait.ts";

type Success = Extract<ChargeAnswer, { outcome: "succeeded" }>;

/** How often at most what is recorded is decided anew, where customers change the subscription meanwhile. */
export const recordTries = 8;

/** What has been ordered leaves the subscription: its one-time lines, and a cycle of each of its discounts. */
const remaining = (ctx: Ctx, row: Subscription, { lines, discounts }: Frozen): Partial<Subscription> => {
  const ordered = new Set(lines.filter(({ is_one_time }) => is_one_time).map(({ id }) => id));
  const served = new Set(discounts.filter(({ status }) => status === "ACTIVE").map(({ id }) => id));
  const left: Line[] = linesOf(row).filter(({ id }) => !ordered.has(id));
  const counted: Discount[] = discountsOf(row).map((discount) =>
    served.has(discount.id) ? afterCycle(discount, ctx.now) : discount,
  );
  return pricedColumns(left, counted, row.tax_amount);
};

/** The dates after the delivery that was billed; none are left where the last cycle has been, but for what is prepaid. */
const datesAfter = (ctx: Ctx, { row, place }: SubscriptionView, frozen: Frozen, isLast: boolean) => {
  const owed = owedOf(row) + frozen.deliveries - 1;
  const { delivery_date: delivery, isOffSchedule } = frozen;
  const dates = nextAfter(row, place, { delivery, owed, isOffSchedule }, todayOf(ctx));
  return { ends: isLast && owed === 0, dates: isLast ? { ...dates, next_billing_date: null } : dates };
};

/** What a paid cycle comes to: the columns, further entries, and what else its own entry says. */
type Progress = { after: Partial<Subscription>; also: Told[]; metadata?: Record<string, unknown> };

/**
 * What a paid cycle changes of the life it belongs to. Of one that has ended, or begun anew, it changes only which
 * deliveries are paid for.
 */
const progress = (ctx: Ctx, view: SubscriptionView, attempt: BillingAttempt): Progress => {
  const { row } = view;
  const frozen = { ...frozenOf(attempt), deliveries: paidForBy(attempt, row) };
  if (row.activation !== attempt.activation) return { ...paidAfterCancel(ctx, view, frozen), also: [] };
  const after = { current_billing_cycle: attempt.cycle + 1, ...remaining(ctx, row, frozen) };
  if (isOver(row)) {
    const late = paidAfterCancel(ctx, view, frozen);
    return { ...late, after: { ...after, ...late.after }, also: [] };
  }
  const isLast = row.max_cycles !== null && attempt.cycle >= row.max_cycles;
  const { ends, dates } = datesAfter(ctx, view, frozen, isLast);
  if (ends)
    return {
      after: { ...after, ...over, ...unpaused, status: "EXPIRED" },
      also: [{ action: "subscription_expired", metadata: { cycles: attempt.cycle } }],
    };
  const status = row.status === "PAYMENT_FAILED" ? "ACTIVE" : row.status;
  return { after: { ...after, ...dates, status, dunning_episode_id: null }, also: [] };
};

/**
 * Records a charge that was made: its order, the cycle that is consumed, the schedule's next step, dunning that it ends
 * and the attempt's end, in one batch that its claim and the subscription's revision guard.
 */
export const recordSuccess = async (ctx: Ctx, attempt: BillingAttempt, success: Success): Promise<void> => {
  const untaxed = success.amount - success.tax_amount;
  if (untaxed !== attempt.amount || success.currency_code !== attempt.currency_code)
    return putUnderReview(
      ctx,
      attempt,
      "amount_mismatch",
      "The store has charged another amount for this key",
    );
  let isTaken = false;
  await perform(
    ctx,
    attempt.subscription_id,
    false,
    async (view): Promise<Decision | undefined> => {
      if (!(await stillOpen(ctx, attempt))) return undefined;
      const { row } = view;
      const order = await orderOfCharge(ctx, row, frozenOf(attempt), { ...success, attemptId: attempt.id });
      isTaken = order === undefined;
      if (!order) return undefined;
      const { after, also, metadata } = progress(ctx, view, attempt);
      const recovered = row.activation === attempt.activation ? recovery(ctx, row) : { writes: [], also: [] };
      return {
        action: order.entry.action,
        order_id: order.id,
        metadata: {
          billing_attempt_id: attempt.id,
          cycle: attempt.cycle,
          store_order_id: success.store_order_id,
          ...metadata,
        },
        after: {
          ...after,
          open_attempt_id: null,
          last_order_id: order.id,
          total_revenue: row.total_revenue + order.revenue,
        },
        also: [...recovered.also, ...also],
        writes: [
          ...settled(ctx, attempt, {
            status: "SUCCEEDED",
            store_reference: success.reference,
            order_id: order.id,
            error_code: null,
            error_message: null,
          }),
          ...order.writes,
          ...recovered.writes,
        ],
        made: [order.entry],
      };
    },
    recordTries,
  );
  if (isTaken)
    await putUnderReview(
      ctx,
      attempt,
      "order_taken",
      "The store's order is of another charge or subscription",
    );
};
