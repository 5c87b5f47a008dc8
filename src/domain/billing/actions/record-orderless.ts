import { later } from "../../../base/lib/time/dates.ts";
import { minuteMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { ChargeAnswer } from "../../../stores/port.ts";
import type { BillingAttempt } from "../tables.ts";
import { recordSuccess } from "./record-success.ts";
import { chargeLater } from "./wait.ts";

type Orderless = Extract<ChargeAnswer, { outcome: "succeeded_without_order" }>;

/**
 * Records a charge whose order the store does not show: it was deleted, or may not be read. The customer has paid, so the cycle must
 * not stay open, nor be charged again. For a while the order may still appear; after that the charge is recorded by itself, with what
 * the store says was paid, else with the amount of the attempt. The order is known by the charge's reference until it is shown.
 */
export async function recordOrderless(
  ctx: Ctx,
  attempt: BillingAttempt,
  { reference, paid }: Orderless,
): Promise<void> {
  const mayAppearUntil = later(attempt.open_since ?? ctx.now, orderDelayMs);
  if (ctx.now < mayAppearUntil) return chargeLater(ctx, attempt, { outcome: "pending", reference });
  const { amount, currency_code } = paid ?? attempt;
  await recordSuccess(ctx, attempt, {
    outcome: "succeeded",
    reference,
    store_order_id: reference,
    store_order_number: null,
    amount,
    tax_amount: Math.max(0, amount - attempt.amount),
    fees_amount: 0,
    currency_code,
  });
  ctx.log("charge_without_order", { alert: true, attempt_id: attempt.id, reference });
}

/** Much longer than a store takes to show an order. */
const orderDelayMs = 15 * minuteMs;
