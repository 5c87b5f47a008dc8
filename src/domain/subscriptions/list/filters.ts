import type { z } from "@hono/zod-openapi";
import { endOfDay, parseDate, parseInstantIn, startOfDay } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { viewContext } from "../queries.ts";
import type { SubscriptionQuery } from "./list-query.ts";
import { reminderFilter } from "./reminder-filters.ts";

type Query = Partial<z.output<typeof SubscriptionQuery>>;

/** The filters of listSubscriptions for a query. */
export function parseFilters(query: Query, ctx: Ctx): Record<string, string | number | undefined> {
  const { account } = ctx;
  const dates = dateFields.map((field) => [field, query[field] && parseDate(query[field], account.timezone)]);
  const { status, store_contract_id: contract, failed_payment, billing_blocked, card_expires_before } = query;
  return {
    ...(Object.fromEntries(dates) as Record<string, string | undefined>),
    ...createdBounds(query, account.timezone),
    profile_id: query.profile_id,
    entity_id: query.entity_id,
    cancellation_reason_id: query.cancellation_reason_id,
    store_contract_id:
      contract === undefined ? undefined : /^\d{1,15}$/.test(contract) ? Number(contract) : -1,
    status: status && JSON.stringify(status),
    ...(failed_payment ? { owing: 1 } : { failed_payment: failed_payment === undefined ? undefined : 0 }),
    migration_source_ref: query.migration_source_ref,
    store_variant_id: query.store_variant_id,
    selling_plan_id: query.selling_plan_id,
    delivery_slot_id: query.delivery_slot_id,
    blocked: billing_blocked ? 1 : undefined,
    unblocked: billing_blocked === false ? 1 : undefined,
    ...updatedBound(query.updated_after, account.timezone),
    card_expires_before: card_expires_before && parseDate(card_expires_before, account.timezone),
    ...reminderFilter(query.payment_reminder_status, viewContext(ctx)),
    search: query.search,
  };
}

const dateFields = [
  "next_billing_before",
  "next_billing_after",
  "next_delivery_before",
  "next_delivery_after",
  "next_production_before",
  "next_production_after",
] as const;

/** A date is its whole day, so that a subscription is changed after its end. */
function updatedBound(after: string | undefined, timezone: string): Record<string, string | undefined> {
  if (after === undefined) return {};
  const instant = parseInstantIn(after, timezone);
  if (instant !== undefined) return { updated_after: instant };
  return { updated_since: endOfDay(parseDate(after, timezone) ?? "", timezone) };
}

/** A date means its whole day in the account's time zone: before its start, or after its end. A date-time is exclusive. */
function createdBounds({ created_before, created_after }: Query, timezone: string) {
  const bounds: Record<string, string> = {};
  if (created_before !== undefined)
    bounds.created_before =
      parseInstantIn(created_before, timezone) ??
      startOfDay(parseDate(created_before, timezone) ?? "", timezone);
  if (created_after === undefined) return bounds;
  const instant = parseInstantIn(created_after, timezone);
  if (instant !== undefined) bounds.created_after = instant;
  else bounds.created_since = endOfDay(parseDate(created_after, timezone) ?? "", timezone);
  return bounds;
}
