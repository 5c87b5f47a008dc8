import { and, eq, getTableColumns, isNotNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type OfferedFrequency, portalSettingsOf } from "../../base/accounts/portal-settings.ts";
import type { AccountSeq } from "../../base/db/columns.ts";
import { listReader } from "../../base/db/list/listing.ts";
import type { Statement } from "../../base/db/port.ts";
import { selectBy } from "../../base/db/row-reads.ts";
import { countAffected } from "../../base/db/sql/count-affected.ts";
import { build, first, inJson, type Params, prepare, rows } from "../../base/db/statement.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import { intervalUnits } from "../../base/lib/time/intervals.ts";
import type { Ctx } from "../../kit/context.ts";
import { type SellingPlan, sellingPlans } from "./tables.ts";

export function findSellingPlan(ctx: Ctx, id: string): Promise<SellingPlan | undefined> {
  return first(ctx.db, selectById({ account_seq: ctx.account.seq, id }));
}

export async function getSellingPlan(ctx: Ctx, id: string): Promise<SellingPlan> {
  const plan = await findSellingPlan(ctx, id);
  if (!plan) throw notFound("Selling plan");
  return plan;
}

/** The plans with these ids, and those of a store's group. */
export function listPlansOfGroup(ctx: Ctx, ids: string[], group: string): Promise<SellingPlan[]> {
  return rows(ctx.db, selectOfGroup({ account_seq: ctx.account.seq, ids: JSON.stringify(ids), group }));
}

/** The store's groups that have an active plan here. */
export async function listPlanGroups(ctx: Ctx): Promise<string[]> {
  return (await rows(ctx.db, selectGroups({ account_seq: ctx.account.seq }))).map(({ group }) => group);
}

type PlanFrequency = Pick<SellingPlan, "billing_interval" | "billing_interval_count">;

/** The frequencies at which the active plans bill, to be read in one trip with others; nothing where the merchant's settings say what is offered. */
export function selectFrequenciesOfPlans({ account }: Ctx): Statement<PlanFrequency>[] {
  return portalSettingsOf(account).frequencies.length > 0
    ? []
    : [selectPlanFrequencies({ account_seq: account.seq })];
}

/**
 * The frequencies at which customers may have it delivered: as the merchant's settings say and in their order, else as often as the active plans bill, of
 * what `selectFrequenciesOfPlans` finds, days before weeks, months and years.
 */
export function offeredFrequencies({ account }: Ctx, ofPlans: PlanFrequency[] = []): OfferedFrequency[] {
  const { frequencies } = portalSettingsOf(account);
  if (frequencies.length > 0) return frequencies;
  return ofPlans
    .map((plan) => ({ interval: plan.billing_interval, interval_count: plan.billing_interval_count }))
    .toSorted((a, b) => rank(a) - rank(b) || a.interval_count - b.interval_count);
}

function rank({ interval }: OfferedFrequency): number {
  return intervalUnits.indexOf(interval);
}

/** The plans that a request names, to be read in one trip with others. */
export function selectNamedPlans({ account }: Ctx, ids: string[]): Statement<SellingPlan> {
  return selectByIds({ account_seq: account.seq, ids: JSON.stringify(ids) });
}

/**
 * The active plans that a request names, by id, of what `selectNamedPlans` finds. `pathOf` returns the field of the request that names
 * one. Throws UNKNOWN_SELLING_PLAN.
 */
export function requireSellingPlans(
  ids: string[],
  found: SellingPlan[],
  pathOf: (id: string) => string,
): Map<string, SellingPlan> {
  const plans = new Map(found.filter(({ is_active }) => is_active === 1).map((plan) => [plan.id, plan]));
  const missing = ids.find((id) => !plans.has(id));
  if (missing === undefined) return plans;
  throw new DomainError("UNKNOWN_SELLING_PLAN", "The account has no such active selling plan", [
    { path: pathOf(missing), message: "is not known" },
  ]);
}

