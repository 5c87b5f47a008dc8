import { inArray } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import { workJob } from "../../base/job.ts";
import { later } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { defineOutbox } from "../../kit/outbox/outbox.ts";
import { defineSweep } from "../../kit/outbox/sweep.ts";
import { findJob } from "./queries.ts";
import { jobs, type MerchantJob, workingStatuses } from "./tables.ts";

export const jobOutbox = defineOutbox({
  table: jobs,
  id: "id",
  due: "next_action_at",
  lease: "lease_until",
  open: inArray(jobs.status, [...workingStatuses]),
  fence: ["revision"],
});

/**
 * Takes a job, so that nobody else does its page; undefined where somebody has it, or it is not to be worked on. The try counts from here on,
 * so that a page which ends the message itself is known by its tries.
 */
export async function takeJob(ctx: Ctx, id: string): Promise<MerchantJob | undefined> {
  const job = await findJob(ctx, id);
  if (!job?.next_action_at) return undefined;
  const lease_until = later(ctx.realNow, leaseMs);
  const [taken] = await commit({ db: ctx.db }, [
    jobOutbox.takeDue(job, { lease_until, next_action_at: lease_until, tries: job.tries + 1 }, ctx.realNow),
  ]);
  return taken.rows[0];
}

const leaseMs = 120_000;

/** Jobs that run without a lease: their message was lost, or who had them died. */
export const jobSweep = defineSweep<typeof jobs, "id" | "kind">(
  { table: jobs, id: "id", size: 100, also: ["kind"] },
  ({ account_id, ...job }) => workJob(account_id, job),
);
