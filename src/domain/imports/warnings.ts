import { raw, rows } from "../../base/db/statement.ts";
import type { ErrorDetail } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import type { JobPage } from "../merchant-jobs/work.ts";
import { deliveryAddressOf } from "../subscriptions/row-codec.ts";
import { type Cause, emailOf, type RowPlace } from "./causes.ts";
import type { ImportSummary } from "./create.ts";
import type { PlannedSubscription } from "./plan-subscription.ts";

/** Traces of a mistake in a row that can be moved in: they are told, and keep nothing out. */
export function warningsOf({ row }: PlannedSubscription): ErrorDetail[] {
  const address = deliveryAddressOf(row);
  const isShort = address?.country_code === "US" && fourDigits.test(address.zip);
  return isShort ? [{ path: "postal_code", message: zeroLost }] : [];
}

const fourDigits = /^\d{4}(-\d{4})?$/;
const zeroLost = "has four digits, and in the US five: a leading zero is probably lost";

/** The last page of a check: warns of totals that are far from the others, once all of them are known. */
export async function warnOfTotals(ctx: Ctx, job: MerchantJob): Promise<JobPage> {
  const found = await rows(
    ctx.db,
    raw<Omit<RowPlace, "email"> & { customer: string | null; found: number }>(
      farTotals,
      ...[ctx.account.seq, job.id],
    ),
  );
  const { warnings = [], ...summary }: ImportSummary = JSON.parse(job.summary);
  const far = found.slice(0, 1).map(
    (one): Cause => ({
      ...{ path: "price", message: farFromOthers, rows: one.found },
      first: found.map(({ part, line, customer }) => ({ part, line, email: emailOf(customer) })),
    }),
  );
  const all = [...warnings, ...far];
  return {
    ...{ rows: [], writes: [], progress: null, total: job.total },
    summary: { ...summary, ...(all.length > 0 ? { warnings: all } : {}) },
  };
}

const mostTimes = 20;
const farFromOthers = `makes a total of more than ${mostTimes} times the median of the rows with its interval`;

/** The first of the rows whose total is far above the median of those with the same interval; all are in the account's currency. */
const farTotals = `WITH its AS MATERIALIZED (
    SELECT n, key, summary ->> 'billing_interval' AS unit, summary ->> 'billing_interval_count' AS count,
      summary ->> 'total_here' AS total
    FROM job_rows WHERE account_seq = ?1 AND job_id = ?2 AND status = 'PENDING' AND summary ->> 'next_billing_date' IS NOT NULL
  ), ranked AS MATERIALIZED (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY unit, count ORDER BY total) AS place, COUNT(*) OVER (PARTITION BY unit, count) AS size
    FROM its
  ), medians AS (
    SELECT unit, count, AVG(total) AS median FROM ranked WHERE place IN ((size + 1) / 2, (size + 2) / 2) GROUP BY unit, count
  ), far AS MATERIALIZED (
    SELECT n, key FROM ranked JOIN medians USING (unit, count) WHERE median > 0 AND total > ${mostTimes} * median
  )
  SELECT its.summary ->> 'part' AS part, its.summary ->> 'line' AS line, (SELECT COUNT(*) FROM far) AS found,
    (SELECT customer FROM import_lines WHERE account_seq = ?1 AND job_id = ?2 AND ref = far.key ORDER BY part, n LIMIT 1) AS customer
  FROM far CROSS JOIN job_rows AS its ON its.account_seq = ?1 AND its.job_id = ?2 AND its.n = far.n
  ORDER BY far.n LIMIT 3`;
