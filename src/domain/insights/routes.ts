import { csvOf } from "../../base/lib/csv-cells.ts";
import { daysFrom } from "../../kit/days.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { prefersCsv } from "../../kit/http/list/prefers-csv.ts";
import { daysMax } from "./limits.ts";
import { readRetention } from "./retention.ts";

const { Retention, RetentionCsv, RetentionQuery } = deferred(() => import("./retention-schemas.ts"));

export const insightOperations = [
  operation({
    id: "getRetention",
    method: "get",
    path: "/api/insights/retention",
    tag: "Insights",
    credentials: "either",
    resource: "insights",
    summary: "See how many stayed",
    description:
      "Of the customers who were about to cancel on these days: how many were shown an offer, accepted one, and stayed; what that has cost, and what they paid since. By reason, or by offer. With `Accept: text/csv` the same as CSV.",
    query: RetentionQuery,
    success: {
      status: 200,
      description: "The rows.",
      schema: Retention,
      alsoAs: { "text/csv": RetentionCsv },
    },
    handler: async ({ c, ctx, query: { group_by: groupBy, ...texts } }) => {
      const data = await readRetention(ctx, { ...daysFrom(ctx, texts, daysMax), groupBy });
      if (!prefersCsv(c)) return { data };
      return c.body(csvOf(columns, data), 200, { "Content-Type": "text/csv; charset=utf-8" });
    },
  }),
];

const columns = [
  "key",
  "shown",
  "accepted",
  "saved",
  "lost",
  "pending",
  "cost",
  "revenue_after",
  "currency_code",
];
