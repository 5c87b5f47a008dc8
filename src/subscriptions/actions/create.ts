import type { z } from "@hono/zod-openapi";
import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { decide, guard } from "../../db/decide.ts";
import { build, first, statement } from "../../db/statement.ts";
import { type PlacedSlot, requireDeliverySlot } from "../../delivery/queries.ts";
import { requireEntities } from "../../entities/queries.ts";
import type { Entity } from "../../entities/tables.ts";
import { DomainError } from "../../errors.ts";
import { syncContractJob } from "../../job.ts";
import { created } from "../../journal/write.ts";
import { requireStorePaymentMethod } from "../../payment-methods/queries.ts";
import type { PaymentMethod } from "../../payment-methods/tables.ts";
import { findAddress, requireProfile } from "../../profiles/queries.ts";
import type { Profile } from "../../profiles/tables.ts";
import { requireSellingPlans } from "../../selling-plans/queries.ts";
import type { SellingPlan } from "../../selling-plans/tables.ts";
import { profileAddress, serializeAddress } from "../address.ts";
import type { Line } from "../amounts.ts";
import { newLine, pricedColumns, requireMoney } from "../lines.ts";
import { emptySubscription, insertSubscription, type NewSubscription, nextNumber } from "../new-row.ts";
import { type SubscriptionView, viewContext } from "../queries.ts";
import type { SubscriptionCreate } from "../requests.ts";
import {
  dateFrom,
  deliveriesPerBilling,
  type NextDates,
  requireOnSlotDay,
  startSchedule,
  todayOf,
} from "../schedule.ts";
import { subjectOf } from "./change-subscription.ts";

type Request = z.output<typeof SubscriptionCreate>;
type Creation = { dryRun: boolean; request: Request };
/** Lines that are billed and delivered together: one subscription. */
type Group = { plan: SellingPlan; entity: Entity | undefined; lines: Line[] };

/** What all groups of one request share. */
type Shared = {
  profile: Profile;
  place: PlacedSlot | undefined;
  method: PaymentMethod;
  dates: NextDates;
  delivery_address: string | null;
  notes: Pick<NewSubscription, "note" | "migration_source_ref" | "custom_attributes">;
};

type Created = { ids: string[]; views?: SubscriptionView[] };

/**
 * Creates one subscription for each group of lines in one atomic write, and sends a job for each that creates its contract at
 * the store. A dry run returns the subscriptions without writing them.
 */
export const createSubscriptions = async (ctx: Ctx, creation: Creation): Promise<Created> => {
  const result = await decide(() => attempt(ctx, creation));
  if (result.ids.length > 0) await ctx.send(result.ids.map((id) => syncContractJob(ctx.account.id, id)));
  return result;
};

async function attempt(ctx: Ctx, { dryRun, request }: Creation): Promise<Created> {
  for (const [index, line] of request.lines.entries()) requireMoney(ctx, line, `lines.${index}.`);
  const firstDelivery = dateFrom(ctx, request.next_delivery_date, todayOf(ctx));
  const profile = await requireProfile(ctx, request.profile_id);
  const groups = await groupsOf(ctx, request, profile);
  const slotId = request.delivery_slot_id ?? undefined;
  const place = slotId === undefined ? undefined : await requireDeliverySlot(ctx, slotId);
  const delivery_address = await addressFor(ctx, request, profile);
  const { method, writes } = await requireStorePaymentMethod(
    ctx,
    profile.id,
    request.store_payment_method_id,
  );
  requireOnSlotDay(firstDelivery, place, "next_delivery_date");
  const dates = startSchedule(firstDelivery, place, todayOf(ctx));
  const shared: Shared = { profile, place, method, dates, delivery_address, notes: notesOf(request) };
  const rows = groups.map((group) => rowOf(ctx, group, shared));

  if (dryRun) {
    const number = await nextFreeNumber(ctx);
    const views = rows.map((row, index) => ({
      row: { ...row, seq: 0, number: number + index },
      profile,
      place,
      entity: groups[index]?.entity,
      method,
      lastOrder: undefined,
      ...viewContext(ctx),
    }));
    return { ids: [], views };
  }

  const entries = rows.map((row) => ({
    action: "subscription_created" as const,
    subject: subjectOf(row),
  }));
  const planIds = distinct(request.lines.map(({ selling_plan_id }) => selling_plan_id));
  await created(ctx, entries, [
    guardReferences(ctx, profile.id, planIds),
    ...writes,
    ...rows.map((row) => insertSubscription(ctx, row)),
  ]);
  return { ids: rows.map(({ id }) => id) };
}

