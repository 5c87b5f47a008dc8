import type { z } from "@hono/zod-openapi";
import type { Ctx } from "../../context.ts";
import type { Job } from "../../job.ts";
import { requirePaymentMethod, requireStorePaymentMethod } from "../../payment-methods/queries.ts";
import type { UpsertedPaymentMethod } from "../../payment-methods/upsert.ts";
import { changeSubscription, type Decision } from "../../subscriptions/actions/change-subscription.ts";
import { requireAllowed } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { PaymentMethodChange } from "../../subscriptions/requests.ts";
import { chargeJob, startOwed } from "./start.ts";

type Asked = z.output<typeof PaymentMethodChange>;

const askedMethod = async (ctx: Ctx, profileId: string, asked: Asked): Promise<UpsertedPaymentMethod> =>
  "payment_method_id" in asked
    ? { method: await requirePaymentMethod(ctx, profileId, asked.payment_method_id), writes: [] }
    : requireStorePaymentMethod(ctx, profileId, asked.store_payment_method_id);

/**
 * Switches the payment method. Where payment is owed, it is tried with the new one at once, in the same batch; where an
 * attempt with the old one is in progress, as soon as that has failed (record-failure.ts).
 */
export const changePaymentMethod = (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  asked: Asked,
): Promise<SubscriptionView> =>
  changeSubscription(ctx, id, { dryRun }, async (view): Promise<Decision | undefined> => {
    const { row } = view;
    const { method, writes } = await askedMethod(ctx, row.profile_id, asked);
    requireAllowed("change", row, "change the payment method");
    if (row.payment_method_id === method.id && writes.length === 0) return undefined;
    const start = await startOwed(ctx, { ...view, method });
    const { brand, last4 } = method;
    return {
      entry: { action: "payment_method_changed", metadata: { brand, last4 } },
      columns: { payment_method_id: method.id, ...start?.columns },
      shown: { method },
      ownEntries: start ? [start.entry] : [],
      writes: [...writes, ...(start?.writes ?? [])],
      jobs: start?.jobs ?? openAttemptJobs(ctx, row.open_attempt_id),
    };
  });

/** An attempt in progress is looked at at once: it may wait for a challenge that the customer now gives up. */
const openAttemptJobs = (ctx: Ctx, attemptId: string | null): Job[] =>
  attemptId === null ? [] : [chargeJob(ctx, attemptId)];
