import type { z } from "@hono/zod-openapi";
import type { Ctx } from "../../context.ts";
import { markMethodAgreed } from "../../contracts/outbox.ts";
import type { StatementsOf } from "../../db/statement.ts";
import { DomainError } from "../../errors.ts";
import { chargeJob, type Job } from "../../job.ts";
import { namedMethods, requirePaymentMethod } from "../../payment-methods/queries.ts";
import type { PaymentMethod } from "../../payment-methods/tables.ts";
import {
  type CommandWith,
  changeSubscription,
  type Decision,
} from "../../subscriptions/actions/change-subscription.ts";
import { requireAllowed } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { PaymentMethodChange } from "../../subscriptions/requests.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { latestAttempts } from "../queries.ts";
import type { BillingAttempt } from "../tables.ts";
import { startOwed } from "./start.ts";

type Request = z.output<typeof PaymentMethodChange>;

/**
 * Switches the payment method. A payment that is owed is tried with the new one in the same batch, or, while an attempt with
 * the old one is in progress, as soon as that attempt has failed (record-failure.ts).
 */
export const changePaymentMethod = (
  ctx: Ctx,
  { id, dryRun, request }: CommandWith<Request>,
): Promise<SubscriptionView> => {
  const options = { alongside: named(ctx, id, request), dryRun, needs: "can_change_payment_method" } as const;
  return changeSubscription(ctx, id, options, (view, methods, [latest]) =>
    decideSwitch(ctx, view, { request, methods, latest }),
  );
};

/**
 * Switches a subscription to the payment method that its customer has chosen for the contract at the store, as `changePaymentMethod`
 * does. Returns false, and logs it, if the method is not the customer's own.
 */
export async function takeOverPaymentMethod(ctx: Ctx, id: string, storeMethodId: string): Promise<boolean> {
  try {
    const request = { store_payment_method_id: storeMethodId };
    await changeSubscription(
      ctx,
      id,
      { alongside: named(ctx, id, request) },
      async (view, methods, [latest]) => {
        const decision = await decideSwitch(ctx, view, { request, methods, latest }, atStore);
        return (
          decision && { ...decision, writes: [...decision.writes, markMethodAgreed(view.row, storeMethodId)] }
        );
      },
    );
    return true;
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "UNKNOWN_PAYMENT_METHOD")) throw error;
    ctx.log("payment_method_not_taken_over", { alert: true, subscription_id: id });
    return false;
  }
}

const atStore = { reason: "changed at the store" };

/** The payment method that the request names, and the latest attempt at the cycle. */
function named(ctx: Ctx, id: string, request: Request): StatementsOf<[PaymentMethod, BillingAttempt]> {
  return [namedMethods(ctx, request, { subscription_id: id }), latestAttempts(ctx, [id])];
}

type Switch = { request: Request; methods: PaymentMethod[]; latest: BillingAttempt | undefined };

async function decideSwitch(
  ctx: Ctx,
  view: SubscriptionView,
  { request, methods, latest }: Switch,
  why: object = {},
) {
  const { row } = view;
  const { method, writes } = await requirePaymentMethod(ctx, row.profile_id, request, methods);
  requireAllowed("change", row, "change the payment method");
  if (row.payment_method_id === method.id && writes.length === 0) return undefined;
  const start = await startOwed(ctx, { ...view, method }, latest);
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

/** An attempt in progress goes on at once: it may wait for a challenge that the customer has now abandoned. */
function openAttemptJobs(ctx: Ctx, { id: subscription_id, open_attempt_id: id }: Subscription): Job[] {
  return id === null ? [] : [chargeJob(ctx.account.id, { id, subscription_id })];
}
