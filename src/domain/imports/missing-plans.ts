import { ConstraintError } from "../../base/db/commit.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import type { Ctx } from "../../kit/context.ts";
import { commitStatements, type Entry, entryStatement } from "../../kit/journal/write.ts";
import { subjectOfJob } from "../merchant-jobs/subject.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import { newSellingPlan } from "../selling-plans/actions.ts";
import { enqueuePlanSync } from "../selling-plans/outbox.ts";
import { getSellingPlan } from "../selling-plans/queries.ts";
import { sellingPlans } from "../selling-plans/tables.ts";
import { isPlanOf, type MissingPlan } from "./planned/plans.ts";

/** The plans that an account lacks, each with how many subscriptions need it, and those of further rows. */
export type MissingPlans = (MissingPlan & { subscriptions: number })[];

export function addMissing(known: MissingPlans, more: MissingPlan[]): MissingPlans {
  const all = known.map((plan) => ({ ...plan }));
  for (const plan of more) {
    const same = all.find((one) => isPlanOf(plan, one));
    if (same) same.subscriptions++;
    else if (all.length < mostPlans) all.push({ ...plan, subscriptions: 1 });
  }
  return all;
}

const mostPlans = 100;

/**
 * Makes a plan that rows of an import need, with an entry of the job, unless somebody has by now. Its id says its interval; one that another
 * plan has is numbered.
 */
export async function makeMissingPlan(ctx: Ctx, job: MerchantJob, missing: MissingPlan): Promise<void> {
  const base = missing.name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  for (let nth = 1; ; nth++) {
    const plan = newSellingPlan(ctx, { ...missing, id: nth === 1 ? base : `${base}-${nth}` });
    const metadata = { kind: job.kind, selling_plan_id: plan.id, name: plan.name };
    const entry: Entry = { action: "job_plan_created", subject: subjectOfJob(job), metadata };
    try {
      await commitStatements(ctx, [entryStatement(ctx, entry), insertRow(sellingPlans, plan)]);
      return await enqueuePlanSync(ctx, plan.id);
    } catch (error) {
      if (!(error instanceof ConstraintError) || error.kind !== "unique") throw error;
      const other = await getSellingPlan(ctx, plan.id);
      if (other.is_active === 1 && isPlanOf(missing, other)) return;
    }
  }
}
