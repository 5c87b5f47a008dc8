import { newId } from "../../../src/base/lib/ids.ts";
import { consents } from "../../../src/domain/subscriptions/consents/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, now } from "./part.ts";
import { far, paymentMethodRow, skipRow, subscriptionRow, undoableRows } from "./subscription-rows.ts";

const path = "/api/subscriptions/{id}";

/** The paths below a subscription that succeed with any subscription that is active. */
const below = [
  "payment-method",
  "upcoming",
  "explain",
  "skips",
  "consents",
  "pause",
  "resume",
  "cancel",
  "reactivate",
  "skip",
  "skip-deliveries",
  "frequency",
  "delivery-instructions",
  "schedule",
  "delivery-address",
  "lines",
  "discounts",
  "ship-now",
  "billing-attempts",
  "dunning-episodes",
];

export const subscriptionPart: MakePart = (of, mark, ids) => {
  const { profile, subscription, skipped, plan } = ids;
  const [unpaid, changed] = [newId(), newId()];
  const line = {
    store_product_id: "product-1",
    store_variant_id: "variant-1",
    product_title: "Kibble",
    selling_plan_id: plan,
    price: 10,
    quantity: 1,
  };
  return {
    writes: [
      paymentMethodRow(of, mark, ids),
      subscriptionRow(of, mark, ids, { id: subscription, number: 1001 }),
      subscriptionRow(of, mark, ids, { id: skipped, number: 1002, disputed_at: "2026-01-01T00:00:00.000Z" }),
      subscriptionRow(of, mark, ids, { id: unpaid, number: 1003, status: "PAYMENT_FAILED" }),
      subscriptionRow(of, mark, ids, {
        id: ids.billed,
        number: 1004,
        open_attempt_id: ids.reviewed,
        billing_blocked_reason: "currency_mismatch",
        payment_method_id: null,
      }),
      skipRow(of, mark, ids),
      ...undoableRows(of, mark, { ...ids, changed }),
      insertOf(consents, {
        id: newId(),
        account_id: of.account.id,
        subscription_id: subscription,
        text: mark,
        sha256: mark,
        channel: "page",
        source: mark,
        agreed_at: now,
        prune_at: "2099-01-01T00:00:00.000Z",
        created_at: now,
      }),
    ],
    paths: {
      ...Object.fromEntries(
        ["", ...below].map((part) => [part === "" ? path : `${path}/${part}`, { id: subscription }] as const),
      ),
      [`${path}/unskip`]: { id: skipped },
      [`${path}/undo`]: { id: skipped },
      [`${path}/resume-billing`]: { id: skipped },
      [`${path}/retry-payment`]: { id: unpaid },
      [`${path}/lines/{lineId}`]: { id: subscription, lineId: ids.line },
      [`${path}/discounts/{discountId}`]: { id: subscription, discountId: ids.discount },
    },
    bodies: {
      createSubscriptions: {
        profile_id: profile,
        store_payment_method_id: "pm_success",
        next_delivery_date: far,
        lines: [line],
      },
      addLine: line,
      undoChange: { entry_id: changed },
      skipDeliveries: { skip_reason_id: ids.skipReason },
      skipSubscription: { skip_weeks: 1, skip_reason_id: ids.skipReason },
      pauseSubscription: { reason: "Away" },
      cancelSubscription: { reason: "Enough" },
      reschedule: { next_delivery_date: "2035-02-15" },
      changeDeliveryAddress: { delivery_address_id: ids.address },
    },
  };
};
