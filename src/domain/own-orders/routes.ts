import type { z } from "@hono/zod-openapi";
import { notFound } from "../../base/errors.ts";
import { toMajor } from "../../base/lib/money.ts";
import type { Ctx } from "../../kit/context.ts";
import { answerRecord } from "../../kit/http/answer-record.ts";
import { requireScopes } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { answersDry, previewed } from "../../kit/http/preview/previewed.ts";
import { presentOrder } from "../orders/present.ts";
import { getOrder } from "../orders/queries.ts";
import type { Order } from "../orders/tables.ts";
import { cancelOrder } from "./cancel.ts";
import { fulfillOrder } from "./fulfill.ts";
import { findRefund, listRefunds } from "./queries.ts";
import { refundOrder } from "./refunds.ts";
import type { OrderRefundBody } from "./schemas.ts";
import type { OrderRefund } from "./tables.ts";

const { OrderData } = deferred(() => import("../orders/schemas.ts"));
const { FulfillmentRequest, OrderCancelRequest, orderPath, RefundRequest } = deferred(
  () => import("./requests.ts"),
);
const { OrderRefundData, OrderRefundList, OrderRefundQuery } = deferred(() => import("./schemas.ts"));

const path = "/api/subscriptions/orders/{id}";
const ofOrder = {
  tag: "Orders",
  credentials: "apiKeyAndBearer",
  resource: "orders",
  params: orderPath,
} as const;
const ofRefunds = { ...ofOrder, resource: "billing" } as const;
const conflicts = ["INVALID_STATE", "VERSION_CONFLICT"] as const;

/** An order as it is changed, with what belongs to it. */
async function shown(ctx: Ctx, changing: Promise<Order>) {
  const changed = await changing;
  return { data: presentOrder({ ...(await getOrder(ctx, changed.id)), ...changed }, ctx.account) };
}

export const ownOrderOperations = [
  operation({
    ...ofOrder,
    id: "fulfillOrder",
    ...previewed,
    method: "put",
    path: `${path}/fulfillment`,
    summary: "Ship an order",
    description:
      "Says how far an order is sent, and how its parcel is followed; the customer is mailed once it is FULFILLED. It only goes forward, and tracking may come later or change. The same once more changes nothing. Refused with INVALID_STATE for a cancelled order, and for one that its store keeps.",
    body: FulfillmentRequest,
    errors: [...conflicts],
    success: { status: 200, description: "The order as it is now.", schema: OrderData },
    handler: ({ ctx, params, body }) => shown(ctx, fulfillOrder(ctx, { ...params, request: body })),
  }),
  operation({
    ...ofOrder,
    id: "cancelOrder",
    ...previewed,
    method: "post",
    path: `${path}/cancel`,
    summary: "Cancel an order",
    description:
      "Calls an order off of which nothing was sent, and pays it back where `refund` says so. The subscription goes on by its dates, and the cycle that the order was billed for does not become due again. Once more changes nothing. Refused with INVALID_STATE for an order that is sent, in part or whole, and for one that its store keeps.",
    destructive: true,
    body: OrderCancelRequest,
    errors: [...conflicts],
    success: { status: 200, description: "The cancelled order.", schema: OrderData },
    handler: async ({ c, ctx, params, body: { reason = null, refund: refunds = false } }) => {
      if (refunds) requireScopes(c, ["billing:write"]);
      return shown(ctx, cancelOrder(ctx, { ...params, reason, refunds }));
    },
    answerAgain: ({ ctx, params }) => answerRecord(getOrder(ctx, params.id), presentOrder, ctx.account),
  }),
  operation({
    ...ofRefunds,
    id: "listOrderRefunds",
    method: "get",
    path: `${path}/refunds`,
    summary: "List an order's refunds",
    description:
      "What was paid back of an order, or is being paid back, newest first; also refunds made at the store.",
    query: OrderRefundQuery,
    success: pageAnswer("A page of refunds.", OrderRefundList),
    handler: ({ c, ctx, params, query }) =>
      answerList(
        { c, query },
        async (page) => {
          const [order, refunds] = await Promise.all([
            getOrder(ctx, params.id),
            listRefunds(ctx, page, {}, { order_id: params.id }),
          ]);
          return { ...refunds, rows: refunds.rows.map((refund) => ({ refund, order })) };
        },
        ({ refund, order }) => presentRefund(refund, order),
      ),
  }),
  operation({
    ...ofRefunds,
    id: "refundOrder",
    ...previewed,
    method: "post",
    path: `${path}/refunds`,
    summary: "Refund an order",
    description:
      "Pays an order back, in part or whole, by the payment method that it was paid with. The answer is PENDING: the store is asked within seconds, once however often the request is repeated, and the list of refunds and the event `order.refunded` say what became of it. Pending and paid refunds together are never more than the order has cost. Refused with INVALID_STATE for an order without a charge that was made here, and for one that its store keeps.",
    destructive: true,
    body: RefundRequest,
    errors: [...conflicts],
    success: { status: 201, description: "The refund.", schema: OrderRefundData },
    alsoAnswers: answersDry("the refund as it would be", OrderRefundData),
    handler: async ({ ctx, params, body }) => {
      const { refund, ...order } = await refundOrder(ctx, { ...params, ...body });
      return { data: presentRefund(refund, order) };
    },
    answerAgain: async ({ ctx, params, created }) => {
      const order = await getOrder(ctx, params.id);
      const refund = await findRefund(ctx, created.refund);
      if (!refund) throw notFound("Refund");
      return { data: presentRefund(refund, order) };
    },
  }),
];

function presentRefund(
  refund: OrderRefund,
  { currency_code }: Pick<Order, "currency_code">,
): z.input<typeof OrderRefundBody> {
  return {
    id: refund.id,
    order_id: refund.order_id,
    amount: toMajor(refund.amount, currency_code),
    currency_code,
    status: refund.status,
    reason: refund.reason,
    is_made_at_store: refund.is_own === 0,
    store_reference: refund.store_reference,
    error_message: refund.error_message,
    created_at: refund.created_at,
    updated_at: refund.updated_at,
  };
}
