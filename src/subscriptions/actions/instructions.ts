import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import { decide } from "../../db/decide.ts";
import { build, prepare, rows, statement } from "../../db/statement.ts";
import { commitEntry, type Entry, entryStatement } from "../../journal/write.ts";
import { requireAllowed } from "../lifecycle.ts";
import { getSubscription, type SubscriptionView } from "../queries.ts";
import { type Subscription, subscriptions } from "../tables.ts";
import { perform, subjectOf } from "./perform.ts";

export const changeInstructions = (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  delivery_instructions: string,
): Promise<SubscriptionView> =>
  perform(ctx, id, dryRun, ({ row }) => {
    requireAllowed("change", row, "change the delivery instructions");
    return { action: "delivery_instructions_updated", after: { delivery_instructions } };
  });

const activeOf = prepare<{ account_id: string; profile_id: string }>((p) =>
  build
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.account_id, p("account_id")),
        eq(subscriptions.profile_id, p("profile_id")),
        eq(subscriptions.status, "ACTIVE"),
      ),
    ),
);

/** One subscription's change: its entry, which is the guard, and the row. */
const statementsFor = (ctx: Ctx, row: Subscription, delivery_instructions: string): Statement[] => {
  const entry: Entry = { action: "delivery_instructions_updated", subject: subjectOf(row) };
  const changes = { delivery_instructions: { from: row.delivery_instructions, to: delivery_instructions } };
  return [
    entryStatement(ctx, { ...entry, changes }),
    statement(
      build
        .update(subscriptions)
        .set({ delivery_instructions, revision: sql`${subscriptions.revision} + 1`, updated_at: ctx.now })
        .where(and(eq(subscriptions.account_id, ctx.account.id), eq(subscriptions.id, row.id))),
    ),
  ];
};

/** The same instructions for every active subscription of the profile, all or none, an entry each. Answers their ids. */
export const changeAllInstructions = (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  delivery_instructions: string,
): Promise<string[]> =>
  decide(async () => {
    const { row } = await getSubscription(ctx, id);
    requireAllowed("change", row, "change the delivery instructions");
    const scope = { account_id: ctx.account.id, profile_id: row.profile_id };
    const active = await rows<Subscription>(ctx.db, activeOf(scope));
    const differing = active.filter((other) => other.delivery_instructions !== delivery_instructions);
    const writes = differing.flatMap((other) => statementsFor(ctx, other, delivery_instructions));
    if (!dryRun && writes.length > 0) await commitEntry(ctx, writes);
    return active.map((other) => other.id);
  });
