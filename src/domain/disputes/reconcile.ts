import { type Job, longJobStatements } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { lookOnItsOwn } from "../../kit/on-its-own.ts";
import type { StoreDispute } from "../../stores/port/disputes.ts";
import { markLookedAt } from "../billing/reconcile/disputes.ts";
import { unlessDenied } from "../billing/reconcile/unless-denied.ts";
import type { OrderDispute } from "../orders/tables.ts";
import { findDisputesOfStore, findOpenDisputes } from "./queries.ts";
import { recordDispute, refreshDispute } from "./refresh-dispute.ts";

type ReconcileJob = Extract<Job, { type: "reconcile_disputes" }>;

/**
 * Finds what lost webhooks have left out: looks at a page of the disputes that were opened lately, and after the last at a page of those that
 * are open here, and goes on after it. While the charge of one is still to be recorded, the next night looks from there again.
 */
export async function reconcileDisputes(ctx: Ctx, job: ReconcileJob): Promise<void> {
  await unlessDenied(ctx, "disputes", async () => {
    const next = job.open === undefined ? await lookAtNew(ctx, job) : await lookAtOpen(ctx, job.open);
    if (next) await ctx.send([{ ...job, ...next }]);
  });
}

type Next = Pick<ReconcileJob, "after"> & { open?: string; is_unsettled?: true };

/** The disputes that were opened since; only those that are not known as they are cost more than the page. */
async function lookAtNew(ctx: Ctx, job: ReconcileJob): Promise<Next | undefined> {
  const { since, after } = job;
  const listed = await ctx.store.listDisputes?.({ since, after });
  if (!listed) return undefined;
  const known = await findDisputesOfStore(
    ctx,
    listed.disputes.map(({ reference }) => reference),
  );
  const byReference = new Map(known.map((dispute) => [dispute.store_dispute_id, dispute]));
  const changed = listed.disputes.filter((shown) => !isKnown(byReference.get(shown.reference), shown));
  const { isCut, isUnsettled } = await recordEach(ctx, changed);
  const unsettled = isUnsettled ? ({ is_unsettled: true } as const) : {};
  if (isCut) return { after, ...unsettled };
  if (listed.next !== null) return { after: listed.next, ...unsettled };
  if (!isUnsettled && !job.is_unsettled) await markLookedAt(ctx, job);
  const isAnyOpen = (await findOpenDisputes(ctx, "", 1)).length > 0;
  return isAnyOpen ? { after: null, open: "" } : undefined;
}

/** Disputes take weeks, so that those which are open were opened long ago: each is asked about. */
async function lookAtOpen(ctx: Ctx, afterId: string): Promise<Next | undefined> {
  const page = await findOpenDisputes(ctx, afterId, openPerPage);
  for (const { store_dispute_id } of page)
    await lookOnItsOwn(ctx, { task: "open_dispute", store_dispute_id }, () =>
      refreshDispute(ctx, store_dispute_id),
    );
  const last = page.at(-1);
  return last && page.length === openPerPage ? { after: null, open: last.id } : undefined;
}

/** Few enough to be asked about, one after the other, in one invocation. */
const openPerPage = 50;

function isKnown(known: OrderDispute | undefined, { status, is_inquiry }: StoreDispute): boolean {
  return known?.status === status && known.is_inquiry === (is_inquiry ? 1 : 0);
}

type Recorded = { isCut: boolean; isUnsettled: boolean };

/**
 * `isCut`: the rest of the page is looked at anew, and those before it cost little then. `isUnsettled`: a charge is still to be recorded, or
 * nobody could look at a dispute.
 */
async function recordEach(ctx: Ctx, disputes: StoreDispute[]): Promise<Recorded> {
  const begun = ctx.db.usage.db_statements;
  let isUnsettled = false;
  for (const dispute of disputes) {
    if (ctx.db.usage.db_statements - begun >= longJobStatements) return { isCut: true, isUnsettled };
    const names = { task: "dispute", store_dispute_id: dispute.reference };
    const outcome = await lookOnItsOwn(ctx, names, () => recordDispute(ctx, dispute));
    if (outcome !== "done") isUnsettled = true;
  }
  return { isCut: false, isUnsettled };
}
