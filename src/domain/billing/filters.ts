import type { z } from "@hono/zod-openapi";
import { endOfDay, parseDate, parseInstantIn, startOfDay } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { filtersByStatus, filtersByTrigger } from "./queries.ts";
import type { AttemptQuery } from "./requests.ts";

type Query = Partial<z.output<typeof AttemptQuery>>;

/** The filters of listAccountAttempts for a query. A date is its whole day in the account's time zone. */
export function parseFilters({ status, trigger, subscription_id, from, to }: Query, { account }: Ctx) {
  const { timezone } = account;
  return {
    ...filtersByStatus(status),
    ...filtersByTrigger(trigger),
    subscription_id,
    from: from && (parseInstantIn(from, timezone) ?? startOfDay(dayOf(from, timezone), timezone)),
    to: to && parseInstantIn(to, timezone),
    before: to && !parseInstantIn(to, timezone) ? endOfDay(dayOf(to, timezone), timezone) : undefined,
  };
}

function dayOf(text: string, timezone: string): string {
  return parseDate(text, timezone) ?? "";
}
