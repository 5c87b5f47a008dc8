import { and, eq } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { retryOnConflict } from "../../../base/db/retry-on-conflict.ts";
import { build, columnsEqual, type Params, prepare, rows } from "../../../base/db/statement.ts";
import { invalid } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { changeStatements, commitStatements } from "../../../kit/journal/write.ts";
import { deliverySlots } from "../../delivery/tables.ts";
import { cutoffColumns, isItsSlot, requireBeforeCutoff } from "../bounds/cutoff.ts";
import { requireAllowed } from "../lifecycle.ts";
import { getSubscription, type SubscriptionView } from "../queries.ts";
import { subscriptions } from "../tables.ts";
import { imagedStatements } from "../undo/image.ts";
import { type CommandWith, changeSubscription, subjectOf } from "./change-subscription.ts";

export function changeInstructions(
  ctx: Ctx,
  { id, request: delivery_instructions }: CommandWith<string>,
): Promise<SubscriptionView> {
  requireShort(ctx, delivery_instructions);
  return changeSubscription(ctx, id, { beforeCutoff: what }, ({ row }) => {
    requireAllowed("change", row, what);
    return { entry: { action }, columns: { delivery_instructions } };
  });
}

/**
 * Sets the same instructions on every active subscription of the profile, all or none, with a history entry each. Returns
 * their ids. Of many subscriptions some are changed by others all the time, so this reads and decides far more often than a
 * change of one record, which twice is enough for.
 */
export function changeAllInstructions(
  ctx: Ctx,
  { id, request: delivery_instructions }: CommandWith<string>,
): Promise<string[]> {
  requireShort(ctx, delivery_instructions);
  return retryOnConflict(async () => {
    const view = await getSubscription(ctx, id);
    const { row } = view;
    requireAllowed("change", row, what);
    const scope = { account_seq: ctx.account.seq, profile_id: row.profile_id };
    const active = await rows(ctx.db, selectActive(scope));
    const differing = active.filter((other) => other.delivery_instructions !== delivery_instructions);
    requireBeforeCutoff(
      view,
      what,
      differing.map((other) => ({ row: other, slot: other })),
    );
    const after = { delivery_instructions };
    const statements = differing.flatMap((row) =>
      imagedStatements(ctx, changeStatements(ctx, { action, subject: subjectOf(row), after }), {
        row,
        after,
        actions: [action],
      }),
    );
    if (statements.length > 0) await commitStatements(ctx, statements);
    return active.map((other) => other.id);
  }, maxTries);
}

const what = "change the delivery instructions";
const action = "delivery_instructions_updated";

/** The most characters from a customer. Those of the merchant's are the schema's. */
const ownCharactersMax = 1_000;

/** Throws VALIDATION_FAILED for a text of a customer's that is longer. */
function requireShort({ actor }: Ctx, delivery_instructions: string): void {
  if (actor.type !== "customer" || [...delivery_instructions].length <= ownCharactersMax) return;
  throw invalid([
    {
      path: "delivery_instructions",
      message: `must have at most ${ownCharactersMax.toLocaleString("en")} characters`,
    },
  ]);
}

/** Each try takes two trips to the database; a request has time for this many. */
const maxTries = 30;

/** Only the columns that the change and its entry need: the less is read, the less changes meanwhile. */
const selectActive = prepare((p: Params<{ account_seq: AccountSeq; profile_id: string }>) =>
  build
    .select({
      id: subscriptions.id,
      account_seq: subscriptions.account_seq,
      profile_id: subscriptions.profile_id,
      revision: subscriptions.revision,
      delivery_instructions: subscriptions.delivery_instructions,
      status: subscriptions.status,
      activation: subscriptions.activation,
      current_billing_cycle: subscriptions.current_billing_cycle,
      next_delivery_date: subscriptions.next_delivery_date,
      ...cutoffColumns,
    })
    .from(subscriptions)
    .leftJoin(deliverySlots, isItsSlot)
    .where(
      and(columnsEqual(subscriptions, p, "account_seq", "profile_id"), eq(subscriptions.status, "ACTIVE")),
    ),
);
