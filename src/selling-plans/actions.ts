import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { minorOf } from "../amounts.ts";
import type { Ctx } from "../context.ts";
import type { Statement } from "../db/client.ts";
import { ConstraintError, commit } from "../db/commit.ts";
import { decide, StaleError } from "../db/decide.ts";
import { build, statement } from "../db/statement.ts";
import { DomainError } from "../errors.ts";
import { definedFields } from "../lib/defined-fields.ts";
import { getSellingPlan } from "./queries.ts";
import { reductionOf, requireSound } from "./rules.ts";
import type { NewSellingPlan, SellingPlanChanges } from "./schemas.ts";
import { type SellingPlan, sellingPlans } from "./tables.ts";

/** The terms that a request names, as they are stored; the discount's type may be the plan's own. */
const termsOf = (
  ctx: Ctx,
  input: SellingPlanChanges,
  discountType: SellingPlan["discount_type"],
): Partial<SellingPlan> => {
  const currency = ctx.account.currency_code;
  const { discount_value, shipping_amount, is_active, ...rest } = input;
  const value = (number: number) =>
    reductionOf(discountType ?? "PERCENTAGE", number, currency, "discount_value");
  return {
    ...(definedFields(rest) as Partial<SellingPlan>),
    ...(discount_value === undefined
      ? {}
      : { discount_value: discount_value === null ? null : value(discount_value) }),
    ...(shipping_amount === undefined
      ? {}
      : { shipping_amount: minorOf(shipping_amount, currency, "shipping_amount") }),
    ...(is_active === undefined ? {} : { is_active: is_active ? 1 : 0 }),
  };
};

export const createSellingPlan = async (ctx: Ctx, input: NewSellingPlan): Promise<SellingPlan> => {
  const { id, name, billing_interval, billing_interval_count, ...terms } = input;
  const plan: SellingPlan = {
    id,
    name,
    account_id: ctx.account.id,
    billing_interval,
    billing_interval_count,
    delivery_interval: billing_interval,
    delivery_interval_count: billing_interval_count,
    discount_type: null,
    discount_value: null,
    shipping_amount: 0,
    min_cycles: null,
    max_cycles: null,
    is_active: 1,
    ...termsOf(ctx, terms, input.discount_type ?? null),
    created_at: ctx.now,
    updated_at: ctx.now,
    store_group_id: null,
  };
  requireSound(plan);
  try {
    await commit(ctx, [statement(build.insert(sellingPlans).values(plan))]);
  } catch (error) {
    if (error instanceof ConstraintError && error.kind === "unique")
      throw new DomainError("INVALID_STATE", `The account has a selling plan ${id} already`);
    throw error;
  }
  return plan;
};

const withId = (ctx: Ctx, id: string) =>
  and(eq(sellingPlans.account_id, ctx.account.id), eq(sellingPlans.id, id));

/** What a change of the billing interval or of the discount's type takes along, unless the request says otherwise. */
const alsoChanged = (plan: SellingPlan, input: SellingPlanChanges): Partial<SellingPlan> => {
  const delivered =
    plan.delivery_interval === plan.billing_interval &&
    plan.delivery_interval_count === plan.billing_interval_count;
  const dropsDiscount = input.discount_type !== undefined && input.discount_type !== plan.discount_type;
  return {
    ...(delivered && input.billing_interval ? { delivery_interval: input.billing_interval } : {}),
    ...(delivered && input.billing_interval_count
      ? { delivery_interval_count: input.billing_interval_count }
      : {}),
    ...(dropsDiscount ? { discount_value: null } : {}),
  };
};

/** Changes a plan that is still as it was read; answers a row where it was. */
export const updateAsRead = (plan: SellingPlan, changed: Partial<SellingPlan>): Statement => {
  const asRead = Object.entries(getTableColumns(sellingPlans)).map(
    ([name, column]) => sql`${column} IS ${plan[name as keyof SellingPlan]}`,
  );
  return statement(
    build
      .update(sellingPlans)
      .set(changed)
      .where(and(...asRead))
      .returning({ id: sellingPlans.id }),
  );
};

/** Lines that are on the plan keep the terms they were sold on. */
export const updateSellingPlan = (ctx: Ctx, id: string, input: SellingPlanChanges): Promise<SellingPlan> =>
  decide(async () => {
    const plan = await getSellingPlan(ctx, id);
    const type = input.discount_type === undefined ? plan.discount_type : input.discount_type;
    const changed = {
      ...plan,
      ...alsoChanged(plan, input),
      ...termsOf(ctx, input, type),
      updated_at: ctx.now,
    };
    requireSound(changed);
    const [updated] = await commit(ctx, [updateAsRead(plan, changed)]);
    if (updated?.rows.length === 0) throw new StaleError();
    return changed;
  });

/** Refused (INVALID_STATE), in the same statement, while a subscription that is not over has a line on it. */
export const deleteSellingPlan = async (ctx: Ctx, id: string): Promise<void> => {
  const unused = sql`NOT EXISTS (SELECT 1 FROM subscription_plans CROSS JOIN subscriptions
      ON subscriptions.account_id = subscription_plans.account_id AND subscriptions.id = subscription_plans.subscription_id
    WHERE subscription_plans.account_id = ${ctx.account.id} AND subscription_plans.selling_plan_id = ${id}
      AND subscriptions.status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED'))`;
  const [deleted] = await commit(ctx, [
    statement(
      build
        .delete(sellingPlans)
        .where(and(withId(ctx, id), unused))
        .returning({ id: sellingPlans.id }),
    ),
  ]);
  if (deleted?.rows.length === 1) return;
  await getSellingPlan(ctx, id);
  throw new DomainError(
    "INVALID_STATE",
    "Cannot delete: subscriptions that are not over use the selling plan",
  );
};
