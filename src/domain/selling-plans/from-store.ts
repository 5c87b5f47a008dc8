import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { StaleError } from "../../base/db/retry-on-conflict.ts";
import { build, statement } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { diff } from "../../base/lib/diff.ts";
import type { Ctx } from "../../kit/context.ts";
import { isSameStoreId, plainId } from "../../stores/ids.ts";
import type { StoreOwnPlan } from "../../stores/port.ts";
import { updateIfUnchanged } from "./actions.ts";
import { listPlansOfGroup } from "./queries.ts";
import { requireValidTerms } from "./rules.ts";
import { type SellingPlan, sellingPlans } from "./tables.ts";

/**
 * Updates our plans of a group from the store's answer to `ask`, which is undefined for a group that no longer exists. The
 * store is asked after our plans have been read, so a concurrent sync cannot write an older answer. Call it inside
 * `decide`: throws StaleError where a concurrent sync has written these plans. Returns whether the store has the group.
 */
export async function syncPlansOfGroup(
  ctx: Ctx,
  groupId: string,
  ask: () => Promise<StoreOwnPlan[] | undefined>,
): Promise<{ isAtStore: boolean }> {
  const group = plainId("SellingPlanGroup", groupId);
  const before = await listPlansOfGroup(ctx, [], group);
  const atStore = await ask();
  const isAtStore = atStore !== undefined;
  const plans = atStore ?? [];
  const ids = plans.map(({ id }) => plainId("SellingPlan", id));
  const found = await listPlansOfGroup(ctx, ids, group);
  const others = found.filter(({ id }) => !before.some((row) => row.id === id));
  if (others.some(({ store_group_id }) => store_group_id === group)) throw new StaleError();
  const writes = planStatements(ctx, group, plans, [...before, ...others]);
  if (writes.length === 0) return { isAtStore };
  const written = await commit(ctx, writes);
  if (written.some(({ rows }) => rows.length === 0)) throw new StaleError();
  return { isAtStore };
}

const wholePercent = 10_000;

/**
 * The writes that update our plans from a store's group. New plans are inserted; known ones are updated, except for their
 * shipping and is_active, which are set here; plans that the store has removed become inactive.
 */
function planStatements(ctx: Ctx, group: string, plans: StoreOwnPlan[], known: SellingPlan[]): Statement[] {
  const supported = plans.filter((plan) => {
    if (!isSupported(plan)) ctx.log("selling_plan_not_taken", { selling_plan_id: plan.id });
    return isSupported(plan);
  });
  const upserts = supported.flatMap((plan) => {
    const rows = known.filter(({ id }) => isSameStoreId("SellingPlan", id, plan.id));
    if (rows.length === 0) return [insertPlan(ctx, plan, group)];
    return rows.flatMap((row) => updatePlan(ctx, row, { ...termsOf(plan), store_group_id: group }));
  });
  const removed = known.filter(({ id }) => !plans.some((plan) => isSameStoreId("SellingPlan", id, plan.id)));
  return [...upserts, ...removed.flatMap((row) => updatePlan(ctx, row, { is_active: 0 }))];
}

function updatePlan(ctx: Ctx, row: SellingPlan, after: Partial<SellingPlan>): Statement[] {
  return Object.keys(diff(row, after)).length > 0
    ? [updateIfUnchanged(row, { ...after, updated_at: ctx.now })]
    : [];
}

function insertPlan(ctx: Ctx, plan: StoreOwnPlan, store_group_id: string): Statement {
  const values: SellingPlan = {
    id: plan.id,
    account_seq: ctx.account.seq,
    ...termsOf(plan),
    shipping_amount: 0,
    is_active: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
    store_group_id,
    product_ids: null,
    store_plan_id: null,
  };
  return statement(
    build.insert(sellingPlans).values(values).onConflictDoNothing().returning({ id: sellingPlans.id }),
  );
}

/** Whether a store's plan keeps our rules. */
function isSupported(plan: StoreOwnPlan): boolean {
  const { discount, billing, delivery } = plan;
  if (discount?.type === "PERCENTAGE" && discount.value > wholePercent) return false;
  if (billing.count < 1 || delivery.count < 1) return false;
  try {
    requireValidTerms({ ...termsOf(plan), shipping_amount: 0, is_active: 1 });
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** The columns of a store's plan. Shipping is missing: a store's plan has no price for it. */
function termsOf({ name, billing, delivery, discount, min_cycles, max_cycles, inexpressible }: StoreOwnPlan) {
  return {
    name,
    billing_interval: billing.unit,
    billing_interval_count: billing.count,
    delivery_interval: delivery.unit,
    delivery_interval_count: delivery.count,
    discount_type: discount?.type ?? null,
    discount_value: discount?.value ?? null,
    min_cycles,
    max_cycles,
    store_sync_error: inexpressible,
  };
}
