import { and, eq } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import type { Db } from "../../../base/db/port.ts";
import { build, inJson, type Params, prepare, rows } from "../../../base/db/statement.ts";
import { sellingPlans } from "../../../domain/selling-plans/tables.ts";
import { isIdOf } from "../../global-ids.ts";
import type { DesiredContract } from "../../port/contracts.ts";
import { StoreRefusalError, StoreThrottledError } from "../../port.ts";
import { unknownPlanCode } from "../request.ts";

type Lines = DesiredContract["lines"];

/**
 * A contract whose lines name Shopify's plans: a plan that was created here has another id there. Throws StoreThrottledError
 * while a plan is on its way to the store, StoreRefusalError where the store has refused it.
 */
async function withStorePlans<D extends { lines: Lines }>(
  db: Db,
  accountSeq: AccountSeq,
  desired: D,
): Promise<D> {
  const ours = desired.lines
    .map((line) => line.selling_plan_id)
    .filter((id) => id !== null && !isIdOf("SellingPlan", id));
  if (ours.length === 0) return desired;
  const found = await rows(db, selectByIds({ account_seq: accountSeq, ids: JSON.stringify(ours) }));
  const plans = new Map(found.map((plan) => [plan.id, plan]));
  const lines = desired.lines.map((line) => {
    const { selling_plan_id: id } = line;
    return id !== null && ours.includes(id)
      ? { ...line, selling_plan_id: requireStoreId(id, plans.get(id)) }
      : line;
  });
  return { ...desired, lines };
}

/**
 * Does `work` with the contract as it is desired, its lines naming Shopify's plans. Where Shopify refuses a plan, which it deletes when the
 * app has been uninstalled for two days, the lines by plans that were made there have their names alone: those it does not make again, and
 * it needs no plan to charge a contract.
 */
export async function withKnownPlans<D extends { lines: Lines }, T>(
  { db, accountSeq, desired }: { db: Db; accountSeq: AccountSeq; desired: D },
  work: (desired: D) => Promise<T>,
): Promise<T> {
  const named = await withStorePlans(db, accountSeq, desired);
  try {
    return await work(named);
  } catch (error) {
    const byName = { ...desired, lines: desired.lines.map(nameAlone) };
    if (!(error instanceof StoreRefusalError) || !error.codes.includes(unknownPlanCode)) throw error;
    if (byName.lines.every(({ selling_plan_id }) => selling_plan_id !== null)) throw error;
    return work(await withStorePlans(db, accountSeq, byName));
  }
}

function nameAlone<L extends Lines[number]>(line: L): L {
  const { selling_plan_id: id } = line;
  return id !== null && isIdOf("SellingPlan", id) ? { ...line, selling_plan_id: null } : line;
}

type Pushed = { store_plan_id: string | null; store_sync_error: string | null };

/** Until the outbox has sent the plan; it runs at least once a minute. */
const retryAfterSeconds = 20;

function requireStoreId(id: string, plan: Pushed | undefined): string {
  if (!plan) throw new StoreRefusalError(`The selling plan ${id} was deleted`, ["UNKNOWN_SELLING_PLAN"]);
  const { store_plan_id, store_sync_error } = plan;
  if (store_plan_id !== null) return store_plan_id;
  if (store_sync_error === null)
    throw new StoreThrottledError(`The selling plan ${id} is not at Shopify yet`, retryAfterSeconds);
  throw new StoreRefusalError(`The selling plan ${id} is not at Shopify: ${store_sync_error}`, [
    "SELLING_PLAN_REFUSED",
  ]);
}

const selectByIds = prepare((p: Params<{ account_seq: AccountSeq; ids: string }>) =>
  build
    .select({
      id: sellingPlans.id,
      store_plan_id: sellingPlans.store_plan_id,
      store_sync_error: sellingPlans.store_sync_error,
    })
    .from(sellingPlans)
    .where(and(eq(sellingPlans.account_seq, p("account_seq")), inJson(sellingPlans.id, p("ids")))),
);
