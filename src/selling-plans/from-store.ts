import type { Ctx } from "../context.ts";
import type { Statement } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { StaleError } from "../db/decide.ts";
import { build, statement } from "../db/statement.ts";
import { DomainError } from "../errors.ts";
import { diff } from "../lib/diff.ts";
import { formsOf, isSameStoreId, shortId } from "../store/ids.ts";
import type { StoreSellingPlan } from "../store/port.ts";
import { updateAsRead } from "./actions.ts";
import { listPlansOfGroup } from "./queries.ts";
import { requireSound } from "./rules.ts";
import { type SellingPlan, sellingPlans } from "./tables.ts";

const wholePercent = 10_000;

/** A store's plan as our columns hold it; what it charges for shipping no plan of a store says. */
export const termsOf = ({ name, billing, delivery, discount, min_cycles, max_cycles }: StoreSellingPlan) => ({
  name,
  billing_interval: billing.unit,
  billing_interval_count: billing.count,
  delivery_interval: delivery.unit,
  delivery_interval_count: delivery.count,
  discount_type: discount?.type ?? null,
  discount_value: discount?.value ?? null,
  min_cycles,
  max_cycles,
});

/** Whether our rules take a store's plan. */
export const isTaken = (plan: StoreSellingPlan): boolean => {
  const { discount, billing, delivery } = plan;
  if (discount?.type === "PERCENTAGE" && discount.value > wholePercent) return false;
  if (billing.count < 1 || delivery.count < 1) return false;
  try {
    requireSound({ ...termsOf(plan), shipping_amount: 0, is_active: 1 });
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
};

/**
 * Brings our plans of a group up to what `ask` says of it: undefined where it is no more. It is asked after ours have been
 * read, so that what others write meanwhile is never older. Call it inside `decide`: throws StaleError where that is so.
 */
export const followGroup = async (
  ctx: Ctx,
  groupId: string,
  ask: () => Promise<StoreSellingPlan[] | undefined>,
): Promise<void> => {
  const group = shortId(groupId);
  const before = await listPlansOfGroup(ctx, [], group);
  const plans = (await ask()) ?? [];
  const ids = plans.flatMap(({ id }) => formsOf("SellingPlan", id));
  const found = await listPlansOfGroup(ctx, ids, group);
  const others = found.filter(({ id }) => !before.some((row) => row.id === id));
  if (others.some(({ store_group_id }) => store_group_id === group)) throw new StaleError();
  const writes = writesFor(ctx, group, plans, [...before, ...others]);
  if (writes.length === 0) return;
  const written = await commit(ctx, writes);
  if (written.some(({ rows }) => rows.length === 0)) throw new StaleError();
};

/**
 * Our plans of a store's group, for what the store says of it: new ones are added, known ones follow, but for their
 * shipping and whether they are sold here; those that are gone are sold no more.
 */
function writesFor(ctx: Ctx, group: string, plans: StoreSellingPlan[], known: SellingPlan[]): Statement[] {
  const kept = plans.filter((plan) => {
    if (!isTaken(plan)) ctx.log("selling_plan_not_taken", { selling_plan_id: plan.id });
    return isTaken(plan);
  });
  const upserts = kept.flatMap((plan) => {
    const rows = known.filter(({ id }) => isSameStoreId(id, plan.id));
    if (rows.length === 0) return [added(ctx, plan, group)];
    return rows.flatMap((row) => changed(ctx, row, { ...termsOf(plan), store_group_id: group }));
  });
  const gone = known.filter(({ id }) => !plans.some((plan) => isSameStoreId(id, plan.id)));
  return [...upserts, ...gone.flatMap((row) => changed(ctx, row, { is_active: 0 }))];
}

function changed(ctx: Ctx, row: SellingPlan, after: Partial<SellingPlan>): Statement[] {
  return Object.keys(diff(row, after)).length > 0
    ? [updateAsRead(row, { ...after, updated_at: ctx.now })]
    : [];
}

function added(ctx: Ctx, plan: StoreSellingPlan, store_group_id: string): Statement {
  const values: SellingPlan = {
    id: plan.id,
    account_id: ctx.account.id,
    ...termsOf(plan),
    shipping_amount: 0,
    is_active: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
    store_group_id,
  };
  return statement(
    build.insert(sellingPlans).values(values).onConflictDoNothing().returning({ id: sellingPlans.id }),
  );
}