/** What the request says about its subscriptions, in the columns that hold it. */
function notesOf({ note, migration_source_ref, custom_attributes }: Request): Shared["notes"] {
  return {
    note: note ?? null,
    migration_source_ref: migration_source_ref ?? null,
    custom_attributes: custom_attributes ? JSON.stringify(custom_attributes) : null,
  };
}

/**
 * Fails the batch where the profile or one of the plans has been deleted or deactivated since it was read. The ids lead, not the
 * index of the active plans.
 */
function guardReferences(ctx: Ctx, profileId: string, planIds: string[]) {
  return guard(
    `NOT EXISTS (SELECT 1 FROM profiles WHERE account_id = ? AND id = ? AND deleted_at IS NULL)
      OR (SELECT COUNT(*) FROM selling_plans WHERE account_id = ? AND +is_active = 1
        AND id IN (SELECT value FROM json_each(?))) <> ?`,
    [ctx.account.id, profileId, ctx.account.id, JSON.stringify(planIds), planIds.length],
  );
}

async function nextFreeNumber(ctx: Ctx): Promise<number> {
  const found = await first(
    ctx.db,
    statement(build.select({ number: nextNumber(ctx).as("number") }).from(sql`(SELECT 1)`)),
  );
  return found?.number ?? 1001;
}

/** The row of a group's subscription. The database assigns its seq and number. */
function rowOf(ctx: Ctx, { plan, entity, lines }: Group, shared: Shared): NewSubscription {
  return {
    ...emptySubscription,
    ...shared.dates,
    ...pricedColumns(lines, []),
    id: ctx.newId(),
    account_id: ctx.account.id,
    revision: 1,
    profile_id: shared.profile.id,
    entity_id: entity?.id ?? null,
    entity_label: entity?.name ?? null,
    status: "ACTIVE",
    currency_code: ctx.account.currency_code,
    billing_interval: plan.billing_interval,
    billing_interval_count: plan.billing_interval_count,
    delivery_interval: plan.delivery_interval,
    delivery_interval_count: plan.delivery_interval_count,
    deliveries_per_billing: deliveriesPerBilling(plan),
    schedule_revision: 0,
    activation: 1,
    current_billing_cycle: 1,
    min_cycles: plan.min_cycles,
    max_cycles: plan.max_cycles,
    total_revenue: 0,
    payment_method_id: shared.method.id,
    delivery_slot_id: shared.place?.slot.id ?? null,
    delivery_address: shared.delivery_address,
    ...shared.notes,
    search_text: "",
    created_at: ctx.now,
    updated_at: ctx.now,
  };
}

async function addressFor(
  ctx: Ctx,
  { delivery_address_id: id }: Request,
  profile: Profile,
): Promise<string | null> {
  if (id === undefined || id === null) return profileAddress(profile);
  const saved = await findAddress(ctx, profile.id, id);
  if (saved) return serializeAddress(saved);
  throw new DomainError("UNKNOWN_DELIVERY_ADDRESS", "The profile has no such delivery address", [
    { path: "delivery_address_id", message: "is not known" },
  ]);
}

async function groupsOf(ctx: Ctx, { lines }: Request, profile: Profile): Promise<Group[]> {
  const pathOf = (field: "selling_plan_id" | "entity_id") => (id: string) =>
    `lines.${lines.findIndex((line) => line[field] === id)}.${field}`;
  const planIds = distinct(lines.map(({ selling_plan_id }) => selling_plan_id));
  const plans = await requireSellingPlans(ctx, planIds, pathOf("selling_plan_id"));
  const entityIds = distinct(lines.map(({ entity_id }) => entity_id));
  const entities = await requireEntities(ctx, profile.id, entityIds, pathOf("entity_id"));
  const groups = new Map<string, Group>();
  for (const [index, line] of lines.entries()) {
    const plan = plans.get(line.selling_plan_id)!;
    const entity = line.entity_id ? entities.get(line.entity_id) : undefined;
    const key = groupKey(entity?.id ?? null, plan);
    const group = groups.get(key) ?? { plan, entity, lines: [] };
    group.lines.push(newLine(ctx, line, plan, entity?.id ?? null, `lines.${index}.`));
    groups.set(key, group);
  }
  return [...groups.values()];
}

function distinct(ids: (string | null | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null && id !== undefined))];
}

/** Lines of one group have the same entity, intervals and cycle limits. */
function groupKey(entityId: string | null, plan: SellingPlan): string {
  return JSON.stringify([
    entityId,
    plan.billing_interval,
    plan.billing_interval_count,
    plan.delivery_interval,
    plan.delivery_interval_count,
    plan.min_cycles,
    plan.max_cycles,
  ]);
}
