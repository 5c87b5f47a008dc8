import type { Statement } from "../../base/db/port.ts";
import { updateRow } from "../../base/db/row-writes.ts";
import { DomainError } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import type { DunningEpisode } from "../dunning/tables.ts";
import { type OrderDispute, orderDisputes } from "../orders/tables.ts";
import { selectCurrentEpisodes } from "../retries/current-episodes.ts";
import { type Command, changeSubscription } from "../subscriptions/actions/change-subscription.ts";
import { blockedReason, isDisputed } from "../subscriptions/lifecycle.ts";
import { combine, type Part } from "../subscriptions/part.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { unblockBilling } from "./block-billing.ts";
import { selectBlockingDisputes } from "./queries.ts";
import { isOpenDispute } from "./rules.ts";

/**
 * Lets a subscription be billed again that a dispute has blocked: what fell due meanwhile is billed at once. Where nothing blocks it, nothing
 * changes. Throws INVALID_STATE while a dispute is open and the account's `on_dispute` is block, and for any other reason of a block.
 */
export function resumeBilling(ctx: Ctx, { id }: Command): Promise<SubscriptionView> {
  const alongside = {
    disputes: selectBlockingDisputes(ctx, [id]),
    episodes: selectCurrentEpisodes(ctx, [id]),
  };
  return changeSubscription(ctx, id, { alongside }, ({ row }, { disputes, episodes: [episode] }) =>
    decideResumption(ctx, row, disputes, episode),
  );
}

function decideResumption(
  ctx: Ctx,
  row: Subscription,
  disputes: OrderDispute[],
  episode: DunningEpisode | undefined,
): Part | undefined {
  if (!isDisputed(row)) return requireUnblocked(row);
  if (ctx.account.on_dispute === "block" && disputes.some(isOpenDispute))
    throw new DomainError(
      "INVALID_STATE",
      "Cannot resume billing: a dispute of one of its payments is still open, and the account's on_dispute is block",
    );
  return combine(unblockBilling(ctx, row, episode), {
    entry: { action: "billing_resumed", metadata: { dispute_ids: disputes.map(({ id }) => id) } },
    writes: disputes.map((dispute) => updateNotBlocking(ctx, dispute)),
  });
}

/** A block for another reason is lifted otherwise. */
function requireUnblocked(row: Subscription): undefined {
  const reason = blockedReason(row);
  if (reason !== null)
    throw new DomainError("INVALID_STATE", `Cannot resume billing: no dispute blocks it, but ${reason}`);
}

function updateNotBlocking(ctx: Ctx, { account_seq, id }: OrderDispute): Statement {
  return updateRow(orderDisputes, { account_seq, id }, { is_blocking: 0, updated_at: ctx.now });
}
