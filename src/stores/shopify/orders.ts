import { z } from "zod";
import { numberIn, plainIdOf, plainIdOrNull } from "../global-ids.ts";
import type { StoreOrder } from "../port.ts";
import { instantIn, minorOf, moneyBagSchema } from "./responses.ts";

/** The order in the port's terms. Its type follows from its lines and tags; Shopify's subtotal has the discounts taken off already. */
export function orderOf(order: Sold): StoreOrder {
  const lines = order.lineItems.nodes;
  const has_subscription = lines.some(({ contract, sellingPlan }) => contract ?? sellingPlan);
  const isUpsell = order.tags.some((tag) => tag.toLowerCase() === "upsell");
  const discount_amount = order.totalDiscountsSet ? minorOf(order.totalDiscountsSet.presentmentMoney) : 0;
  const left = order.subtotalPriceSet ?? order.totalPriceSet;
  return {
    store_order_id: plainIdOf("Order", order.id),
    store_order_number: order.name,
    created_at: instantIn(order.createdAt),
    store_customer_id: plainIdOrNull("Customer", order.customer?.id),
    status: statusOf(order),
    fulfillment_status: fulfillmentOf(order),
    return_status: order.returnStatus === "NO_RETURN" ? null : order.returnStatus,
    order_type: has_subscription ? "SUBSCRIPTION" : isUpsell ? "UPSELL" : "ONE_TIME",
    is_checkout_order: !order.sourceName?.startsWith("subscription_contract"),
    has_subscription,
    store_contract_ids: [
      ...new Set(lines.flatMap(({ contract }) => (contract ? numberIn(contract.id) : []))),
    ],
    currency_code: order.totalPriceSet.presentmentMoney.currencyCode,
    subtotal: minorOf(left.presentmentMoney) + discount_amount,
    discount_amount,
    total: minorOf(order.totalPriceSet.presentmentMoney),
    refunded_amount: minorOf(order.totalRefundedSet.presentmentMoney),
    ...trackingOf(order),
  };
}

const paymentStates = [
  "AUTHORIZED",
  "EXPIRED",
  "PAID",
  "PARTIALLY_PAID",
  "PARTIALLY_REFUNDED",
  "PENDING",
  "REFUNDED",
  "VOIDED",
] as const;

const returnStates = [
  "INSPECTION_COMPLETE",
  "IN_PROGRESS",
  "NO_RETURN",
  "RETURNED",
  "RETURN_FAILED",
  "RETURN_REQUESTED",
] as const;

const tracking = z.object({
  company: z.string().nullable(),
  number: z.string().nullable(),
  url: z.string().nullable(),
});

const sold = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  cancelledAt: z.string().nullable(),
  sourceName: z.string().nullable(),
  tags: z.array(z.string()),
  displayFinancialStatus: z.enum(paymentStates).nullable(),
  displayFulfillmentStatus: z.string(),
  returnStatus: z.enum(returnStates),
  customer: z.object({ id: z.string() }).nullable(),
  subtotalPriceSet: moneyBagSchema.nullable(),
  totalDiscountsSet: moneyBagSchema.nullable(),
  totalPriceSet: moneyBagSchema,
  totalRefundedSet: moneyBagSchema,
  fulfillments: z.array(z.object({ status: z.string(), trackingInfo: z.array(tracking) })),
  lineItems: z.object({
    nodes: z.array(
      z.object({
        contract: z.object({ id: z.string() }).nullable(),
        sellingPlan: z.object({ name: z.string() }).nullable(),
      }),
    ),
  }),
});
type Sold = z.output<typeof sold>;

/** An order as the document selects it. */
export const orderSchema = z.object({ order: sold.nullable() });

/** An expired authorization can be repeated; a voided payment never takes place. */
function statusOf({ cancelledAt, displayFinancialStatus: paid }: Sold): StoreOrder["status"] {
  if (cancelledAt !== null || paid === "VOIDED") return "CANCELLED";
  return paid === "PAID" || paid === "PARTIALLY_REFUNDED" || paid === "REFUNDED" ? paid : "PENDING";
}

/** Shopify shows these states for the lines that remain; other lines may have been fulfilled. */
const statesOfRemaining = new Set(["IN_PROGRESS", "ON_HOLD", "SCHEDULED"]);

function fulfillmentOf({
  displayFulfillmentStatus: shown,
  fulfillments,
}: Sold): StoreOrder["fulfillment_status"] {
  if (shown === "FULFILLED" || shown === "PARTIALLY_FULFILLED") return shown;
  const hasSome = fulfillments.some(({ status }) => status === "SUCCESS");
  return statesOfRemaining.has(shown) && hasSome ? "PARTIALLY_FULFILLED" : "UNFULFILLED";
}

const maxUrlLength = 2048;

/** An address that can be shown as a link. */
function linkOf(url: string | null | undefined): string | null {
  return url && url.length <= maxUrlLength && URL.canParse(url) && new URL(url).protocol === "https:"
    ? url
    : null;
}

function trackingOf({ fulfillments }: Sold) {
  const latest = fulfillments.findLast(({ status }) => status !== "CANCELLED")?.trackingInfo[0];
  return {
    tracking_number: latest?.number || null,
    tracking_company: latest?.company || null,
    tracking_url: linkOf(latest?.url),
  };
}
