/**
 * The demo store that `npm start` seeds locally. The document's examples and the seed share these values, so that "Try it out"
 * finds the records in its examples. Nothing here reaches a deployment's database.
 */
export const demoShop = "demo-store.myshopify.com";

/** The id of the demo store's n-th record of a kind, the same in every seed. */
export function demoId(kind: DemoKind, n: number): string {
  return `019a0000-0000-7000-8${(kinds.indexOf(kind) + 1).toString(16).padStart(3, "0")}-${n.toString(16).padStart(12, "0")}`;
}

const kinds = [
  "account",
  "api_key",
  "skip_reason",
  "pause_reason",
  "cancellation_reason",
  "profile",
  "delivery_address",
  "entity",
  "delivery_day",
  "delivery_slot",
  "subscription",
  "order",
  "activity_log",
  "payment_method",
  "subscription_line",
  "subscription_discount",
  "subscription_skip",
  "billing_attempt",
  "dunning_episode",
  "webhook_endpoint",
  "event_delivery",
  "mail",
  "job",
  "closed_day",
  "cancellation_offer",
  "cancellation_case",
  "order_refund",
  "order_dispute",
  "staff",
  "declaration",
] as const;
type DemoKind = (typeof kinds)[number];

/** Local only: the local seed creates this key, and no migration does. The last six characters are its checksum. */
export const demoApiKey = `prnl_${demoId("api_key", 1)}_demo-store-local-key-never-used-elsewhere-01TTXgn`;

export const demoReasonLabels = {
  skip: ["Going on holiday", "Too much left over", "Moving house", "Trying something else", "Other"],
  pause: ["Travelling for a while", "Need a break", "Saving money", "Other"],
  cancellation: [
    "Too expensive",
    "No longer needed",
    "Quality was not right",
    "Found an alternative",
    "Other",
  ],
};

/** Selling plans have ids of the store. */
export const demoPlanIds = {
  weekly: "plan-weekly",
  fortnightly: "plan-fortnightly",
  monthly: "plan-monthly",
  prepaid: "plan-prepaid-3-months",
};
