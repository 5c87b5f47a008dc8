import { commit } from "../../../base/db/commit.ts";
import type { Statement } from "../../../base/db/port.ts";
import { updateRow } from "../../../base/db/row-writes.ts";
import { first } from "../../../base/db/statement.ts";
import { eventTypes } from "../../../base/event-types.ts";
import type { Ctx } from "../../../kit/context.ts";
import { change } from "../../../kit/journal/write.ts";
import { findListener } from "../../listeners/find-listener.ts";
import { companionOf } from "../../subscriptions/actions/change-subscription.ts";
import { endOnNotice, leaveSubscription } from "../../subscriptions/actions/leave.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { CarriedOut } from "../carried-out.ts";
import { declarationEntry } from "../entries.ts";
import { findMatch, type Match } from "../match.ts";
import { findDeclaration, isBeyondLimit, selectReturn } from "../queries.ts";
import { type Declaration, declarations } from "../tables.ts";

/**
 * Finds what a declaration is about. A cancellation whose subscription is found is carried out by itself where its customer is told of that by mail.
 * Whoever has started the subscription again since has taken it back by that. Everything else is left for staff, also where it was they who did.
 */
export async function carryOut(ctx: Ctx, id: string): Promise<void> {
  const declaration = await findDeclaration(ctx, id);
  if (!declaration || declaration.next_action_at === null) return;
  const isHeld = await isBeyondLimit(ctx, declaration);
  const match = isHeld ? undefined : await findMatch(ctx, declaration);
  if (match && declaration.kind === "cancellation" && declaration.status === "TO_DO") {
    const back = await first(ctx.db, selectReturn(ctx, { id, subscription_id: match.subscription_id }));
    if (back?.actor_type === "customer") return recordReturn(ctx, declaration, match);
    if (!back && match.isReached && (await isToldByMail(ctx))) return cancel(ctx, declaration, match);
  }
  await commit({ db: ctx.db }, [updateLookedFor(ctx, declaration, match)]);
}

/** The customer has their subscription go on: the declaration from before is taken back. */
async function recordReturn(ctx: Ctx, declaration: Declaration, match: Match): Promise<void> {
  const { profile_id } = match;
  const actor = { type: "customer", name: null, profile_id } as const;
  const entry = declarationEntry("declaration_taken_back", { ...declaration, profile_id });
  const after = { ...matchColumns(match), status: "TAKEN_BACK", next_action_at: null } as const;
  await change({ ...ctx, actor }, { ...entry, changes: {}, after });
}

/** Its job is done. Where staff have answered meanwhile, nothing is written, and the sweep finds nothing left. */
function updateLookedFor(ctx: Ctx, row: Declaration, match: Match | undefined): Statement {
  return updateAsRead(ctx, row, match ? matchColumns(match) : {});
}

function matchColumns({ subscription_id, profile_id }: Match): Partial<Declaration> {
  return { matched_subscription_ids: JSON.stringify([subscription_id]), profile_id };
}

function updateAsRead(ctx: Ctx, { id, revision }: Declaration, set: Partial<Declaration>): Statement {
  const key = { account_seq: ctx.account.seq, id, revision };
  return updateRow(declarations, key, {
    ...set,
    ...{ next_action_at: null, revision: revision + 1, updated_at: ctx.now },
  });
}

/** Ends the subscription on behalf of its customer, in one batch with what becomes of the declaration. */
async function cancel(ctx: Ctx, declaration: Declaration, match: Match): Promise<void> {
  const { subscription_id: id, profile_id } = match;
  const actor = { type: "customer", name: null, profile_id } as const;
  const end = await leaveSubscription(
    { ...ctx, actor },
    {
      id,
      wants_on: declaration.wants_on,
      countermanded: selectReturn(ctx, { id: declaration.id, subscription_id: id }),
      metadata: { declaration_id: declaration.id },
      companion: companionOf({}, (view) => ({
        writes: [updateCarriedOut(ctx, { declaration, match, view })],
        relatedEntries: [
          declarationEntry("declaration_carried_out", {
            ...declaration,
            profile_id,
            revision: declaration.revision + 1,
          }),
        ],
      })),
    },
  );
  if (!end) await commit({ db: ctx.db }, [updateLookedFor(ctx, declaration, match)]);
}

type Ending = { declaration: Declaration; match: Match; view: SubscriptionView };

function updateCarriedOut(ctx: Ctx, { declaration, match, view }: Ending): Statement {
  const { id, ends_on, ends_after_cycle } = view.row;
  const carriedOut: CarriedOut = { subscription_id: id, before: { ends_on, ends_after_cycle } };
  return updateAsRead(ctx, declaration, {
    ...matchColumns(match),
    status: "CARRIED_OUT",
    effective_on: endOnNotice(view, declaration.wants_on).effective_on,
    carried_out: JSON.stringify(carriedOut),
  });
}

/** Whether the account has somebody who sends its customers the acknowledgement. */
async function isToldByMail(ctx: Ctx): Promise<boolean> {
  return (await findListener(ctx, eventTypes.declaration_received, ["mail"])) !== undefined;
}
