import { and, asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { build, columnsEqual, first, type Params, prepare, rows } from "../../../base/db/statement.ts";
import { longJobStatements } from "../../../base/job.ts";
import type { Ctx } from "../../../kit/context.ts";
import { lookOnItsOwn } from "../../../kit/on-its-own.ts";
import type { ChargePage, MadeCharge } from "../../../stores/port.ts";
import { orders } from "../../orders/tables.ts";
import { isExpired } from "../actions/earlier-challenge.ts";
import { findForeign, followForeignCharge } from "../actions/foreign-charge.ts";
import { ifAnswered } from "../actions/if-answered.ts";
import { attemptColumns } from "../charge-content.ts";
import { carriesEarlierCharge, hasCharged, knownChargeOf } from "../known-charge.ts";
import { hasFormOfOurs } from "../own-keys.ts";
import { isOpen } from "../queries.ts";
import { billingAttempts as attempts, type BillingAttempt } from "../tables.ts";
import { mayStillCome } from "../unrecorded.ts";
import { recordMissing } from "./record-missing.ts";

/**
 * A difference that a comparison with the store found. `recorded`: a charge without an attempt, which is recorded now.
 * `not_yet_recorded`: a charge of an attempt that is still to come here, and will record it, or one that is under way at the store. `unknown_charge`: a charge under one of our keys whose attempt cannot be determined. `recorded_as_not_charged`: the attempt of
 * a charge failed or was cancelled here. `order_missing`: the attempt of a charge has no order. `not_charged`: an attempt
 * succeeded here, and the store has no such charge. `reactivation_lost`: the charge pays for the life that its subscription begins once it is
 * reactivated.
 */
export type ChargeFinding = {
  problem:
    | "recorded"
    | "not_yet_recorded"
    | "unknown_charge"
    | "recorded_as_not_charged"
    | "order_missing"
    | "not_charged"
    | "reactivation_lost";
  store_key: string;
  reference: string | null;
  attempt_id: string | null;
  subscription_id: string | null;
};

/**
 * Compares a page of the store's charges with our attempts, and the attempts of the same period with the store's charges. A charge
 * that is missing here is recorded if its attempt can be determined, and one under way that nobody waits for is ended; nothing is ever charged. Open attempts are left to the sweep,
 * which asks the store about them, and expired challenges to `reconcileChallenges`.
 */
export async function reconcilePage(ctx: Ctx, page: ChargePage): Promise<ComparedPage> {
  const { usage } = ctx.db;
  const before = usage.db_statements;
  const listed = await ctx.store.listCharges?.(page);
  if (!listed) return { findings: [], next: null };
  const { charges } = listed;
  const ours = await findAttemptsUnder(ctx, charges);
  const foreign = await findForeignOf(ctx, charges, ours);
  const findings: ChargeFinding[] = [];
  for (const charge of charges) {
    if (usage.db_statements - before >= longJobStatements) return { findings, next: page.after, isCut: true };
    const { key: store_key, reference, subscription_id } = charge;
    const compared = await lookOnItsOwn(ctx, { task: "compare_charge", store_key, reference }, async () => {
      const isForeign = foreign.has(reference) && (await followForeignCharge(ctx, charge)) !== "ours";
      const isLeft = isForeign || !hasFormOfOurs(store_key);
      return { finding: isLeft ? undefined : await compareCharge(ctx, charge, ours.get(store_key)) };
    });
    if (compared?.finding) findings.push(compared.finding);
    if (!compared)
      findings.push({ problem: "not_yet_recorded", store_key, reference, attempt_id: null, subscription_id });
  }
  const [from, to] = [instantOf(page.after) ?? page.since, instantOf(listed.next) ?? lastInstant];
  for await (const attempt of succeededBetween(ctx, from, to))
    if (!ours.has(attempt.store_key) && (await isMissing(ctx, attempt)))
      findings.push({ ...namesOf(attempt), problem: "not_charged" });
  return { findings, next: listed.next };
}

/** `isCut`: so much was recorded that the rest of the page is left, to be compared anew. Charges that are recorded cost little then. */
type ComparedPage = { findings: ChargeFinding[]; next: string | null; isCut?: true };

/** The references of charges that somebody else may have made, at a store that others charge as well. */
async function findForeignOf(
  ctx: Ctx,
  charges: MadeCharge[],
  ours: Map<string, BillingAttempt>,
): Promise<Set<string>> {
  if (!ctx.store.findMadeCharge) return new Set();
  const found = await findForeign(
    ctx,
    charges.filter(({ key }) => !ours.has(key)),
  );
  return new Set(found.map(({ reference }) => reference));
}

async function compareCharge(
  ctx: Ctx,
  charge: MadeCharge,
  attempt: BillingAttempt | undefined,
): Promise<ChargeFinding | undefined> {
  const { key: store_key, reference, subscription_id } = charge;
  if (attempt && isLeftTo(attempt, charge)) return undefined;
  if (attempt?.status === "SUCCEEDED" && !charge.is_pending) {
    if (carriesEarlierCharge(attempt))
      return { ...namesOf(attempt), reference, problem: "recorded_as_not_charged" };
    return (await hasOrder(ctx, attempt)) ? undefined : { ...namesOf(attempt), problem: "order_missing" };
  }
  const recorded = leavesKey(attempt) ? await recordMissing(ctx, charge) : undefined;
  if (typeof recorded === "object")
    return {
      ...namesOf(recorded),
      reference,
      problem: charge.is_pending ? "not_yet_recorded" : "recorded",
    };
  const unmatched = { store_key, reference, attempt_id: null, subscription_id };
  if (charge.is_pending && (await hasEnded(ctx, charge))) return undefined;
  if (recorded === "reactivation" && !charge.is_pending)
    return { ...unmatched, problem: "reactivation_lost" };
  if ((recorded || charge.is_pending) && mayStillCome(ctx, charge))
    return { ...unmatched, problem: "not_yet_recorded" };
  // Another comparison, or the attempt itself, may have recorded it since the page was read.
  const meanwhile = (await findAttemptsUnder(ctx, [charge])).get(store_key);
  if (meanwhile && meanwhile.id !== attempt?.id) return compareCharge(ctx, charge, meanwhile);
  if (attempt) return { ...namesOf(attempt), reference, problem: "recorded_as_not_charged" };
  return { ...unmatched, problem: "unknown_charge" };
}

/**
 * Whether the sweep asks about the charge of an attempt, or the night about an expired challenge. A charge under way may be beside the one
 * that its attempt has; an attempt without a reference looks for it by the key.
 */
function isLeftTo(attempt: BillingAttempt, { is_pending, reference }: MadeCharge): boolean {
  if (!is_pending) return isOpen(attempt) || isExpired(attempt);
  const isOfAttempt = [null, reference].includes(knownChargeOf(attempt).reference);
  return isOfAttempt && (isOpen(attempt) || attempt.status === "SUCCEEDED");
}

/** Ends a charge under way that nobody waits for here; whether it has come to nothing. What takes days at the store goes on. */
async function hasEnded(ctx: Ctx, { key, reference }: MadeCharge): Promise<boolean> {
  const known = { key, reference, attempt_id: "", store_contract_id: 0 };
  const answer = await ifAnswered(ctx, ctx.store.endCharge?.(known));
  return answer?.outcome === "declined";
}

/** Whether another attempt may have the key: there is none here, or one that was withdrawn or refused. */
function leavesKey(attempt: BillingAttempt | undefined): boolean {
  return !attempt || attempt.status === "CANCELLED" || attempt.is_refused === 1;
}

async function hasOrder(ctx: Ctx, { order_id }: BillingAttempt): Promise<boolean> {
  return (
    (await first(ctx.db, selectOrder({ account_seq: ctx.account.seq, id: order_id ?? "" }))) !== undefined
  );
}

const selectOrder = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
  build
    .select({ id: orders.id })
    .from(orders)
    .where(columnsEqual(orders, p, "account_seq", "id")),
);

