import { and, eq } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { decide } from "../../../base/db/decide.ts";
import { build, type Params, prepare, rows } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { changeEach } from "../../../kit/journal/write.ts";
import { deliverySlots } from "../../delivery/tables.ts";
import { requireBeforeCutoff } from "../cutoff.ts";
import { requireAllowed } from "../lifecycle.ts";
import { getSubscription, type SubscriptionView } from "../queries.ts";
import { subscriptions } from "../tables.ts";
import { type CommandWith, changeSubscription, subjectOf } from "./change-subscription.ts";

export function changeInstructions(
  ctx: Ctx,
  { id, dryRun, request: delivery_instructions }: CommandWith<string>,
): Promise<SubscriptionView> {
  return changeSubscription(ctx, id, { dryRun, beforeCutoff: what }, ({ row }) => {
    requireAllowed("change", row, what);
    return { entry: { action: "delivery_instructions_updated" }, columns: { delivery_instructions } };
  });
}

/**
 * Sets the same instructions on every active subscription of the profile, all or none, with a history entry each. Returns
 * their ids. Of many subscriptions some are changed by others all the time, so this reads and decides far more often than a
 * change of one record, which twice is enough for.
 */
export function changeAllInstructions(
  ctx: Ctx,
  { id, dryRun, request: delivery_instructions }: CommandWith<string>,
): Promise<string[]> {
  return decide(async () => {
    const { row } = await getSubscription(ctx, id);
    requireAllowed("change", row, what);
    const scope = { account_seq: ctx.account.seq, profile_id: row.profile_id };
    const active = await rows(ctx.db, activeOf(scope));
    const differing = active.filter((other) => other.delivery_instructions !== delivery_instructions);
    requireBeforeCutoff(
      ctx,
      what,
      differing.map((other) => ({ row: other, slot: other })),
    );
    const changes = differing.map((other) => ({
      action: "delivery_instructions_updated" as const,
      subject: subjectOf(other),
      after: { delivery_instructions },
    }));
    if (!dryRun && changes.length > 0) await changeEach(ctx, changes);
    return active.map((other) => other.id);
  }, maxTries);
}

const what = "change the delivery instructions";

/** Each try takes two trips to the database; a request has time for this many. */
const maxTries = 30;

/** Only the columns that the change and its entry need: the less is read, the less changes meanwhile. */
const activeOf = prepare((p: Params<{ account_seq: AccountSeq; profile_id: string }>) =>
  build
    .select({
      id: subscriptions.id,
      account_seq: subscriptions.account_seq,
      profile_id: subscriptions.profile_id,
      revision: subscriptions.revision,
      delivery_instructions: subscriptions.delivery_instructions,
      status: subscriptions.status,
      next_delivery_date: subscriptions.next_delivery_date,
      cutoff_days: deliverySlots.cutoff_days,
      cutoff_time: deliverySlots.cutoff_time,
    })
    .from(subscriptions)
    .leftJoin(
      deliverySlots,
      and(
        eq(deliverySlots.account_seq, subscriptions.account_seq),
        eq(deliverySlots.id, subscriptions.delivery_slot_id),
      ),
    )
    .where(
      and(
        eq(subscriptions.account_seq, p("account_seq")),
        eq(subscriptions.profile_id, p("profile_id")),
        eq(subscriptions.status, "ACTIVE"),
      ),
    ),
);
