import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { minorOf } from "../../base/amounts.ts";
import { ConstraintError, commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict, StaleError } from "../../base/db/retry-on-conflict.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { build, statement } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { definedFields } from "../../base/lib/defined-fields.ts";
import { commitUnless } from "../../kit/commit-unless.ts";
import { type Ctx, isRehearsed } from "../../kit/context.ts";
import { enqueuePlanSync } from "./outbox.ts";
import { findSellingPlan, getSellingPlan } from "./queries.ts";
import { parseReduction, requireValidTerms } from "./rules.ts";
import type { NewSellingPlan, SellingPlanChanges } from "./schemas.ts";
import { type SellingPlan, sellingPlans } from "./tables.ts";

export async function createSellingPlan(ctx: Ctx, input: NewSellingPlan): Promise<SellingPlan> {
  const plan = newSellingPlan(ctx, input);
  if (isRehearsed(ctx) && (await findSellingPlan(ctx, plan.id))) throw idTaken(plan);
  try {
    await commit(ctx, [insertRow(sellingPlans, plan)]);
  } catch (error) {
    if (error instanceof ConstraintError && error.kind === "unique") throw idTaken(plan);
    throw error;
  }
  await enqueuePlanSync(ctx, plan.id);
  return plan;
}

function idTaken({ id }: SellingPlan): DomainError {
  return new DomainError("INVALID_STATE", `The account already has a selling plan ${id}`);
}

/** The row of a new plan. Throws VALIDATION_FAILED for terms that do not fit together. */
export function newSellingPlan(ctx: Ctx, input: NewSellingPlan): SellingPlan {
  const { id, name, billing_interval, billing_interval_count, ...terms } = input;
  const plan: SellingPlan = {
    id,
    name,
    account_seq: ctx.account.seq,
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
    product_ids: null,
    ...prepareTerms(ctx, terms, input.discount_type ?? null),
    created_at: ctx.now,
    updated_at: ctx.now,
    store_group_id: null,
    store_plan_id: null,
    store_sync_error: null,
  };
  requireValidTerms(plan);
  return plan;
}

/** Updates a plan if it is still as it was read. It returns a row if it was. */
export function updateIfUnchanged(plan: SellingPlan, changed: Partial<SellingPlan>): Statement {
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
}

/** Changes a plan for new lines. Existing lines keep the terms on which they were sold. */
export async function changeSellingPlan(
  ctx: Ctx,
  id: string,
  input: SellingPlanChanges,
): Promise<SellingPlan> {
  const changed = await retryOnConflict(async () => {
    const plan = await getSellingPlan(ctx, id);
    const type = input.discount_type === undefined ? plan.discount_type : input.discount_type;
    const changed = {
      ...plan,
      ...dependentChanges(plan, input),
      ...prepareTerms(ctx, input, type),
      updated_at: ctx.now,
    };
    requireValidTerms(changed);
    const [updated] = await commit(ctx, [updateIfUnchanged(plan, changed)]);
    if (updated?.rows.length === 0 && !isRehearsed(ctx)) throw new StaleError();
    return changed;
  });
  await enqueuePlanSync(ctx, id);
  return changed;
}

/** Deletes a plan, and returns it. Throws INVALID_STATE while a subscription that has not ended uses it. */
export async function removeSellingPlan(ctx: Ctx, id: string): Promise<SellingPlan> {
  const plan = await getSellingPlan(ctx, id);
  const refusal = { broken: isUsed, params: [ctx.account.seq, plan.id], refuse: inUse };
  await commitUnless(ctx, refusal, [statement(build.delete(sellingPlans).where(withId(ctx, id)))]);
  await enqueuePlanSync(ctx, id);
  return plan;
}

/** A guard is text. */
const isUsed = `EXISTS (SELECT 1 FROM subscription_contents AS its CROSS JOIN subscriptions
    ON subscriptions.account_seq = its.account_seq AND subscriptions.id = its.subscription_id
  WHERE its.account_seq = ? AND its.kind = 'plan' AND its.value = ?
    AND subscriptions.status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED'))`;

function inUse(): DomainError {
  return new DomainError(
    "INVALID_STATE",
    "Cannot delete: subscriptions that have not ended use the selling plan",
  );
}

/** The columns that change along with the billing interval or the discount's type, unless the request names them. */
function dependentChanges(plan: SellingPlan, input: SellingPlanChanges): Partial<SellingPlan> {
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
}

function withId(ctx: Ctx, id: string) {
  return and(eq(sellingPlans.account_seq, ctx.account.seq), eq(sellingPlans.id, id));
}

/** The columns of the terms that a request names. `discountType` is the request's, else the plan's. */
function prepareTerms(
  ctx: Ctx,
  input: SellingPlanChanges,
  discountType: SellingPlan["discount_type"],
): Partial<SellingPlan> {
  const currency = ctx.account.currency_code;
  const { discount_value, shipping_amount, is_active, product_ids, ...rest } = input;
  const value = (number: number) =>
    parseReduction(discountType ?? "PERCENTAGE", number, currency, "discount_value");
  return {
    ...(definedFields(rest) as Partial<SellingPlan>),
    ...(discount_value === undefined
      ? {}
      : { discount_value: discount_value === null ? null : value(discount_value) }),
    ...(shipping_amount === undefined
      ? {}
      : { shipping_amount: minorOf(shipping_amount, currency, "shipping_amount") }),
    ...(product_ids === undefined ? {} : { product_ids: product_ids && JSON.stringify(product_ids) }),
    ...(is_active === undefined ? {} : { is_active: is_active ? 1 : 0 }),
  };
}