function namesOf({ id, store_key, store_reference, subscription_id }: BillingAttempt) {
  return { store_key, reference: store_reference, attempt_id: id, subscription_id };
}

/** The attempts under the keys of these charges. Of attempts that share a key it returns the one that counts: succeeded, else open, else the last. */
async function findAttemptsUnder(ctx: Ctx, charges: MadeCharge[]): Promise<Map<string, BillingAttempt>> {
  const keys = JSON.stringify(charges.map(({ key }) => key));
  const found = await rows(ctx.db, selectOfKeys({ account_seq: ctx.account.seq, keys }));
  const rank = (attempt: BillingAttempt) => (attempt.status === "SUCCEEDED" ? 2 : isOpen(attempt) ? 1 : 0);
  return new Map(
    found
      .toSorted((one, other) => rank(one) - rank(other) || (one.created_at < other.created_at ? -1 : 1))
      .map((attempt) => [attempt.store_key, attempt]),
  );
}

type OfKeys = Params<{ account_seq: AccountSeq; keys: string }>;

/** Attempts that were withdrawn or refused have an index by key of their own. */
const selectOfKeys = prepare((p: OfKeys) => withKeys(p, 0).unionAll(withKeys(p, 1)));

function withKeys(p: OfKeys, isRefused: 0 | 1) {
  return build
    .select(attemptColumns(attempts))
    .from(sql`json_each(${p("keys")}) AS wanted`)
    .crossJoin(attempts)
    .where(
      and(
        eq(attempts.account_seq, p("account_seq")),
        sql`${attempts.store_key} = wanted.value`,
        sql`${attempts.is_refused} = ${sql.raw(String(isRefused))}`,
      ),
    );
}

