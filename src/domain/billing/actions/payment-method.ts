import type { z } from "@hono/zod-openapi";
import { DomainError } from "../../../base/errors.ts";
import { chargeJob, type Job } from "../../../base/job.ts";
import type { Ctx } from "../../../kit/context.ts";
import { updateMethodAgreed } from "../../contracts/outbox.ts";
import { requirePaymentMethod, selectNamedMethods } from "../../payment-methods/queries.ts";
import type { PaymentMethod } from "../../payment-methods/tables.ts";
import type { UpsertedPaymentMethod } from "../../payment-methods/upsert.ts";
import {
  type Changed,
  type CommandWith,
  changeSubscription,
} from "../../subscriptions/actions/change-subscription.ts";
import { requireAllowed } from "../../subscriptions/lifecycle.ts";
import { combine, type Part } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { PaymentMethodChange } from "../../subscriptions/requests.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import type { BillingAttempt } from "../tables.ts";
import { type KnownForSwitch, readForSwitch, tryNewMethod } from "./new-method.ts";

type Request = z.output<typeof PaymentMethodChange>;

/**
 * Switches the payment method. A payment that is owed is tried with the new one in the same batch, or, while an attempt with
 * the old one is in progress, as soon as that attempt has failed (record-failure.ts); beyond the hourly limit by dunning
 * (new-method.ts). The result is the attempt that the switch starts, or for a dry run would start.
 */
export function changePaymentMethod(
  ctx: Ctx,
  { id, request }: CommandWith<Request>,
): Promise<Changed<BillingAttempt>> {
  const alongside = readFor(ctx, id, request);
  const options = { alongside, needs: "can_change_payment_method" } as const;
  return changeSubscription(ctx, id, options, (view, found) =>
    decideSwitch(ctx, view, { request, ...found }),
  );
}

/**
 * Switches a subscription to the payment method that its customer has chosen for the contract at the store, as `changePaymentMethod`
 * does. Returns false, and logs it, if the method is not the customer's own.
 */
export async function takeOverPaymentMethod(ctx: Ctx, id: string, storeMethodId: string): Promise<boolean> {
  try {
    const request = { store_payment_method_id: storeMethodId };
    const alongside = readFor(ctx, id, request);
    await changeSubscription(ctx, id, { alongside }, async (view, found) => {
      const decision = await decideSwitch(ctx, view, { request, ...found }, atStore);
      return decision && combine(decision, { writes: [updateMethodAgreed(view.row, storeMethodId)] });
    });
    return true;
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "UNKNOWN_PAYMENT_METHOD")) throw error;
    ctx.log("payment_method_not_taken_over", { alert: true, subscription_id: id });
    return false;
  }
}

const atStore = { reason: "changed at the store" };

/** The payment method that the request names, and what decides whether it is tried at once. */
function readFor(ctx: Ctx, id: string, request: Request) {
  return { methods: readMethods(ctx, id, request), ...readForSwitch(ctx, id) };
}

export function readMethods(ctx: Ctx, id: string, request: Request) {
  return selectNamedMethods(ctx, request, { subscription_id: id });
}

type Asked = { request: Request; methods: PaymentMethod[] };

async function decideSwitch(
  ctx: Ctx,
  view: SubscriptionView,
  { request, methods, ...known }: Asked & KnownForSwitch,
  why?: object,
): Promise<Part<BillingAttempt> | undefined> {
  return switchMethod(ctx, view, await requireMethod(ctx, view.row, { request, methods }), known, why);
}

/** The payment method that is asked for, of a subscription that may have another. Throws UNKNOWN_PAYMENT_METHOD, INVALID_STATE. */
export async function requireMethod(
  ctx: Ctx,
  row: Subscription,
  { request, methods }: Asked,
): Promise<UpsertedPaymentMethod> {
  const found = await requirePaymentMethod(ctx, row.profile_id, request, { found: methods });
  requireAllowed("change", row, "change the payment method");
  return found;
}

/** The decision to switch one subscription to a payment method of its customer's; undefined where it has that already. */
export async function switchMethod(
  ctx: Ctx,
  view: SubscriptionView,
  { method, writes }: UpsertedPaymentMethod,
  known: KnownForSwitch,
  why: object = {},
): Promise<Part<BillingAttempt> | undefined> {
  const { row } = view;
  if (row.payment_method_id === method.id && writes.length === 0) return undefined;
  const { brand, last4 } = method;
  return combine(
    {
      entry: { action: "payment_method_changed", metadata: { brand, last4, ...why } },
      columns: { payment_method_id: method.id },
      shown: { method },
      writes,
      jobs: openAttemptJobs(ctx, row),
    },
    await tryNewMethod(ctx, { ...view, method }, known),
  );
}

/** An attempt in progress goes on at once: it may wait for a challenge that the customer has now abandoned. */
function openAttemptJobs(ctx: Ctx, { id: subscription_id, open_attempt_id: id }: Subscription): Job[] {
  return id === null ? [] : [chargeJob(ctx.account.id, { id, subscription_id })];
}
