import { type Job, type JobOutcome, longJobStatements } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { lookOnItsOwn } from "../../kit/on-its-own.ts";
import type { ListedRefund, RefundPage } from "../../stores/port/refunds.ts";
import { unlessDenied } from "../billing/reconcile/unless-denied.ts";
import { findRefundsOfStore } from "../own-orders/queries.ts";
import { refreshRefunds } from "./refunds.ts";

type ReconcileJob = Extract<Job, { type: "reconcile_refunds" }>;

/** Looks at a page of refunds, and goes on after it. */
export async function reconcileRefunds(ctx: Ctx, job: ReconcileJob): Promise<void> {
  const begun = ctx.db.usage.db_statements;
  const isEnough = () => ctx.db.usage.db_statements - begun >= longJobStatements;
  await unlessDenied(ctx, "refunds", async () => {
    const { next, isCut } = await lookAtRefunds(ctx, job, isEnough);
    if (next !== null || isCut) await ctx.send([{ ...job, after: next }]);
  });
}

/**
 * The result of a look at a page of refunds. `next` is where the next page begins; `isCut`: the rest of the page is looked at anew, and what
 * is recorded costs little then. `open`: the charges whose refunds are to be looked at again, as they are not recorded yet or the store did
 * not answer.
 */
export type RefundsLook = { next: string | null; recorded: number; open: string[]; isCut?: true };

/**
 * Looks at a page of the refunds that the store has made since an instant, and records those that are not known as they are: their webhooks
 * were lost, or a restore has undone what was known.
 */
export async function lookAtRefunds(
  ctx: Ctx,
  { since, after }: RefundPage,
  isEnough: () => boolean = () => false,
): Promise<RefundsLook> {
  const listed = await ctx.store.listRefundsSince?.({ since, after });
  if (!listed) return { next: null, recorded: 0, open: [] };
  const unknown = await findUnknown(ctx, listed.refunds);
  const open: string[] = [];
  for (const charge of new Set(unknown.map(({ charge_reference }) => charge_reference))) {
    if (isEnough()) return { next: after, recorded: await countRecorded(ctx, unknown), open, isCut: true };
    if ((await refreshIfAnswered(ctx, charge)) === "later") open.push(charge);
  }
  return { next: listed.next, recorded: await countRecorded(ctx, unknown), open };
}

async function refreshIfAnswered(ctx: Ctx, charge_reference: string): Promise<JobOutcome> {
  const names = { task: "refunds", charge_reference };
  return (await lookOnItsOwn(ctx, names, () => refreshRefunds(ctx, charge_reference))) ?? "later";
}

async function countRecorded(ctx: Ctx, unknown: ListedRefund[]): Promise<number> {
  return unknown.length - (await findUnknown(ctx, unknown)).length;
}

async function findUnknown(ctx: Ctx, shown: ListedRefund[]): Promise<ListedRefund[]> {
  if (shown.length === 0) return [];
  const references = shown.map(({ reference }) => reference);
  const known = await findRefundsOfStore(ctx, references);
  const statuses = new Map(known.map(({ store_reference, status }) => [store_reference, status]));
  return shown.filter(({ reference, status }) => statuses.get(reference) !== status);
}
