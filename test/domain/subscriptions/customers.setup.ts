import { itemOf, nextDay } from "../../support/shops.ts";
import { offerId } from "../cancellation/leaving.ts";

export const path = "/api/subscriptions";

/** The records that a body refers to. */
type Names = { profileId: string; plan: string; slot: string; entry: string | null };

type Row = [id: string, request: string, isAllowed: boolean, body?: (names: Names) => unknown];

const address = { address1: "2", city: "C", zip: "Z", country: "UK", country_code: "GB" };

function label() {
  return { label: "L" };
}

/** Which operations a customer's token may call. {id} stands for the customer's subscription. */
export const operationsOfCustomers: Row[] = [
  ["listSubscriptions", `GET ${path}`, true],
  ["createSubscriptions", `POST ${path}`, false, ({ profileId }) => ({ profile_id: profileId })],
  ["getSubscription", `GET ${path}/{id}`, true],
  ["getSubscriptionPaymentMethods", `GET ${path}/{id}/payment-method`, true],
  ["listUpcomingDeliveries", `GET ${path}/{id}/upcoming`, true],
  ["listSkips", `GET ${path}/{id}/skips`, true],
  ["listConsents", `GET ${path}/{id}/consents`, false],
  ["pauseSubscription", `POST ${path}/{id}/pause`, true],
  ["resumeSubscription", `POST ${path}/{id}/resume`, true],
  ["cancelSubscription", `POST ${path}/{id}/cancel`, true],
  ["reactivateSubscription", `POST ${path}/{id}/reactivate`, true],
  ["skipDeliveries", `POST ${path}/{id}/skip-deliveries`, true, () => ({})],
  ["skipSubscription", `POST ${path}/{id}/skip`, true, () => ({ skip_weeks: 1 })],
  ["unskipSubscription", `POST ${path}/{id}/unskip`, true],
  ["undoChange", `POST ${path}/{id}/undo`, true, ({ entry }) => ({ entry_id: entry })],
  ["changeFrequency", `PUT ${path}/{id}/frequency`, true, () => ({ interval: "WEEK", interval_count: 1 })],
  [
    "changeDeliveryInstructions",
    `PUT ${path}/{id}/delivery-instructions`,
    true,
    () => ({ delivery_instructions: "Ring" }),
  ],
  [
    "reschedule",
    `PUT ${path}/{id}/schedule`,
    true,
    ({ slot }) => ({ next_delivery_date: nextDay(4, 14), delivery_slot_id: slot }),
  ],
  ["changeDeliveryAddress", `PUT ${path}/{id}/delivery-address`, true, () => address],
  [
    "changePaymentMethod",
    `PUT ${path}/{id}/payment-method`,
    true,
    () => ({ store_payment_method_id: "pm_pending" }),
  ],
  ["listCancellations", `GET ${path}/{id}/cancellations`, true],
  ["openCancellation", `POST ${path}/{id}/cancellations`, true],
  ["getCancellation", `GET ${path}/{id}/cancellations/{case}`, true],
  [
    "acceptCancellationOffer",
    `POST ${path}/{id}/cancellations/{case}/accept`,
    true,
    () => ({ offer_id: offerId }),
  ],
  ["confirmCancellation", `POST ${path}/{id}/cancellations/{case}/confirm`, true],
  ["shipNow", `POST ${path}/{id}/ship-now`, true],
  ["retryPayment", `POST ${path}/{id}/retry-payment`, true],
  ["resumeBilling", `POST ${path}/{id}/resume-billing`, false],
  ["listBillingAttempts", `GET ${path}/{id}/billing-attempts`, true],
  ["getBillingAttempt", `GET ${path}/{id}/billing-attempts/{attempt}`, true],
  ["listDunningEpisodes", `GET ${path}/{id}/dunning-episodes`, true],
  ["explainSubscription", `GET ${path}/{id}/explain`, true],
  ["addLine", `POST ${path}/{id}/lines`, false, ({ plan }) => itemOf(plan)],
  ["changeLine", `PUT ${path}/{id}/lines/{line}`, false, () => ({ quantity: 2 })],
  ["removeLine", `DELETE ${path}/{id}/lines/{line}`, false],
  ["applyDiscount", `POST ${path}/{id}/discounts`, false, () => ({})],
  ["removeDiscount", `DELETE ${path}/{id}/discounts/x`, false],
  ["listSkipReasons", `GET ${path}/skip-reasons`, true],
  ["listPauseReasons", `GET ${path}/pause-reasons`, true],
  ["listCancellationReasons", `GET ${path}/cancellation-reasons`, true],
  ["createSkipReason", `POST ${path}/skip-reasons`, false, label],
  ["createPauseReason", `POST ${path}/pause-reasons`, false, label],
  ["createCancellationReason", `POST ${path}/cancellation-reasons`, false, label],
  ["listDeliveryDays", `GET ${path}/delivery-days`, true],
  ["listDeliverySlots", `GET ${path}/delivery-slots`, true],
  ["createDeliveryDay", `POST ${path}/delivery-days`, false, () => ({ day_of_week: 4 })],
  ["createDeliverySlot", `POST ${path}/delivery-slots`, false, () => ({})],
  ["listSellingPlans", `GET ${path}/selling-plans`, false],
  ["createSellingPlan", `POST ${path}/selling-plans`, false, () => ({})],
  ["listEntities", `GET ${path}/entities`, false],
  ["listOrders", `GET ${path}/orders`, false],
  ["listProfiles", "GET /api/profiles", false],
  ["getProfile", "GET /api/profiles/{profile}", false],
  ["listActivityLogs", "GET /api/activity-logs", false],
];