/** Our ids of the plans that have these ids at the store, by those: of the plans that were created here. */
export async function plansByStoreId(ctx: Ctx, storeIds: string[]): Promise<Map<string | null, string>> {
  const found = await rows(
    ctx.db,
    selectByStoreIds({ account_seq: ctx.account.seq, ids: JSON.stringify(storeIds) }),
  );
  return new Map(found.map(({ store_plan_id, id }) => [store_plan_id, id]));
}

export const listSellingPlans = listReader({
  table: sellingPlans,
  columns: getTableColumns(sellingPlans),
  scope: (p) => sql`${sellingPlans.account_seq} = ${p("account_seq")}`,
  tiebreaker: sellingPlans.id,
  sorts: { created_at: sellingPlans.created_at },
  filters: {},
});

const selectById = selectBy(sellingPlans, "account_seq", "id");

const selectPlanFrequencies = prepare((p: Params<{ account_seq: AccountSeq }>) =>
  build
    .selectDistinct({
      billing_interval: sellingPlans.billing_interval,
      billing_interval_count: sellingPlans.billing_interval_count,
    })
    .from(sellingPlans)
    .where(and(eq(sellingPlans.account_seq, p("account_seq")), eq(sellingPlans.is_active, 1)))
    .orderBy(sellingPlans.billing_interval, sellingPlans.billing_interval_count),
);

const selectByIds = prepare((p: Params<{ account_seq: AccountSeq; ids: string }>) =>
  build
    .select()
    .from(sellingPlans)
    .where(and(eq(sellingPlans.account_seq, p("account_seq")), inJson(sellingPlans.id, p("ids")))),
);

const selectByStoreIds = prepare((p: Params<{ account_seq: AccountSeq; ids: string }>) =>
  build
    .select({ id: sellingPlans.id, store_plan_id: sellingPlans.store_plan_id })
    .from(sellingPlans)
    .where(and(eq(sellingPlans.account_seq, p("account_seq")), inJson(sellingPlans.store_plan_id, p("ids")))),
);

/** The ids and the group are found each by its index; with OR in one condition, every plan of the account would be read. */
const selectOfGroup = prepare((p: Params<{ account_seq: AccountSeq; ids: string; group: string }>) => {
  const named = inJson(sellingPlans.id, p("ids"));
  const grouped = sql`${sellingPlans.store_group_id} = ${p("group")}`;
  return build
    .select()
    .from(sellingPlans)
    .where(
      and(
        sql`+${sellingPlans.account_seq} = ${p("account_seq")}`,
        sql`${sellingPlans}.rowid IN (${rowsWhere(p("account_seq"), named)} UNION ${rowsWhere(p("account_seq"), grouped)})`,
      ),
    )
    .orderBy(sql`+${sellingPlans.id}`);
});

const selectGroups = prepare((p: Params<{ account_seq: AccountSeq }>) =>
  build
    .selectDistinct({ group: sql<string>`${sellingPlans.store_group_id}`.as("group") })
    .from(sellingPlans)
    .where(
      and(
        eq(sellingPlans.account_seq, p("account_seq")),
        isNotNull(sellingPlans.store_group_id),
        eq(sellingPlans.is_active, 1),
      ),
    ),
);

function rowsWhere(accountId: SQLWrapper, condition: SQL): SQL {
  return sql`SELECT ${sellingPlans}.rowid FROM ${sellingPlans} WHERE ${sellingPlans.account_seq} = ${accountId} AND ${condition}`;
}

/** The number of subscriptions that have not ended and have a line on a plan. */
export function countOnPlan({ db, account }: Ctx, id: string): Promise<number> {
  return countAffected(
    db,
    `subscription_contents AS its CROSS JOIN subscriptions
      ON subscriptions.account_seq = its.account_seq AND subscriptions.id = its.subscription_id
      WHERE its.account_seq = ? AND its.kind = 'plan' AND its.value = ?`,
    [account.seq, id],
  );
}
