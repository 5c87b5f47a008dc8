import { raw, read } from "../../src/base/db/statement.ts";
import type { SellingPlan } from "../../src/domain/selling-plans/tables.ts";
import { plain } from "../../test/support/fake-shopify/ids.ts";
import type { PlanGroup } from "../../test/support/fake-shopify.ts";
import { planId } from "../kernel/store.ts";
import { instantOf, type World } from "../kernel/world.ts";

/**
 * The store has each living plan once, as it is here, and none that was deleted; nothing is left to be sent. A plan whose webhook was
 * lost cannot know of what the store or a late request has changed, and a restore may have undone that a plan was created.
 */
export async function checkPlans(
  world: World,
  groups: PlanGroup[],
  unreported: ReadonlySet<string>,
): Promise<void> {
  const { database, account, report, restores } = world;
  const [plans, due] = await read<[SellingPlan, { selling_plan_id: string; next_action_at: string }]>(
    database,
    [
      raw("SELECT * FROM selling_plans WHERE account_seq = ? AND id <> ?", account.seq, planId),
      raw(
        "SELECT * FROM selling_plan_syncs WHERE account_seq = ? AND next_action_at IS NOT NULL",
        account.seq,
      ),
    ],
  );
  for (const { selling_plan_id: id, next_action_at } of due)
    if (next_action_at <= instantOf(world))
      report("every plan reaches the store", `${id} is due since ${next_action_at}`);
  for (const plan of plans) {
    if (plan.store_sync_error !== null)
      report("every plan reaches the store", `${plan.id}: ${plan.store_sync_error}`);
    if (unreported.has(plan.id)) continue;
    const made = groups.filter(({ merchantCode }) => merchantCode === plan.id);
    if (made.length !== 1) report("the store has each plan once", `${plan.id} ${made.length} times`);
    else planAgrees(world, plan, made[0]!);
  }
  for (const { merchantCode: id } of groups)
    if (!plans.some((plan) => plan.id === id) && !unreported.has(id) && restores === 0)
      report("no deleted plan is sold", `${id} is still at the store`);
  world.count("plans at the store", groups.length);
}

function planAgrees({ report }: World, plan: SellingPlan, { plans, products }: PlanGroup): void {
  const [atStore, ...others] = plans;
  const [wanted, has] = [wantedOf(plan), atStore ? hasOf(atStore) : {}];
  if (others.length > 0 || JSON.stringify(wanted) !== JSON.stringify(has))
    report(
      "the store has a plan as it is",
      `${plan.id} is ${JSON.stringify(has)}, and not ${JSON.stringify(wanted)}`,
    );
  const ids = plan.product_ids === null ? null : JSON.parse(plan.product_ids);
  const offered = plan.is_active === 1 ? ids : ids && [];
  const actual = [...products].map(plain).sort();
  if (offered !== null && JSON.stringify(actual) !== JSON.stringify([...offered].sort()))
    report("the store has a plan as it is", `${plan.id} is offered for ${actual}, and not for ${offered}`);
}

function wantedOf(plan: SellingPlan) {
  return {
    id: plan.store_plan_id,
    name: plan.name,
    billing: `${plan.billing_interval_count} ${plan.billing_interval}`,
    delivery: `${plan.delivery_interval_count} ${plan.delivery_interval}`,
    cycles: [plan.min_cycles, plan.max_cycles],
    percent: plan.discount_type === "PERCENTAGE" ? (plan.discount_value ?? 0) / 100 : null,
  };
}

function hasOf({
  id,
  name,
  billing,
  delivery,
  prices: [price],
}: PlanGroup["plans"][number]): ReturnType<typeof wantedOf> {
  return {
    id: plain(id),
    name,
    billing: `${billing?.intervalCount} ${billing?.interval}`,
    delivery: `${delivery?.intervalCount} ${delivery?.interval}`,
    cycles: [billing?.minCycles ?? null, billing?.maxCycles ?? null],
    percent: price && "percentage" in price ? price.percentage : null,
  };
}
