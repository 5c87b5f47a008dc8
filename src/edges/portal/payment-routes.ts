import { demoId } from "../../base/demo.ts";
import { findPaymentUpdate, requestPaymentUpdate } from "../../domain/store-sync/payment-update.ts";
import { conflictErrors, isDry } from "../../domain/subscriptions/change-operations.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";

const { PaymentUpdateData } = deferred(() => import("../../domain/store-sync/payment-update-schemas.ts"));
const { DryRunQuery } = deferred(() => import("../../domain/subscriptions/requests.ts"));

export const ownPaymentOperations = [
  operation({
    tag: "Portal",
    credentials: "customer",
    resource: "portal",
    customers: true,
    path: "/api/portal/subscriptions/{id}/payment-update",
    params: pathId("subscription", demoId("subscription", 1)),
    id: "requestPaymentUpdate",
    method: "post",
    summary: "Have the store e-mail a link to replace the payment method",
    description:
      "The store sends the customer its own e-mail, with a link to a page of the store on which they replace the payment method of the subscription. Three a day for each customer. The shop's can_change_payment_method allows it. 409 where the store sends none, or has refused to. The sandbox store takes the request and sends nothing.",
    query: DryRunQuery,
    errors: [...conflictErrors],
    success: { status: 200, description: "The e-mail was asked for.", schema: PaymentUpdateData },
    handler: async ({ ctx, params, query }) => ({
      data: await requestPaymentUpdate(ctx, { ...params, dryRun: isDry(query) }),
    }),
    answerAgain: async ({ ctx, created }) => ({ data: await findPaymentUpdate(ctx, created.paymentUpdate) }),
  }),
];
