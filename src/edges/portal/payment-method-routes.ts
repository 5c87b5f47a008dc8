import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { notFound } from "../../base/errors.ts";
import { beginPaymentMethod, finishPaymentMethod } from "../../domain/payment-methods/enter.ts";
import { presentPaymentMethod } from "../../domain/payment-methods/present.ts";
import { removePaymentMethod } from "../../domain/payment-methods/remove.ts";
import { answerRemoved } from "../../kit/http/answer-record.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { answersDry, previewed } from "../../kit/http/preview/previewed.ts";
import { countSetup } from "../../kit/http/rate-limit.ts";

const { PaymentMethodData, PaymentMethodSetupData } = deferred(() => import("./payment-method-schemas.ts"));

const path = "/api/portal/payment-methods";
const common = { tag: "Portal", credentials: "customer", resource: "portal", customers: true } as const;

export const ownPaymentMethodOperations = [
  operation({
    ...common,
    id: "beginOwnPaymentMethod",
    method: "post",
    path,
    summary: "Begin to enter a payment method",
    description:
      "Stripe.js takes both texts, and the customer enters the payment method in their browser (`stripe.confirmSetup`): nothing of a card comes here. Nothing is charged, and one that is never entered costs nothing. The shop's can_change_payment_method allows it. Ten a minute for a customer; 429 beyond that. 409 where the store has pages of its own for that, or none.",
    idempotent: false,
    secretAnswer: true,
    errors: ["INVALID_STATE"],
    success: { status: 201, description: "The setup has begun.", schema: PaymentMethodSetupData },
    handler: async ({ c, ctx }) => {
      await countSetup(c, ctx.actor.profile_id ?? "");
      const { client_secret, publishable_key } = await beginPaymentMethod(ctx);
      return { data: { client_secret, publishable_key } };
    },
  }),
  operation({
    ...common,
    id: "completeOwnPaymentMethod",
    method: "post",
    path: `${path}/{setup_intent_id}/complete`,
    params: z.object({
      setup_intent_id: z.string().openapi({
        param: { name: "setup_intent_id", in: "path" },
        minLength: 1,
        maxLength: 255,
        pattern: "^seti_\\w+$",
        description: "The id of the SetupIntent at Stripe that the customer has confirmed.",
        example: "seti_1Example",
      }),
    }),
    idempotent: false,
    summary: "Store the payment method that was entered",
    description:
      "The store is asked for what has become of the setup. 404 unless it was begun for this customer, and has succeeded. Repeating it answers the same. No subscription is paid with it until its payment method is changed.",
    errors: ["INVALID_STATE", "VERSION_CONFLICT"],
    success: { status: 200, description: "The payment method.", schema: PaymentMethodData },
    handler: async ({ ctx, params }) => {
      const method = await finishPaymentMethod(ctx, ctx.actor.profile_id ?? "", params.setup_intent_id);
      if (!method) throw notFound("Completed setup");
      return { data: presentPaymentMethod(method) };
    },
  }),
  operation({
    ...common,
    id: "removeOwnPaymentMethod",
    ...previewed,
    method: "delete",
    path: `${path}/{id}`,
    params: pathId("payment method", demoId("payment_method", 1)),
    summary: "Remove a payment method",
    description:
      "It is taken from the customer at the store too, for good. 409 while a subscription that is not over is paid with it, and where the store does not let go of any here.",
    errors: ["INVALID_STATE"],
    success: { status: 204, description: "It is removed." },
    alsoAnswers: answersDry("the payment method that would be removed", PaymentMethodData),
    handler: ({ c, ctx, params }) =>
      answerRemoved({ c, ctx }, removePaymentMethod(ctx, params.id), presentPaymentMethod),
  }),
];