const lastInstant = "9999";

/** A cursor begins with an instant, so the periods of all pages together leave nothing out. */
function instantOf(position: string | null): string | undefined {
  return position?.split(" ")[0];
}

/** So many attempts are read at once. */
const attemptsRead = 200;

/** The attempts that succeeded in a page's time, which are more than its charges where the store has lost some. */
async function* succeededBetween(ctx: Ctx, from: string, to: string): AsyncGenerator<BillingAttempt> {
  for (let after = { created_at: from, id: "" }; ; ) {
    const found = await rows(ctx.db, selectSucceeded({ account_seq: ctx.account.seq, to, ...after }));
    yield* found;
    const last = found.at(-1);
    if (!last || found.length < attemptsRead) return;
    after = last;
  }
}

const before = alias(attempts, "before");

const selectSucceeded = prepare(
  (p: Params<{ account_seq: AccountSeq; created_at: string; id: string; to: string }>) =>
    build
      .select(attemptColumns(attempts))
      .from(attempts)
      .where(
        and(
          eq(attempts.account_seq, p("account_seq")),
          sql`${attempts.status} = 'SUCCEEDED'`,
          sql`(${attempts.created_at}, ${attempts.seq}) > (${p("created_at")}, COALESCE((
            SELECT ${before.seq} FROM ${attempts} AS ${sql.identifier("before")}
            WHERE ${before.account_seq} = ${p("account_seq")} AND ${before.id} = ${p("id")}), 0))`,
          sql`${attempts.created_at} < ${p("to")}`,
        ),
      )
      .orderBy(asc(attempts.created_at), asc(attempts.seq))
      .limit(attemptsRead),
);

/** Whether the store has no charge of an attempt: it lists charges by its own time, so this one may be on another page, and is asked about. */
async function isMissing(ctx: Ctx, attempt: BillingAttempt): Promise<boolean> {
  const names = { task: "compare_attempt", attempt_id: attempt.id };
  const asked = await lookOnItsOwn(ctx, names, async () => ({
    answer: await ctx.store.findCharge(knownChargeOf(attempt)),
  }));
  return asked !== undefined && !hasCharged(asked.answer);
}
