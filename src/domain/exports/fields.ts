import { BillingAttemptBody } from "../billing/schemas.ts";
import { EventBody } from "../events/schemas.ts";
import { OrderBody } from "../orders/schemas.ts";
import { ProfileBody } from "../profiles/schemas.ts";
import { SubscriptionBody } from "../subscriptions/schemas.ts";
import type { ExportFormat, ExportResource } from "./resources.ts";
import { subscriptionColumns } from "./subscription-lines.ts";

/**
 * The fields of a resource in each format, in their order: in JSON lines those of the record as its GET answers it, and of
 * subscriptions what only an import takes besides; in CSV the same without
 * the records beside it, and of subscriptions the columns that an import takes.
 */
export const fieldsOf: Record<ExportResource, Record<ExportFormat, readonly string[]>> = {
  profiles: inBoth(Object.keys(ProfileBody.shape)),
  subscriptions: {
    jsonl: [...Object.keys(SubscriptionBody.shape), "import_values"],
    csv: subscriptionColumns,
  },
  orders: inBoth(Object.keys(OrderBody.shape), ["profile", "delivery_slot"]),
  billing_attempts: inBoth(Object.keys(BillingAttemptBody.shape)),
  events: inBoth(Object.keys(EventBody.shape)),
};

function inBoth(fields: string[], embedded: string[] = []): Record<ExportFormat, string[]> {
  return { jsonl: fields, csv: fields.filter((field) => !embedded.includes(field)) };
}
