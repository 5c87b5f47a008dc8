import type { Ctx } from "../../../kit/context.ts";
import type { RefundPage } from "../../../stores/port/refunds.ts";

/**
 * The result of a look at a page of the store's refunds. `next` is where the next page begins; `isCut`: the rest of the page is looked at
 * anew, and what is recorded costs little then. `isUnsettled`: the charge of a refund is still to be recorded.
 */
export type RefundsLook = { next: string | null; recorded: number; isUnsettled: boolean; isCut?: true };

/** Records the store's refunds in slices that know of orders, and that this one must not know. */
export type LookAtRefunds = (ctx: Ctx, page: RefundPage, isEnough: () => boolean) => Promise<RefundsLook>;
