import { and, eq, sql } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { commit } from "../../../base/db/commit.ts";
import { insertRow } from "../../../base/db/row-writes.ts";
import { build, columnsEqual, type Params, prepare, rows } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { MadeCharge } from "../../../stores/port.ts";
import { changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import { isBeyondLastCycle, isOver } from "../../subscriptions/lifecycle.ts";
import { type Part, withResult } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { type Subscription, subscriptions } from "../../subscriptions/tables.ts";
import { mayBeOurKey } from "../own-keys.ts";
import { selectLatestAttempts } from "../queries.ts";
import { billingAttempts as attempts, type BillingAttempt } from "../tables.ts";
import { chargeAttempt } from "./charge.ts";
import type { ReviewReason } from "./review-required.ts";
import { startAttempt } from "./start.ts";
import { recordTries } from "./tries.ts";

/**
 * The outcome of a charge whose key no attempt here has. `ours`: it may be of an attempt that the database has lost. `unrelated`:
 * its contract belongs to no subscription. `known`: it was followed before. `open`: another attempt at the cycle is open. Else
 * what the account wants of charges by others.
 */
type ForeignOutcome = "ours" | "unrelated" | "known" | "open" | "wait" | "count" | "ignore";

/**
 * Follows the charge of a subscription's contract that somebody else has made: the customer has paid, and is not to pay the cycle again before
 * a person has looked. It becomes an attempt at the present cycle that has the charge's reference. Such an attempt is looked up and never
 * sent. People are told of each charge once.
 */
export async function followForeignCharge(ctx: Ctx, charge: MadeCharge): Promise<ForeignOutcome> {
  const { reference, store_contract_id } = charge;
  const [found] = await findForeign(ctx, [charge]);
  if (!found) return "unrelated";
  const id = found.subscription_id;
  const alongside = {
    latest: selectLatestAttempts(ctx, [id]),
    known: selectOfReference({ account_seq: ctx.account.seq, subscription_id: id, reference }),
  };
  const { result } = await changeSubscription(
    ctx,
    id,
    { alongside, tries: recordTries },
    async (view, { latest: [before], known }): Promise<Part<Followed>> => {
      const { row } = view;
      if (known.length > 0) return { result: { outcome: "known" } };
      if (row.store_contract_id !== store_contract_id) return { result: { outcome: "unrelated" } };
      if (await mayBeOurKey(ctx.account, row, charge.key)) return { result: { outcome: "ours" } };
      return row.open_attempt_id === null
        ? decideForeign(ctx, view, reference, before)
        : { result: { outcome: "open" } };
    },
  );
  const { outcome, attempt } = result as Followed;
  if (outcome === "ignore" && attempt) await commit({ db: ctx.db }, [insertRow(attempts, attempt)]);
  if (attempt || outcome === "open") report(ctx, id, charge, outcome);
  if (outcome === "count" && attempt) await chargeAttempt(ctx, attempt.id);
  return outcome;
}

/** Those of these charges of a subscription's contract that no attempt here has the reference of, and that were made since it is here. */
export function findForeign(
  ctx: Ctx,
  charges: MadeCharge[],
): Promise<{ reference: string; subscription_id: string }[]> {
  const made = charges.filter(({ store_contract_id }) => store_contract_id !== null);
  if (made.length === 0) return Promise.resolve([]);
  return rows(ctx.db, selectForeign({ account_seq: ctx.account.seq, charges: JSON.stringify(made) }));
}

type Followed = { outcome: ForeignOutcome; attempt?: BillingAttempt };

const chargedByOthers: ReviewReason = {
  code: "charged_by_others",
  message:
    "Somebody else has charged the contract at the store: a person decides whether that pays the cycle",
};

/** A subscription that is not billed any more has nothing to wait with: people are told. */
async function decideForeign(
  ctx: Ctx,
  view: SubscriptionView,
  reference: string,
  before: BillingAttempt | undefined,
): Promise<Part<Followed>> {
  const { row } = view;
  const outcome = isBilledYet(row) ? ctx.account.on_foreign_charge : "ignore";
  const earlier = { reference, figures: undefined };
  const start = await startAttempt(ctx, view, { origin: "RECURRING", before, earlier });
  const started = start.result;
  const { code: error_code, message: error_message } = chargedByOthers;
  const noted = { ...started, error_code, error_message, next_action_at: null, open_since: null };
  switch (outcome) {
    case "count":
      return withResult({ ...start, jobs: [] }, { outcome, attempt: started });
    case "ignore": {
      const ignored = { ...noted, status: "CANCELLED", is_refused: 1, settled_at: ctx.now } as const;
      return { result: { outcome, attempt: ignored } };
    }
    case "wait": {
      const { id, cycle, attempt_number } = started;
      const metadata = { billing_attempt_id: id, cycle, attempt_number, error_code, error_message };
      return {
        entry: { action: "billing_review_required", metadata },
        columns: { ...start.columns, billing_blocked_reason: error_code },
        writes: [insertRow(attempts, { ...noted, status: "REVIEW" })],
        result: { outcome, attempt: { ...noted, status: "REVIEW" } },
      };
    }
  }
}

function isBilledYet(row: Subscription): boolean {
  return !isOver(row) && !isBeyondLastCycle(row);
}

function report(ctx: Ctx, subscription_id: string, charge: MadeCharge, handled: ForeignOutcome): void {
  const { reference, store_order_id } = charge;
  const names = { account_seq: ctx.account.seq, subscription_id, reference, store_order_id };
  ctx.log("charged_by_others", { alert: true, ...names, handled });
}

const selectOfReference = prepare(
  (p: Params<{ account_seq: AccountSeq; subscription_id: string; reference: string }>) =>
    build
      .select({ id: attempts.id })
      .from(attempts)
      .where(
        and(
          columnsEqual(attempts, p, "account_seq", "subscription_id"),
          eq(attempts.store_reference, p("reference")),
        ),
      )
      .limit(1),
);

const selectForeign = prepare((p: Params<{ account_seq: AccountSeq; charges: string }>) =>
  build
    .select({
      reference: sql<string>`charge.value ->> 'reference'`.as("reference"),
      subscription_id: sql<string>`${subscriptions.id}`.as("subscription_id"),
    })
    .from(sql`json_each(${p("charges")}) AS charge`)
    .crossJoin(subscriptions)
    .where(
      and(
        eq(subscriptions.account_seq, p("account_seq")),
        sql`${subscriptions.store_contract_id} = charge.value ->> 'store_contract_id'`,
        sql`${subscriptions.created_at} <= charge.value ->> 'created_at'`,
        sql`NOT EXISTS (SELECT 1 FROM ${attempts} WHERE ${attempts.account_seq} = ${subscriptions.account_seq}
          AND ${attempts.subscription_id} = ${subscriptions.id} AND ${attempts.store_reference} = charge.value ->> 'reference')`,
      ),
    ),
);
