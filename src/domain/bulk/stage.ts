import type { Position } from "../../base/db/list/list-position.ts";
import type { Ctx } from "../../kit/context.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import type { JobPage } from "../merchant-jobs/work.ts";
import { listIds } from "../subscriptions/list/list-readers.ts";
import type { BulkInput } from "./actions.ts";
import { insertRows } from "./list-rows.ts";

/** The place where the list of a filter goes on. */
type StagingProgress = { from: Position; page: number };

/** The newest of what a filter finds, and where the list goes on; null where that is all. */
export function firstPage(ctx: Ctx, { filters = {} }: BulkInput) {
  return readPage(ctx, filters);
}

/** All that a filter finds, as far as a request stages it: a longer list has no preview. */
export async function wholeList(ctx: Ctx, { filters = {} }: BulkInput): Promise<string[]> {
  const ids: string[] = [];
  let at: StagingProgress | undefined;
  do {
    const page = await readPage(ctx, filters, at);
    ids.push(...page.ids);
    at = page.next ?? undefined;
  } while (at && at.page <= pagesOfRequest);
  return ids;
}

/** Pages of a filter that one request stages at most; messages of the queue stage the rest. */
export const pagesOfRequest = 40;

/** Puts a page of what a filter finds on the list of a job, the newest first: whatever is created later is not on it. */
export async function stageFiltered(ctx: Ctx, job: MerchantJob): Promise<JobPage> {
  const { filters = {} }: BulkInput = JSON.parse(job.input);
  const { ids, next } = await readPage(ctx, filters, JSON.parse(job.progress) as StagingProgress);
  return { rows: [], writes: insertRows(ctx, job, ids), total: job.total + ids.length, progress: next };
}

/** Subscriptions that one page puts on the list. */
const pageSize = 250;

async function readPage(ctx: Ctx, filters: NonNullable<BulkInput["filters"]>, at?: StagingProgress) {
  const { rows, next } = await listIds(
    ctx,
    {
      ...{ page: at?.page ?? 1, limit: pageSize, sort: "created_at", order: "desc" },
      ...(at ? { from: { position: at.from, total: 0, isEstimate: true } } : {}),
    },
    filters,
  );
  const following: StagingProgress | null = next && { from: next, page: (at?.page ?? 1) + 1 };
  return { ids: rows.map(({ id }) => id), next: following };
}
