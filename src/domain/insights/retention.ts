import type { z } from "@hono/zod-openapi";
import { and, asc, between, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { build, columnsEqual, type Params, prepare, rows } from "../../base/db/statement.ts";
import { toMajor } from "../../base/lib/money.ts";
import type { Ctx } from "../../kit/context.ts";
import { type CaseGrouping, retentionDays as days } from "../cancellation/tables.ts";
import type { RetentionRow } from "./retention-schemas.ts";

type Asked = { from: string; to: string; groupBy: CaseGrouping };

/** Whatever became of the cases that were opened on these days, from the counters of each day. */
export async function readRetention(
  { db, account }: Ctx,
  { from, to, groupBy: grouping }: Asked,
): Promise<z.input<typeof RetentionRow>[]> {
  const counted = await rows(db, selectOfDays({ account_seq: account.seq, grouping, from, to }));
  return counted.map(({ key, currency_code, cost, revenue_after, ...counts }) => ({
    key: key === "" ? null : key,
    ...counts,
    pending: counts.accepted - counts.saved - counts.lost,
    cost: toMajor(cost, currency_code),
    revenue_after: toMajor(revenue_after, currency_code),
    currency_code,
  }));
}

const selectOfDays = prepare(
  (p: Params<{ account_seq: AccountSeq; grouping: CaseGrouping; from: string; to: string }>) =>
    build
      .select({
        key: sql<string>`${days.group_key}`.as("key"),
        currency_code: days.currency_code,
        shown: sum("shown"),
        accepted: sum("accepted"),
        saved: sum("saved"),
        lost: sum("lost"),
        cost: sum("cost"),
        revenue_after: sum("revenue_after"),
      })
      .from(days)
      .where(and(columnsEqual(days, p, "account_seq", "grouping"), between(days.day, p("from"), p("to"))))
      .groupBy(days.group_key, days.currency_code)
      .orderBy(asc(days.group_key), asc(days.currency_code)),
);

type Counter = "shown" | "accepted" | "saved" | "lost" | "cost" | "revenue_after";

function sum(name: Counter) {
  return sql<number>`SUM(${days[name]})`.as(name);
}
