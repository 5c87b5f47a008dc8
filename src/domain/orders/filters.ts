import type { z } from "@hono/zod-openapi";
import { parseDate } from "../../base/lib/time/dates.ts";
import type { OrderQuery } from "./schemas.ts";

type Query = z.output<typeof OrderQuery>;

/** The filters of listOrders for a query. A date-time counts as its date in the account's time zone. */
export function parseFilters(query: Partial<Query>, timezone: string) {
  const {
    page,
    limit,
    cursor,
    sort_by,
    sort_order,
    status,
    search,
    has_subscription,
    is_checkout_order,
    has_production_date,
    ...rest
  } = query;
  const others = Object.entries(rest).map(([name, value]) => [
    name,
    value !== undefined && /_date_(from|to)$/.test(name) ? parseDate(value, timezone) : value,
  ]);
  return {
    ...(Object.fromEntries(others) as Record<string, string | undefined>),
    status: status && JSON.stringify(status),
    search,
    has_production_date: flagOf(has_production_date),
    // The value that few orders have is a filter of its own, which has an index.
    ...(has_subscription === false
      ? { without_subscription: 1 }
      : { has_subscription: flagOf(has_subscription) }),
    ...(is_checkout_order === true ? { from_checkout: 1 } : { is_checkout_order: flagOf(is_checkout_order) }),
  };
}

function flagOf(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
