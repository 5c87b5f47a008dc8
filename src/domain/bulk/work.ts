import { notFound } from "../../base/errors.ts";
import { toMajor } from "../../base/lib/money.ts";
import { type Ctx, rehearse } from "../../kit/context.ts";
import type { OpenRow, RowOutcome } from "../merchant-jobs/row-ctx.ts";
import type { JobRow, MerchantJob } from "../merchant-jobs/tables.ts";
import type { KindWork } from "../merchant-jobs/work.ts";
import { calculateAmounts, lastPriceOf } from "../subscriptions/lines/amounts.ts";
import { getSubscription } from "../subscriptions/queries.ts";
import { discountsOf, linesOf } from "../subscriptions/row-codec.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { newUndoRefusal, termsOfJobs } from "../subscriptions/undo/requirements.ts";
import { undoChange } from "../subscriptions/undo/undo-change.ts";
import type { BulkInput } from "./actions.ts";
import { actAsShown, decisionOf } from "./previews.ts";
import { actOn } from "./row-actions.ts";
import { stageFiltered } from "./stage.ts";

/** The work of a bulk job: its list, then each subscription, and taking that back. */
export const bulkWork: KindWork = {
  STAGING: { page: stageFiltered },
  RUNNING: { takes: "PENDING", done: "OK", row: changeOne },
  UNDOING: { takes: "OK", done: "UNDONE", row: undoOne },
};

/** Does the job's action to the subscription of a row, which notes the entry of that, so that it can be taken back. */
async function changeOne({ ctx, note }: OpenRow, job: MerchantJob, row: JobRow): Promise<void> {
  const id = subscriptionOf(row);
  note(() => outcomeOf(ctx, job));
  const input: BulkInput = JSON.parse(job.input);
  const act = (its: Ctx) => actOn(its, { id }, input);
  if (input.preview_job_id !== undefined) await actAsShown(ctx, input.preview_job_id, row, act);
  else await act(job.is_dry_run ? rehearse(ctx) : ctx);
  const decision = job.is_dry_run ? await decisionOf(ctx) : undefined;
  if (decision !== undefined) note({ undo: { decision } });
  if (ctx.jobRow?.change) return;
  const { row: same } = await getSubscription(ctx, id);
  note({ summary: totalsOf(ctx, same, same) });
}

/** The outcome of the change that was decided on last: read again after somebody else's change, the subscription may have none left. */
function outcomeOf(ctx: Ctx, { is_dry_run }: MerchantJob): Partial<RowOutcome> {
  if (!ctx.jobRow?.change) return {};
  const { before, after, entryId } = ctx.jobRow.change;
  const undo: Undoing | undefined = entryId === undefined ? undefined : { entry_id: entryId };
  const summary = totalsOf(ctx, before as Subscription, { ...before, ...after } as Subscription);
  return { summary, ...(is_dry_run ? {} : { undo }) };
}

/** The change of a row, by its entry in the history. */
type Undoing = { entry_id: string };

/** Undoes the change of a row, like anybody else's, at whatever time. */
async function undoOne({ ctx, note }: OpenRow, _: MerchantJob, row: JobRow): Promise<void> {
  note({ errors: [] });
  if (row.undo === null) throw newUndoRefusal("the job has changed nothing of it");
  const request: Undoing = JSON.parse(row.undo);
  await undoChange(ctx, { id: subscriptionOf(row), request }, termsOfJobs);
}

function subscriptionOf({ record_id }: JobRow): string {
  if (record_id === null) throw notFound("Subscription");
  return record_id;
}

/** The total of an order before and after, at the prices that are promised last, in major units; the currency where it is not the account's. */
function totalsOf({ account }: Pick<Ctx, "account">, before: Subscription, after: Subscription): object {
  const { currency_code } = after;
  return {
    total_before: toMajor(totalAtLastPrices(before), currency_code),
    total_after: toMajor(totalAtLastPrices(after), currency_code),
    ...(currency_code === account.currency_code ? {} : { currency_code }),
  };
}

function totalAtLastPrices(row: Subscription): number {
  const lines = linesOf(row);
  if (!lines.some(({ price_changes }) => price_changes)) return row.total;
  const priced = lines.map((line) => ({ ...line, price: lastPriceOf(line) }));
  return calculateAmounts(priced, discountsOf(row), row.shipping_amount, row.tax_amount).total;
}
