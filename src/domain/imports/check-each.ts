import type { ErrorDetail } from "../../base/errors.ts";
import type { Ctx, JobRowNote } from "../../kit/context.ts";
import { isOutage } from "../../kit/on-its-own.ts";
import { mayBeOfRow } from "../merchant-jobs/failed-page.ts";
import { unexpectedFault } from "../merchant-jobs/row-fault.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import type { Checked } from "./check-summary.ts";

/** The way in which rows are checked together, and in which one that fails is shown; `before` is the number of the last row before these. */
type Checks = {
  check: (ctx: Ctx, job: MerchantJob, refs: string[]) => Promise<Checked[]>;
  failed: (ref: string, faults: ErrorDetail[]) => Checked;
  before: number;
};

/**
 * Checks the rows of a page, fewer where the store asks for a pause. Where they cannot be checked together each is checked alone, so that
 * whatever is wrong with one is its own fault. Throws an outage that comes before the first.
 */
export async function checkEach(
  ctx: Ctx,
  job: MerchantJob,
  refs: string[],
  checks: Checks,
): Promise<Checked[]> {
  if (refs.length === 0) return [];
  try {
    return await checks.check(ctx, job, refs);
  } catch (error) {
    if (!isOutage(error)) return checkAlone(ctx, job, refs, checks);
    if (!mayBeOfRow(ctx, job, error)) throw error;
    return failIfOthersAreAnswered(ctx, job, refs, { ...checks, outage: error });
  }
}

async function checkAlone(
  ctx: Ctx,
  job: MerchantJob,
  refs: string[],
  { check, failed, before }: Checks,
): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const ref of refs)
    try {
      checked.push(...(await check(ctx, job, [ref])));
    } catch (error) {
      if (!isOutage(error))
        checked.push(failed(ref, unexpectedFault(ctx, job, before + checked.length + 1, error).errors));
      else if (checked.length > 0) return checked;
      else throw error;
    }
  return checked;
}

/** The first row of a page as one that is at fault, where the store has not answered about it for long, and does about a row behind it. */
async function failIfOthersAreAnswered(
  ctx: Ctx,
  job: MerchantJob,
  [first, ...others]: string[],
  { check, failed, before, outage }: Checks & { outage: unknown },
): Promise<Checked[]> {
  const jobRow: JobRowNote = { job_id: job.id };
  for (const ref of others.slice(0, probedRows)) {
    await check({ ...ctx, jobRow }, job, [ref]).catch(() => {});
    if (jobRow.hasStoreAnswered)
      return [failed(first!, unexpectedFault(ctx, job, before + 1, outage).errors)];
  }
  throw outage;
}

const probedRows = 3;
