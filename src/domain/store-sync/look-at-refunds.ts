import type { Outcome } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import type { ListedRefund, RefundPage } from "../../stores/port/refunds.ts";
import { AccessDeniedError, StoreThrottledError, UnknownOutcomeError } from "../../stores/port.ts";
import type { LookAtRefunds, RefundsLook } from "../billing/reconcile/refunds.ts";
import { findRefundsOfStore } from "../own-orders/queries.ts";
import { refreshRefunds } from "./refunds.ts";

/**
 * Looks at a page of the refunds that the store has made since an instant, and records those that are not known as they are: their webhooks
 * were lost, or a restore has undone what was known. A store whose key may not read refunds is left alone, and people are told.
 */
export const lookAtRefunds: LookAtRefunds = async (ctx, page, isEnough) => {
  const listed = await list(ctx, page);
  const unknown = await findUnknown(ctx, listed.refunds);
  const look: RefundsLook = { next: listed.next, recorded: 0, isUnsettled: false };
  for (const [charge, its] of Map.groupBy(unknown, ({ charge_reference }) => charge_reference)) {
    if (isEnough()) return { ...look, next: page.after, isCut: true };
    if ((await refreshIfAnswered(ctx, charge)) === "later") look.isUnsettled = true;
    else look.recorded += its.length;
  }
  return look;
};

/** One charge about which the store does not answer holds up no other: it is looked at again the next night. */
async function refreshIfAnswered(ctx: Ctx, charge_reference: string): Promise<Outcome> {
  return refreshRefunds(ctx, charge_reference).catch((error) => {
    if (!(error instanceof UnknownOutcomeError) || error instanceof StoreThrottledError) throw error;
    ctx.log("store_not_asked", { charge_reference, cause: error.message });
    return "later";
  });
}

async function list(ctx: Ctx, page: RefundPage): Promise<{ refunds: ListedRefund[]; next: string | null }> {
  const none = { refunds: [], next: null };
  try {
    return (await ctx.store.listRefundsSince?.(page)) ?? none;
  } catch (error) {
    if (!(error instanceof AccessDeniedError)) throw error;
    const { message: why } = error;
    ctx.log("store_access_denied", { alert: true, account_id: ctx.account.id, topic: "refunds", why });
    return none;
  }
}

async function findUnknown(ctx: Ctx, shown: ListedRefund[]): Promise<ListedRefund[]> {
  if (shown.length === 0) return [];
  const references = shown.map(({ reference }) => reference);
  const known = await findRefundsOfStore(ctx, references);
  const statuses = new Map(known.map(({ store_reference, status }) => [store_reference, status]));
  return shown.filter(({ reference, status }) => statuses.get(reference) !== status);
}
