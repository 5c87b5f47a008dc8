import { demoId } from "../../base/demo.ts";
import { findPaymentUpdate, requestPaymentUpdate } from "../../domain/store-sync/payment-update.ts";
import { conflictErrors } from "../../domain/subscriptions/change-operations.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { previewed } from "../../kit/http/preview/previewed.ts";

const { PaymentUpdateData } = deferred(() => import("../../domain/store-sync/payment-update-schemas.ts"));

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
    ...previewed,
    errors: [...conflictErrors],
    success: { status: 200, description: "The e-mail was asked for.", schema: PaymentUpdateData },
    handler: async ({ ctx, params }) => ({ data: await requestPaymentUpdate(ctx, params) }),
    answerAgain: async ({ ctx, created }) => ({ data: await findPaymentUpdate(ctx, created.paymentUpdate) }),
  }),
];
