import { requireWithinLimit } from "../../base/accounts/limits.ts";
import { minorOf } from "../../base/amounts.ts";
import { first, raw, rows } from "../../base/db/statement.ts";
import { OtherDecisionError } from "../../base/db/wrapped/rehearsal.ts";
import { DomainError, invalid } from "../../base/errors.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import { asRehearsed, type Ctx, rehearse } from "../../kit/context.ts";
import { canonical } from "../../kit/http/preview/hash.ts";
import { PreviewChangedError } from "../../kit/http/preview/preview-changed.ts";
import { presentJob } from "../merchant-jobs/present.ts";
import { getJob } from "../merchant-jobs/queries.ts";
import type { JobRow, MerchantJob } from "../merchant-jobs/tables.ts";
import { discountsOf, linesOf } from "../subscriptions/row-codec.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import type { BulkInput } from "./actions.ts";

/** The hash of what a job does, and to whom: two jobs have the same for one action, one input and one list. */
function bulkHash({ action, input, notice_days }: BulkInput, ids: string[]): Promise<string> {
  return sha256Hex(canonical([action, input, notice_days ?? null, ids]));
}

/** The preview that a dry run is; undefined while its list is still being made. */
export async function previewOfJob(ctx: Ctx, job: MerchantJob): Promise<string | undefined> {
  return job.status === "STAGING" ? undefined : bulkHash(JSON.parse(job.input), await idsOf(ctx, job));
}

/** The dry run, and its hash as the caller has seen it; undefined where they name the dry run alone. */
type Shown = { expected: string | undefined; preview_job_id: string };

/**
 * Throws unless a job would do what its dry run was: PREVIEW_CHANGED for another action, input or list, INVALID_STATE where the dry run is not
 * done, AMOUNT_ABOVE_LIMIT where its payments are more than the credential may charge.
 */
export async function requireShown(
  ctx: Ctx,
  asked: BulkInput,
  ids: string[],
  { expected, preview_job_id }: Shown,
): Promise<void> {
  const job = await getJob(ctx, preview_job_id);
  if (job.kind !== "BULK" || !job.is_dry_run)
    throw invalid([{ path: "preview_job_id", message: "must be the dry run of a job of many" }]);
  if (job.status !== "DONE")
    throw new DomainError("INVALID_STATE", `The dry run is ${job.status}: wait until it is DONE`);
  const [now, shown] = [await bulkHash(asked, ids), await previewOfJob(ctx, job)];
  if (now !== shown || (expected !== undefined && now !== expected))
    throw new PreviewChangedError({ data: presentJob(job) }, now);
  if (asked.action !== "retry_payment") return;
  const { total_after = 0 } = JSON.parse(job.summary) as { total_after?: number };
  const { currency_code } = ctx.account;
  const amount = minorOf(total_after, currency_code, "preview_job_id");
  requireWithinLimit(ctx, [{ amount, currency_code }]);
}

/** The decision about a subscription, as a dry run keeps it beside its row. */
export function decisionOf(ctx: Ctx): Promise<string> | undefined {
  const change = ctx.jobRow?.change;
  return change && sha256Hex(canonical(partsShown({ ...change.before, ...change.after } as Subscription)));
}

/**
 * Does to a subscription what the dry run has shown of it. Throws PREVIEW_CHANGED where that would be something else by now, or where somebody
 * changes it at the same time.
 */
export async function actAsShown(
  ctx: Ctx,
  preview_job_id: string,
  { n }: JobRow,
  act: (ctx: Ctx) => Promise<unknown>,
): Promise<void> {
  const shown = await first(ctx.db, selectShown(ctx, preview_job_id, n));
  const dry = rehearse(ctx);
  await act(dry);
  const decision = await decisionOf(ctx);
  const wasShown = JSON.parse(shown?.undo ?? "{}").decision;
  if (shown?.status !== "OK" || decision !== wasShown) throw changedSince(ctx);
  try {
    await act(asRehearsed(ctx, dry.rehearsal));
  } catch (error) {
    throw error instanceof OtherDecisionError ? changedSince(ctx) : error;
  }
}

/** The refusal of a row, of which nothing is changed. */
function changedSince({ jobRow }: Ctx): DomainError {
  if (jobRow) jobRow.change = undefined;
  return new DomainError("PREVIEW_CHANGED", "It has changed since it was shown", [
    { path: "changed_since_preview", message: "It has changed since it was shown" },
  ]);
}

function selectShown({ account }: Ctx, job_id: string, n: number) {
  return raw<{ status: JobRow["status"]; undo: string | null }>(
    "SELECT status, undo FROM job_rows WHERE account_seq = ? AND job_id = ? AND n = ?",
    ...[account.seq, job_id, n],
  );
}

async function idsOf(ctx: Ctx, { id }: MerchantJob): Promise<string[]> {
  const found = await rows(
    ctx.db,
    raw<{ key: string }>(
      "SELECT key FROM job_rows WHERE account_seq = ? AND job_id = ? ORDER BY n",
      ...[ctx.account.seq, id],
    ),
  );
  return found.map(({ key }) => key);
}

/** The parts of a subscription that a preview is of. */
function partsShown(row: Subscription): unknown {
  const { status, next_billing_date, next_delivery_date, next_production_date, pause_until, total } = row;
  const { billing_interval, billing_interval_count, delivery_slot_id, delivery_address } = row;
  const { delivery_instructions, payment_method_id, current_billing_cycle, shipping_amount } = row;
  const contents = [linesOf(row), discountsOf(row)].map((all) =>
    all.map(({ id: _, ...its }) => withoutInstants(its)),
  );
  return {
    ...{ status, next_billing_date, next_delivery_date, next_production_date, pause_until, total },
    ...{
      billing_interval,
      billing_interval_count,
      delivery_slot_id,
      delivery_address,
      delivery_instructions,
    },
    ...{ payment_method_id, current_billing_cycle, shipping_amount, contents },
  };
}

function withoutInstants(its: object): object {
  return Object.fromEntries(Object.entries(its).filter(([name]) => !/_at$|^store_discount_id$/.test(name)));
}
