/** The brief form of a list's rows: the fields that people look at, and the tool that answers a row whole. */
export type Brief = { fields: string[]; whole?: string };

/** The brief rows of a tool that answers a list; undefined for every other tool. */
export function briefOf(tool: string): Brief | undefined {
  return Object.hasOwn(briefs, tool) ? briefs[tool] : undefined;
}

const attempt = [
  "id",
  "status",
  "amount",
  "currency_code",
  "billing_date",
  "error_code",
  "error_message",
  "trigger",
  "cycle",
  "created_at",
];
const entry = [
  "created_at",
  "action",
  "actor_type",
  "actor_name",
  "subscription_number",
  "order_number",
  "customer_name",
  "changes",
  "description",
];
const order = [
  "id",
  "store_order_number",
  "status",
  "fulfillment_status",
  "total",
  "currency_code",
  "delivery_date",
  "profile.full_name",
  "order_type",
  "order_created_at",
  "tracking_number",
  "profile.email",
  "return_status",
];
const refund = ["id", "amount", "currency_code", "status", "reason", "created_at", "error_message"];
const address = ["id", "address1", "zip", "city", "country_code", "first_name", "last_name", "province_code"];
const reason = ["id", "label", "is_active", "position", "description"];

/** A dot leads into a nested record, or into each of a list of them. The first fields are the last to go where space is short. */
const briefs: Record<string, Brief> = {
  forecastGoods: {
    fields: [
      ...["date", "quantity", "product_title", "variant_title", "packed", "planned", "at_risk"],
      ...["store_variant_id", "delivery_slot_id", "selling_plan_id", "entity_type", "sku"],
    ],
  },
  listJobs: {
    fields: ["id", "kind", "status", "total", "done", "failed", "created_at", "finished_at", "error"],
    whole: "getJob",
  },
  listJobRows: { fields: ["n", "key", "status", "record_id", "errors"] },
  listProfiles: {
    fields: ["id", "email", "full_name", "phone_number", "city", "country_code", "created_at"],
    whole: "getProfile",
  },
  listOrderRefunds: { fields: refund },
  listDeliveryAddresses: { fields: address },
  listOwnAddresses: { fields: address },
  listOwnPictures: { fields: ["store_variant_id", "image_url"] },
  listEntities: {
    fields: ["id", "name", "entity_type", "profile_id", "is_active"],
    whole: "getEntity",
  },
  listSubscriptions: {
    fields: [
      "id",
      "number",
      "status",
      "profile.full_name",
      "next_billing_date",
      "next_delivery_date",
      "frequency_label",
      "total",
      "currency_code",
      "profile.email",
      "is_in_dunning",
      "billing_blocked_reason",
    ],
    whole: "getSubscription",
  },
  listUpcomingDeliveries: {
    fields: [
      "delivery_date",
      "billing_date",
      "cycle",
      "is_billed",
      "is_at_risk",
      "total",
      "currency_code",
      "lines.product_title",
      "lines.quantity",
    ],
  },
  listSkips: {
    fields: [
      "id",
      "created_at",
      "skip_weeks",
      "deliveries",
      "skip_reason_label",
      "previous_delivery_date",
      "undone_at",
      "reason",
    ],
  },
  getRetention: {
    fields: [
      ...["key", "shown", "accepted", "saved", "lost", "pending", "cost", "revenue_after", "currency_code"],
    ],
  },
  listCancellations: {
    fields: [
      ...["id", "status", "outcome", "cancellation_reason_id", "created_at", "accepted_offer_id"],
      ...["note", "offers.kind", "expires_at"],
    ],
    whole: "getCancellation",
  },
  listBillingAttempts: { fields: attempt, whole: "getBillingAttempt" },
  listAllBillingAttempts: {
    fields: ["id", "subscription_id", ...attempt.slice(1)],
    whole: "getBillingAttempt",
  },
  listDunningEpisodes: {
    fields: [
      "id",
      "status",
      "cycle",
      "attempt_count",
      "max_attempts",
      "next_retry_at",
      "last_error_code",
      "last_error_message",
      "opened_at",
      "closed_at",
    ],
  },
  listAllDunningEpisodes: {
    fields: [
      ...["subscription_id", "subscription_number", "customer_name", "status", "amount", "currency_code"],
      ...[
        "next_retry_at",
        "last_error_code",
        "attempt_count",
        "max_attempts",
        "opened_at",
        "closed_at",
        "id",
      ],
    ],
  },
  listSellingPlans: {
    fields: [
      "id",
      "name",
      "billing_interval",
      "billing_interval_count",
      "delivery_interval",
      "delivery_interval_count",
      "discount_type",
      "discount_value",
      "is_active",
    ],
    whole: "getSellingPlan",
  },
  listUnsupportedContracts: {
    fields: [
      "store_contract_id",
      "reason",
      "message",
      "currency_code",
      "store_customer_id",
      "first_seen_at",
      "last_seen_at",
    ],
  },
  listDeliveryDays: {
    fields: ["id", "day_name", "packing_day_name", "billing_day_name", "courier_lead_time_days", "is_active"],
    whole: "getDeliveryDay",
  },
  listDeliverySlots: {
    fields: ["id", "label", "start_time", "end_time", "is_all_day", "delivery_day_id", "is_active"],
    whole: "getDeliverySlot",
  },
  listClosedDays: { fields: ["id", "from", "to", "rule", "label", "applies_to"], whole: "getClosedDay" },
  listOrders: { fields: order, whole: "getOrder" },
  listOwnOrders: { fields: order.filter((field) => !field.startsWith("profile.")), whole: "getOwnOrder" },
  listActivityLogs: { fields: entry },
  listProfileActivity: { fields: entry },
  listEvents: {
    fields: [
      "sequence",
      "id",
      "type",
      "created_at",
      "subject.type",
      "subject.id",
      "actor_type",
      "actor_name",
    ],
    whole: "getEvent",
  },
  listWebhookEndpoints: {
    fields: ["id", "is_enabled", "disabled_reason", "url", "failing_since", "last_success_at", "description"],
    whole: "getWebhookEndpoint",
  },
  listMails: {
    fields: ["id", "kind", "status", "to", "subject", "suppressed_reason", "sent_at", "profile_id"],
    whole: "getMail",
  },
  listEventDeliveries: {
    fields: [
      "id",
      "status",
      "event_type",
      "attempt_count",
      "last_status",
      "last_error",
      "next_attempt_at",
      "created_at",
    ],
  },
  listSkipReasons: { fields: reason, whole: "getSkipReason" },
  listPauseReasons: { fields: reason, whole: "getPauseReason" },
  listCancellationReasons: { fields: reason, whole: "getCancellationReason" },
};
