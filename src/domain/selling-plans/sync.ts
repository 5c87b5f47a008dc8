import { doublingPause } from "../../base/lib/backoff.ts";
import { later } from "../../base/lib/time/dates.ts";
import { dayMs, hourMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import {
  type DesiredPlan,
  StoreRefusalError,
  StoreThrottledError,
  UnknownOutcomeError,
} from "../../stores/port.ts";
import { deleteSync, type PlanRetry, recordSync, takeSync, updateRetry, updateSynced } from "./outbox.ts";
import { findSellingPlan } from "./queries.ts";
import { productIdsOf } from "./rules.ts";
import type { SellingPlan, SellingPlanSync } from "./tables.ts";

/**
 * Makes the store's plan what ours is now, whatever has changed in either, and deletes it if ours was deleted. Running it late,
 * twice or concurrently gives the same result.
 */
export async function syncSellingPlan(ctx: Ctx, id: string): Promise<void> {
  const sync = ctx.store.plans && (await takeSync(ctx, id));
  if (!sync) return;
  const plan = await findSellingPlan(ctx, id);
  try {
    await (plan ? push(ctx, plan, sync) : remove(ctx, sync));
  } catch (error) {
    if (error instanceof StoreRefusalError) await recordRefusal(ctx, sync, error);
    else if (error instanceof UnknownOutcomeError) await retryAfterNoResponse(ctx, sync, error);
    else throw error;
  }
}

const longestMessage = 500;

async function push(ctx: Ctx, plan: SellingPlan, sync: SellingPlanSync): Promise<void> {
  const { plans } = ctx.store;
  const atStore = plans?.isStoresOwn(plan.id)
    ? { groupId: null, planId: null }
    : await plans?.push(desiredPlan(ctx, plan), sync.store_group_id);
  if (!atStore) return;
  await recordSync(ctx, sync, updateSynced(sync, atStore));
}

async function remove(ctx: Ctx, sync: SellingPlanSync): Promise<void> {
  const { plans } = ctx.store;
  if (!plans?.isStoresOwn(sync.selling_plan_id))
    await plans?.remove(sync.selling_plan_id, sync.store_group_id);
  await recordSync(ctx, sync, deleteSync(sync));
}

/** The plan shows the refusal. The next try comes in an hour, then later and later; a change of the plan is sent at once. */
async function recordRefusal(ctx: Ctx, sync: SellingPlanSync, error: StoreRefusalError): Promise<void> {
  const { selling_plan_id, tries } = sync;
  const retry: PlanRetry = {
    next_action_at: later(ctx.realNow, doublingPause({ first: hourMs, longest: dayMs }, tries)),
    lease_until: null,
  };
  ctx.log("store_refused", { alert: true, selling_plan_id, codes: error.codes, tries });
  await recordSync(ctx, sync, updateRetry(sync, retry, error.message.slice(0, longestMessage)));
}

/** A request without an answer may still arrive, so that nobody else asks until the next try. */
async function retryAfterNoResponse(
  ctx: Ctx,
  sync: SellingPlanSync,
  error: UnknownOutcomeError,
): Promise<void> {
  const { selling_plan_id, tries } = sync;
  const isThrottled = error instanceof StoreThrottledError;
  const seconds = isThrottled ? error.retryAfter : doublingPause({ first: 60, longest: 21_600 }, tries);
  const next_action_at = later(ctx.realNow, seconds * 1000);
  ctx.log("store_outcome_unknown", { selling_plan_id, tries, cause: error.message });
  const retry: PlanRetry = { next_action_at, lease_until: isThrottled ? null : next_action_at };
  await recordSync(ctx, sync, updateRetry(sync, retry));
}

/** An inactive plan is offered for no product. */
function desiredPlan(ctx: Ctx, plan: SellingPlan): DesiredPlan {
  const { discount_type: type, discount_value: value } = plan;
  const products = productIdsOf(plan);
  return {
    id: plan.id,
    name: plan.name,
    billing: { unit: plan.billing_interval, count: plan.billing_interval_count },
    delivery: { unit: plan.delivery_interval, count: plan.delivery_interval_count },
    discount: type === null || value === null ? null : { type, value },
    min_cycles: plan.min_cycles,
    max_cycles: plan.max_cycles,
    currency_code: ctx.account.currency_code,
    product_ids: plan.is_active === 1 ? products : products && [],
  };
}
