import type { z } from "@hono/zod-openapi";
import type { Ctx } from "../../context.ts";
import { markMethodAgreed } from "../../contracts/outbox.ts";
import { DomainError } from "../../errors.ts";
import { chargeJob, type Job } from "../../job.ts";
import { requirePaymentMethod, requireStorePaymentMethod } from "../../payment-methods/queries.ts";
import type { UpsertedPaymentMethod } from "../../payment-methods/upsert.ts";
import {
  type CommandWith,
  changeSubscription,
  type Decision,
} from "../../subscriptions/actions/change-subscription.ts";
import { requireAllowed } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { PaymentMethodChange } from "../../subscriptions/requests.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { startOwed } from "./start.ts";

type Request = z.output<typeof PaymentMethodChange>;

/**
 * Switches the payment method. A payment that is owed is tried with the new one in the same batch, or, while an attempt with
 * the old one is in progress, as soon as that attempt has failed (record-failure.ts).
 */
export const changePaymentMethod = (
  ctx: Ctx,
  { id, dryRun, request }: CommandWith<Request>,
): Promise<SubscriptionView> =>
  changeSubscription(ctx, id, { dryRun, needs: "can_change_payment_method" }, (view) =>
    decideSwitch(ctx, view, request),
  );

/**
 * Switches a subscription to the payment method that its customer has chosen for the contract at the store, as `changePaymentMethod`
 * does. Returns false, and logs it, if the method is not the customer's own.
 */
export async function takeOverPaymentMethod(ctx: Ctx, id: string, storeMethodId: string): Promise<boolean> {
  try {
    await changeSubscription(ctx, id, {}, async (view) => {
      const decision = await decideSwitch(ctx, view, { store_payment_method_id: storeMethodId }, atStore);
      return (
        decision && { ...decision, writes: [...decision.writes, markMethodAgreed(view.row, storeMethodId)] }
      );
    });
    return true;
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "UNKNOWN_PAYMENT_METHOD")) throw error;
    ctx.log("payment_method_not_taken_over", { alert: true, subscription_id: id });
    return false;
  }
}

const atStore = { reason: "changed at the store" };

async function decideSwitch(ctx: Ctx, view: SubscriptionView, request: Request, why: object = {}) {
  const { row } = view;
  const { method, writes } = await findMethod(ctx, row.profile_id, request);
  requireAllowed("change", row, "change the payment method");
  if (row.payment_method_id === method.id && writes.length === 0) return undefined;
  const start = await startOwed(ctx, { ...view, method });
  const { brand, last4 } = method;
  return {
    entry: { action: "payment_method_changed", metadata: { brand, last4, ...why } },
    columns: { payment_method_id: method.id, ...start?.columns },
    shown: { method },
    ownEntries: start ? [start.entry] : [],
    writes: [...writes, ...(start?.writes ?? [])],
    jobs: start?.jobs ?? openAttemptJobs(ctx, row),
  } satisfies Decision;
}

async function findMethod(ctx: Ctx, profileId: string, request: Request): Promise<UpsertedPaymentMethod> {
  if (!("payment_method_id" in request))
    return requireStorePaymentMethod(ctx, profileId, request.store_payment_method_id);
  return { method: await requirePaymentMethod(ctx, profileId, request.payment_method_id), writes: [] };
}

/** An attempt in progress goes on at once: it may wait for a challenge that the customer has now abandoned. */
function openAttemptJobs(ctx: Ctx, { id: subscription_id, open_attempt_id: id }: Subscription): Job[] {
  return id === null ? [] : [chargeJob(ctx.account.id, { id, subscription_id })];
}
