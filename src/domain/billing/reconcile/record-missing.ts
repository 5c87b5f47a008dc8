import { eq } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import type { Statement } from "../../../base/db/port.ts";
import { build, type Params, prepare, rows } from "../../../base/db/statement.ts";
import { dateIn } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { MadeCharge } from "../../../stores/port.ts";
import { changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import { isOver } from "../../subscriptions/lifecycle.ts";
import { foundByAny } from "../../subscriptions/list/found-by-any.ts";
import { type Part, withResult } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { type Subscription, subscriptions } from "../../subscriptions/tables.ts";
import { chargeAttempt } from "../actions/charge.ts";
import { startAttempt } from "../actions/start.ts";
import { recordTries } from "../actions/tries.ts";
import { isKeyOfNextLife, isKeyToCome } from "../own-keys.ts";
import { findAttempt, selectLatestAttempts } from "../queries.ts";
import type { BillingAttempt } from "../tables.ts";

/**
 * Records a charge that the database does not know, for example after a restore. If its key is that of the subscription's next
 * attempt, it creates that attempt with the store's reference. An attempt with a reference is never sent, only looked up, so this
 * cannot charge; the store's answer is recorded like any other. "later" if the key is of an attempt that is still to come: its contract is
 * not linked yet, another attempt is open, or it is not the next one. "reactivation" if it is of the life that begins once the subscription, which
 * has ended, is reactivated. Undefined if it belongs to no attempt that there can be.
 */
export async function recordMissing(
  ctx: Ctx,
  charge: MadeCharge,
): Promise<BillingAttempt | ToCome | undefined> {
  const subscriptionId = await findSubscriptionOf(ctx, charge);
  if (subscriptionId === undefined) return undefined;
  const { result } = await changeSubscription<Recorded, { latest: Statement<BillingAttempt> }>(
    ctx,
    subscriptionId,
    { alongside: { latest: selectLatestAttempts(ctx, [subscriptionId]) }, tries: recordTries },
    async (view, { latest: [before] }): Promise<Part<Recorded> | undefined> => {
      const { row } = view;
      if (isOver(row)) return afterItsEnd(ctx, view, charge);
      const later = async (): Promise<Part<Recorded> | undefined> =>
        (await isKeyToCome(ctx.account, row, { key: charge.key, latest: before }))
          ? { result: "later" }
          : undefined;
      if (row.store_contract_id === null || row.open_attempt_id !== null) return later();
      const start = await startAttempt(ctx, view, {
        origin: isScheduled(ctx, row, charge) ? "RECURRING" : "SHIP_NOW",
        sentBefore: { reference: charge.reference, at: charge.created_at },
        before,
      });
      if (start.result.store_key !== charge.key) return later();
      return withResult({ ...start, jobs: [] }, { id: start.result.id });
    },
  );
  if (typeof result !== "object") return result;
  await chargeAttempt(ctx, result.id);
  return findAttempt(ctx, result.id);
}

/** The attempt that a charge has become, by its id. */
type Recorded = { id: string } | ToCome;

/** Why the attempt of a charge is still to come. */
type ToCome = "later" | "reactivation";

/** A subscription that has ended has no other attempt to come than those of its next life, if it may have one. */
async function afterItsEnd(
  ctx: Ctx,
  { row, profileDeletedAt }: SubscriptionView,
  { key }: MadeCharge,
): Promise<Part<Recorded> | undefined> {
  const mayBegin = profileDeletedAt === null;
  return mayBegin && (await isKeyOfNextLife(ctx.account, row, key)) ? { result: "reactivation" } : undefined;
}

/** Whether the cycle was due when it was charged; an earlier charge was a ship-now. */
function isScheduled(
  { account }: Ctx,
  { next_billing_date }: Subscription,
  { created_at }: MadeCharge,
): boolean {
  return next_billing_date !== null && next_billing_date <= dateIn(created_at, account.timezone);
}

/** The subscription that the charge's contract is linked to, else the one that the store names: a restore may have undone the link, or the subscription. */
async function findSubscriptionOf(ctx: Ctx, charge: MadeCharge): Promise<string | undefined> {
  const { subscription_id: named, store_contract_id: contract } = charge;
  const found = await rows(ctx.db, selectOfCharge({ account_seq: ctx.account.seq, named, contract }));
  return (found.find(({ store_contract_id }) => store_contract_id === contract) ?? found[0])?.id;
}

type OfCharge = { account_seq: AccountSeq; named: string | null; contract: number | null };

const selectOfCharge = prepare((p: Params<OfCharge>) =>
  build
    .select({ id: subscriptions.id, store_contract_id: subscriptions.store_contract_id })
    .from(subscriptions)
    .where(
      foundByAny(p("account_seq"), [
        eq(subscriptions.id, p("named")),
        eq(subscriptions.store_contract_id, p("contract")),
      ]),
    ),
);
