import type { z } from "@hono/zod-openapi";
import type { Ctx } from "../../context.ts";
import type { KeptPaymentMethod } from "../../payment-methods/keeping.ts";
import { requirePaymentMethod, requireStorePaymentMethod } from "../../payment-methods/queries.ts";
import { type Decision, perform } from "../../subscriptions/actions/perform.ts";
import { requireAllowed } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { PaymentMethodChange } from "../../subscriptions/requests.ts";
import { sendCharges, startOwed } from "./start.ts";

type Asked = z.output<typeof PaymentMethodChange>;

const askedMethod = async (ctx: Ctx, profileId: string, asked: Asked): Promise<KeptPaymentMethod> =>
  "payment_method_id" in asked
    ? { method: await requirePaymentMethod(ctx, profileId, asked.payment_method_id), writes: [] }
    : requireStorePaymentMethod(ctx, profileId, asked.store_payment_method_id);

/**
 * Switches the payment method. Where payment is owed, it is tried with the new one at once, in the same batch
 * (docs/decisions.md#6-billing); where an attempt with the old one is in progress, as soon as that has failed (record-failure.ts).
 */
export const changePaymentMethod = async (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  asked: Asked,
): Promise<SubscriptionView> => {
  let charges: string[] = [];
  const changed = await perform(ctx, id, dryRun, async (view): Promise<Decision | undefined> => {
    charges = [];
    const { row } = view;
    const { method, writes } = await askedMethod(ctx, row.profile_id, asked);
    requireAllowed("change", row, "change the payment method");
    if (row.payment_method_id === method.id && writes.length === 0) return undefined;
    const decision = {
      action: "payment_method_changed" as const,
      after: { payment_method_id: method.id },
      shown: { method },
      metadata: { brand: method.brand, last4: method.last4 },
    };
    if (row.open_attempt_id !== null) charges = [row.open_attempt_id];
    const start = await startOwed(ctx, { ...view, method });
    if (!start) return { ...decision, writes };
    charges = [start.attempt.id];
    return {
      ...decision,
      after: { ...decision.after, ...start.after },
      writes: [...writes, ...start.writes],
      also: [start.told],
    };
  });
  if (!dryRun && charges.length > 0) await sendCharges(ctx, charges);
  return changed;
};
