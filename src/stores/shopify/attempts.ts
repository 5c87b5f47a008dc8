import { z } from "zod";
import { plainIdOf } from "../global-ids.ts";
import type { ChargeAnswer } from "../port.ts";
import { classifyFailure } from "./declines.ts";
import { minorOf, moneyBagSchema } from "./responses.ts";

/** The answer if Shopify refuses to create an attempt, so that it does not know the key. */
export function refusalAnswer(key: string, code: string, message: string | undefined): ChargeAnswer {
  return {
    outcome: "declined",
    reference: key,
    ...classifyFailure(code, message, true),
  };
}

/** The state of an attempt as an answer. A success has no order if that was deleted, or the app may not read it. */
export function interpretAttempt({ id, state }: ShopifyAttempt): ChargeAnswer {
  switch (state.__typename) {
    case "SubscriptionBillingAttemptSuccessState":
      return state.order
        ? successOf(id, state.order)
        : { outcome: "succeeded_without_order", reference: id, paid: null };
    case "SubscriptionBillingAttemptFailedState": {
      const { generalCode, inventoryCode, paymentCode, message } = state.error;
      const code = generalCode ?? inventoryCode ?? paymentCode ?? "UNEXPECTED_ERROR";
      return { outcome: "declined", reference: id, ...classifyFailure(code, message, false) };
    }
    case "SubscriptionBillingAttemptActionRequiredState":
      return { outcome: "action_required", reference: id, url: state.action.nextActionUrl };
    default:
      return { outcome: "pending", reference: id };
  }
}

const order = z.object({
  id: z.string(),
  name: z.string(),
  taxesIncluded: z.boolean(),
  totalPriceSet: moneyBagSchema,
  totalTaxSet: moneyBagSchema.nullable(),
  originalTotalDutiesSet: moneyBagSchema.nullable(),
  originalTotalAdditionalFeesSet: moneyBagSchema.nullable(),
});

const failure = z.object({
  __typename: z.string(),
  generalCode: z.string().optional(),
  inventoryCode: z.string().optional(),
  paymentCode: z.string().optional(),
  message: z.string().optional(),
});

/** A billing attempt as the documents select it. */
export const attemptSchema = z.object({
  id: z.string(),
  idempotencyKey: z.string(),
  state: z.discriminatedUnion("__typename", [
    z.object({ __typename: z.literal("SubscriptionBillingAttemptPendingState") }),
    z.object({ __typename: z.literal("SubscriptionBillingAttemptSuccessState"), order: order.nullable() }),
    z.object({ __typename: z.literal("SubscriptionBillingAttemptFailedState"), error: failure }),
    z.object({
      __typename: z.literal("SubscriptionBillingAttemptActionRequiredState"),
      action: z.object({ nextActionUrl: z.string() }),
    }),
  ]),
});
export type ShopifyAttempt = z.output<typeof attemptSchema>;

function successOf(reference: string, sold: z.output<typeof order>): ChargeAnswer {
  return {
    outcome: "succeeded",
    reference,
    store_order_id: plainIdOf("Order", sold.id),
    store_order_number: sold.name,
    amount: minorOf(sold.totalPriceSet.presentmentMoney),
    tax_amount:
      sold.taxesIncluded || sold.totalTaxSet === null ? 0 : minorOf(sold.totalTaxSet.presentmentMoney),
    fees_amount: minorIn(sold.originalTotalDutiesSet) + minorIn(sold.originalTotalAdditionalFeesSet),
    currency_code: sold.totalPriceSet.presentmentMoney.currencyCode,
  };
}

function minorIn(bag: z.output<typeof moneyBagSchema> | null): number {
  return bag ? minorOf(bag.presentmentMoney) : 0;
}
