import { invalid } from "../../base/errors.ts";
import { workJob } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { getJob } from "../merchant-jobs/queries.ts";
import { asDone, newJob, startJob } from "../merchant-jobs/start.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import { workOnPage } from "../merchant-jobs/work.ts";
import type { BulkInput } from "./actions.ts";
import { insertRows } from "./list-rows.ts";
import { prepareInput } from "./prepare-input.ts";
import { requireShown } from "./previews.ts";
import { scopeOfAction } from "./row-actions.ts";
import { firstPage, pagesOfRequest, wholeList } from "./stage.ts";
import { bulkWork } from "./work.ts";

export type NewBulk = BulkInput & {
  ids?: string[] | undefined;
  /** The hash of the preview that it is to be done as. */
  expected?: string | undefined;
};

/**
 * Makes a bulk job. Its list of subscriptions is frozen: those of `ids` in the job's own batch, those of a filter page by page, most of them
 * before this returns. Then messages of the queue do one after the other.
 */
export async function createBulk(
  ctx: Ctx,
  { ids: named, expected, ...asked }: NewBulk,
  isDryRun: boolean,
): Promise<MerchantJob> {
  if (named) requireOnce(named);
  const prepared: BulkInput = { ...asked, input: await prepareInput(ctx, asked) };
  const { preview_job_id } = asked;
  const ids = named ?? (preview_job_id === undefined ? undefined : await wholeList(ctx, prepared));
  if (ids && preview_job_id !== undefined)
    await requireShown(ctx, prepared, ids, { expected, preview_job_id });
  const first = ids ? { ids, next: null } : await firstPage(ctx, prepared);
  const isWhole = first.next === null;
  // A filter can name a customer, so that it is kept for as long as the list is made.
  const input = isWhole ? { ...prepared, filters: undefined } : prepared;
  const made = newJob(ctx, {
    kind: "BULK",
    input,
    progress: isWhole ? { after: 0 } : first.next!,
    summary: { total_before: 0, total_after: 0 },
    total: first.ids.length,
    scopes: [scopeOfAction(input.action)],
    isDryRun,
    status: isWhole ? "RUNNING" : "STAGING",
  });
  const job = first.ids.length === 0 ? asDone(ctx, made) : made;
  await startJob(ctx, job, [], insertRows(ctx, { ...job, total: 0 }, first.ids));
  return stageNow(ctx, job);
}

/** Stages what a request has the time for, so that the list of most jobs is frozen when they are answered. */
async function stageNow({ claim: _claim, ...ctx }: Ctx, started: MerchantJob): Promise<MerchantJob> {
  let job = started;
  for (let pages = 0; pages < pagesOfRequest && job.status === "STAGING"; pages++) {
    await workOnPage(ctx, job.id, { BULK: bulkWork });
    job = await getJob(ctx, job.id);
  }
  if (job.next_action_at) await ctx.send([workJob(ctx.account.id, job)]);
  return job;
}

/** A subscription that is named twice would be changed twice. */
function requireOnce(ids: string[]): void {
  const seen = new Set<string>();
  const twice = ids.flatMap((id, nth) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ path: `ids.${nth}`, message: "is named twice" }];
  });
  if (twice.length > 0) throw invalid(twice);
}
