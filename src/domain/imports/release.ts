import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { updateRow } from "../../base/db/row-writes.ts";
import { raw, rows } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { syncContractJob, workJob } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { change } from "../../kit/journal/write.ts";
import type { OpenRow } from "../merchant-jobs/row-ctx.ts";
import { fromFirstRow, isReleasing } from "../merchant-jobs/statuses.ts";
import { subjectOfJob } from "../merchant-jobs/subject.ts";
import type { JobRow, MerchantJob } from "../merchant-jobs/tables.ts";
import { takeTurn } from "../merchant-jobs/turn.ts";
import { changeSubscription } from "../subscriptions/actions/change-subscription.ts";
import { changeSubscriptions } from "../subscriptions/actions/change-subscriptions.ts";
import { importHeld, isHeld, isOver } from "../subscriptions/lifecycle.ts";
import type { Part } from "../subscriptions/part.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { getImport } from "./stage.ts";
import { importRefs } from "./tables.ts";

/** Who has asked for the release that a job is working on. */
type ReleaseProgress = {
  after: number;
  release: { type: Ctx["actor"]["type"]; name: string | null };
  allowsWithoutCard?: boolean;
};

type Asked = {
  id: string;
  refs: string[] | undefined;
  allowsWithoutCard?: boolean | undefined;
};

/**
 * Ends the hold of the subscriptions of an import, so that they are charged and reminded from their dates on: of these refs at once, or of
 * all of them, which the job then does row by row. Releasing twice changes nothing. Throws INVALID_STATE while the import runs.
 */
export async function releaseImport(ctx: Ctx, asked: Asked): Promise<MerchantJob> {
  const { id, refs, allowsWithoutCard = false } = asked;
  if (refs) return releaseRefs(ctx, { id, refs, allowsWithoutCard });
  const job = await retryOnConflict(async () => {
    const found = await getReleasable(ctx, id);
    if (isReleasing(found)) return found;
    const { type, name } = ctx.actor;
    const begun = fromFirstRow(ctx, found, "RUNNING");
    const progress: ReleaseProgress = { after: 0, release: { type, name }, allowsWithoutCard };
    const after = { ...begun, progress: JSON.stringify(progress) };
    const changes = { status: { from: found.status, to: after.status } };
    const metadata = { kind: found.kind, does: "release" };
    const entry = { action: "job_started", subject: subjectOfJob(found), metadata, changes, after } as const;
    await takeTurn(ctx, () => change(ctx, entry));
    return { ...found, ...after, revision: found.revision + 1, updated_at: ctx.now };
  });
  await ctx.send([workJob(ctx.account.id, job)]);
  return job;
}

/** Releases the subscription of a row, if it is still held. */
export async function releaseRow(open: OpenRow, job: MerchantJob, { record_id }: JobRow): Promise<void> {
  const { release, allowsWithoutCard = false }: ReleaseProgress = JSON.parse(job.progress);
  if (record_id === null) return;
  const ctx = { ...open.ctx, actor: release };
  await changeSubscription(ctx, record_id, { tries: maxTries }, ({ row }) =>
    decideRelease(ctx, row, allowsWithoutCard),
  );
}

const releasableFrom = ["DONE", "CANCELLED", "UNDONE", "FAILED"];

async function getReleasable(ctx: Ctx, id: string): Promise<MerchantJob> {
  const job = await getImport(ctx, id);
  if (releasableFrom.includes(job.status) || isReleasing(job)) return job;
  throw new DomainError("INVALID_STATE", `Cannot release an import that is ${job.status}`);
}

async function releaseRefs(
  ctx: Ctx,
  { id, refs, allowsWithoutCard = false }: Asked & { refs: string[] },
): Promise<MerchantJob> {
  const job = await getReleasable(ctx, id);
  const found = await rows(
    ctx.db,
    raw<{ ref: string; record_id: string | null; lacks_card: 0 | 1 }>(
      `SELECT asked.value AS ref, its.record_id, EXISTS (SELECT 1 FROM subscriptions AS held
          WHERE held.account_seq = ?1 AND held.id = its.record_id AND held.payment_method_id IS NULL
            AND held.billing_blocked_reason = '${importHeld}' AND held.status NOT IN ('CANCELLED', 'EXPIRED')) AS lacks_card
        FROM json_each(?3) AS asked LEFT JOIN import_refs AS its
        ON its.account_seq = ?1 AND its.source = ?2 AND its.kind = 'subscription' AND its.ref = asked.value AND its.job_id = ?4`,
      ...[ctx.account.seq, JSON.parse(job.input).source, JSON.stringify(refs), id],
    ),
  );
  const unknown = found.flatMap(({ record_id }, nth) => (record_id === null ? [nth] : []));
  if (unknown.length > 0)
    throw new DomainError(
      "UNKNOWN_SUBSCRIPTION",
      "The import has no such subscription",
      unknown.map((nth) => ({ path: `subscription_refs.${nth}`, message: "is not known" })),
    );
  const lacking = found.flatMap(({ lacks_card }, nth) => (lacks_card ? [nth] : []));
  if (lacking.length > 0 && !allowsWithoutCard)
    throw new DomainError(
      "INVALID_STATE",
      "Cannot release subscriptions that have no payment method, unless allow_without_card is true",
      lacking.map((nth) => ({ path: `subscription_refs.${nth}`, message: "has no payment method" })),
    );
  await releaseTogether(
    { ...ctx, jobRow: { job_id: id } },
    found.map(({ record_id }) => record_id!),
    allowsWithoutCard,
  );
  return job;
}

/** Releases subscriptions in one batch, all or none. */
async function releaseTogether(ctx: Ctx, ids: string[], allowsWithoutCard: boolean): Promise<void> {
  for (let tries = 1; tries <= maxTries; tries++)
    if (await changeSubscriptions(ctx, ids, {}, ({ row }) => decideRelease(ctx, row, allowsWithoutCard)))
      return;
  throw new DomainError("VERSION_CONFLICT", "The subscriptions were changed by others meanwhile, try again");
}

const maxTries = 5;

/** A subscription without a payment method could not be charged: it stays held, unless that is asked for. Throws INVALID_STATE. */
function decideRelease(ctx: Ctx, row: Subscription, allowsWithoutCard: boolean): Part | undefined {
  if (!isHeld(row)) return undefined;
  if (row.payment_method_id === null && !isOver(row) && !allowsWithoutCard)
    throw new DomainError(
      "INVALID_STATE",
      `Subscription ${row.id} has no payment method: it is released with allow_without_card`,
    );
  const key = { account_seq: ctx.account.seq, record_id: row.id, kind: "subscription" } as const;
  return {
    entry: { action: "subscription_import_released" },
    columns: { billing_blocked_reason: null },
    writes: [updateRow(importRefs, key, { is_held: 0 })],
    jobs: [syncContractJob(ctx.account.id, row.id)],
  };
}
