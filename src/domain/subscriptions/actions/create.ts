import type { z } from "@hono/zod-openapi";
import { sql } from "drizzle-orm";
import { guard } from "../../../base/db/guard.ts";
import { retryOnConflict } from "../../../base/db/retry-on-conflict.ts";
import { build, readNamed, statement } from "../../../base/db/statement.ts";
import { invalid } from "../../../base/errors.ts";
import { syncContractJob } from "../../../base/job.ts";
import { type Provinces, readProvinces } from "../../../base/lib/places/provinces.ts";
import { type Ctx, isRehearsed, keepCreated } from "../../../kit/context.ts";
import { dateFrom, todayOf } from "../../../kit/days.ts";
import { writeRecord } from "../../../kit/http/json-text.ts";
import { createRecord } from "../../../kit/journal/write.ts";
import { requireDeliverySlot, selectNamedSlot } from "../../delivery/queries.ts";
import { takePlace } from "../../delivery/room.ts";
import { presentEntity } from "../../entities/present.ts";
import { requireEntities, selectNamedEntities } from "../../entities/queries.ts";
import type { Entity } from "../../entities/tables.ts";
import { requirePaymentMethod, selectNamedMethods } from "../../payment-methods/queries.ts";
import type { PaymentMethod } from "../../payment-methods/tables.ts";
import { countryOfAddress } from "../../profiles/country.ts";
import { presentProfile } from "../../profiles/present.ts";
import { requireProvince } from "../../profiles/province.ts";
import {
  requireAddress,
  requireFoundProfile,
  selectNamedAddress,
  selectProfile,
} from "../../profiles/queries.ts";
import type { DeliveryAddress, Profile } from "../../profiles/tables.ts";
import { requireSellingPlans, selectNamedPlans } from "../../selling-plans/queries.ts";
import type { SellingPlan } from "../../selling-plans/tables.ts";
import { profileAddress, serializeAddress } from "../address/address.ts";
import { type FoundPrices, readPricesForNew, withFullPrice } from "../bounds/support-price.ts";
import { consentStatements } from "../consents/record.ts";
import {
  type Calendar,
  calendarOf,
  deliveriesPerBilling,
  moveToOpenDays,
  type NextDates,
  requireDeliverable,
  startSchedule,
} from "../dates/index.ts";
import type { Line } from "../lines/amounts.ts";
import { newLine, pricedColumns, requireMoney } from "../lines/lines.ts";
import { emptySubscription, insertSubscription, type NewSubscription, nextNumber } from "../new-row.ts";
import { type SubscriptionView, viewContext } from "../queries.ts";
import type { SubscriptionCreate } from "../requests.ts";
import { guardSourceRef, requireFreeSourceRef, selectNamedSourceRef } from "../source-refs.ts";
import { type Warning, warningsOf } from "../warnings.ts";
import { subjectOf } from "./change-subscription.ts";

type Request = z.output<typeof SubscriptionCreate>;
type Creation = { request: Request };
/** Lines that are billed and delivered together: one subscription. */
type Group = { plan: SellingPlan; entity: Entity | undefined; lines: Line[] };

/** The values that all groups of one request share. */
type Shared = {
  profile: Profile;
  calendar: Calendar;
  method: PaymentMethod;
  dates: NextDates;
  delivery_address: string | null;
  notes: Pick<NewSubscription, "note" | "migration_source_ref" | "custom_attributes">;
};

type Created = { ids: string[]; views?: SubscriptionView[]; warnings: Warning[] };

/**
 * Creates one subscription for each group of lines in one atomic write, and sends a job for each that creates its contract at
 * the store. A dry run returns the subscriptions without writing them.
 */
export async function createSubscriptions(ctx: Ctx, creation: Creation): Promise<Created> {
  const result = await retryOnConflict(() => attempt(ctx, creation));
  if (result.ids.length > 0) await ctx.send(result.ids.map((id) => syncContractJob(ctx.account.id, id)));
  return result;
}

async function attempt(ctx: Ctx, { request }: Creation): Promise<Created> {
  for (const [index, line] of request.lines.entries())
    requireMoney(ctx.account.currency_code, line, `lines.${index}.`);
  const today = todayOf(ctx);
  const firstDelivery = dateFrom(ctx, request.next_delivery_date, today);
  const found = await readNamed(ctx.db, readNamedRecords(ctx, { request }));
  const profile = requireFoundProfile(found.profile[0]);
  const groups = groupLines(ctx, request, found);
  const slot = isNamed(request.delivery_slot_id) ? requireDeliverySlot(found.slot) : undefined;
  const provinces = await readProvinces();
  const delivery_address = addressFor({ ...ctx, provinces }, request, profile, found.address);
  const named = { found: found.methods };
  const { method, writes } = await requirePaymentMethod(ctx, profile.id, request, named);
  const calendar = calendarOf({ account: ctx.account, slot, today });
  requireDeliverable(firstDelivery, calendar, "next_delivery_date");
  const dates = startSchedule(firstDelivery, slot, today);
  const shared: Shared = { profile, calendar, method, dates, delivery_address, notes: notesOf(request) };
  requireFreeSourceRef(ctx, "create", found.holder);
  const { closed } = calendar;
  const asked = { what: "create", path: "next_delivery_date", deliveries: groups.length, closed };
  const guards = slot ? await takePlace(ctx, { slot, date: firstDelivery, ...asked }) : [];
  const rows = together(groups.map((group) => newSubscriptionRow(ctx, group, shared)));
  keepCreated(ctx, { subscriptions: rows.map(({ id }) => id) });

  const warnings = warningsOf({ ...ctx, provinces }, rows);

  const entries = rows.map((row) => ({
    action: "subscription_created" as const,
    subject: subjectOf(row),
  }));
  await createRecord(ctx, entries, [
    guardReferences(ctx, profile.id, planIdsOf(request)),
    ...rows.slice(0, 1).flatMap((row) => guardSourceRef(ctx, row)),
    ...writes,
    ...rows.map(insertSubscription),
    ...(await consentStatements(
      ctx,
      request.consent,
      rows.map(({ id }) => id),
    )),
    ...guards,
  ]);
  if (isRehearsed(ctx)) {
    const number = found.number[0]?.number ?? 1001;
    const views = rows.map((row, index) => ({
      row: { ...row, seq: 0, number: number + index },
      profile: writeRecord(presentProfile(profile), {}),
      profileDeletedAt: null,
      slot,
      entity: textOfEntity(ctx, groups[index]?.entity),
      method,
      acceptedOffers: [],
      ...viewContext(ctx),
    }));
    return { ids: [], views, warnings };
  }
  return { ids: rows.map(({ id }) => id), warnings };
}

function textOfEntity({ account }: Ctx, entity: Entity | undefined): SubscriptionView["entity"] {
  if (!entity) return null;
  const { account_id: _, ...own } = presentEntity(entity, account);
  return writeRecord(own, {});
}

/** The notes of the request, in the columns that hold them. */
function notesOf({ note, migration_source_ref, custom_attributes }: Request): Shared["notes"] {
  return {
    note: note ?? null,
    migration_source_ref: migration_source_ref || null,
    custom_attributes: custom_attributes ? JSON.stringify(custom_attributes) : null,
  };
}

/** Rows that share a migration_source_ref belong to one group, which the first of them names. */
function together(rows: NewSubscription[]): NewSubscription[] {
  const source_group_id = rows[0]?.id ?? null;
  return rows.map((row) => (row.migration_source_ref === null ? row : { ...row, source_group_id }));
}

/**
 * Fails the batch where the profile or one of the plans has been deleted or deactivated since it was read. The ids lead, not the
 * index of the active plans.
 */
function guardReferences(ctx: Ctx, profileId: string, planIds: string[]) {
  return guard(
    `NOT EXISTS (SELECT 1 FROM profiles WHERE account_seq = ? AND id = ? AND deleted_at IS NULL)
      OR (SELECT COUNT(*) FROM selling_plans WHERE account_seq = ? AND +is_active = 1
        AND id IN (SELECT value FROM json_each(?))) <> ?`,
    [ctx.account.seq, profileId, ctx.account.seq, JSON.stringify(planIds), planIds.length],
  );
}

/** Reads the records that the request names, and for a dry run the number that the first subscription would have. */
function readNamedRecords(ctx: Ctx, { request }: Creation) {
  return {
    profile: selectProfile(ctx, request.profile_id),
    plans: selectNamedPlans(ctx, planIdsOf(request)),
    entities: selectNamedEntities(ctx, entityIdsOf(request)),
    slot: selectNamedSlot(ctx, request.delivery_slot_id),
    address: selectNamedAddress(ctx, request.delivery_address_id),
    methods: selectNamedMethods(ctx, request, request),
    holder: selectNamedSourceRef(ctx, request.migration_source_ref),
    number: isRehearsed(ctx) ? [selectNextNumber(ctx)] : [],
    ...readPricesForNew(
      ctx,
      request.profile_id,
      request.lines.map((line) => line.store_variant_id),
    ),
  };
}

function selectNextNumber(ctx: Ctx) {
  return statement(build.select({ number: nextNumber(ctx.account.seq).as("number") }).from(sql`(SELECT 1)`));
}

/** The row of a group's subscription. The database assigns its seq and number. */
function newSubscriptionRow(ctx: Ctx, { plan, entity, lines }: Group, shared: Shared): NewSubscription {
  const row = {
    ...emptySubscription,
    ...shared.dates,
    ...pricedColumns(lines, []),
    id: ctx.newId(),
    account_seq: ctx.account.seq,
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
    delivery_slot_id: shared.calendar.slot?.id ?? null,
    delivery_address: shared.delivery_address,
    ...shared.notes,
    search_text: "",
    created_at: ctx.now,
    updated_at: ctx.now,
  } as const;
  return { ...row, ...moveToOpenDays(row, shared.calendar, shared.calendar.today) };
}

/** The address that is written in the request, the saved one that it names, or the profile's own. */
function addressFor(
  ctx: Ctx & { provinces: Provinces },
  { delivery_address_id: id, delivery_address: written }: Request,
  profile: Profile,
  saved: DeliveryAddress[],
): string | null {
  const { provinces } = ctx;
  if (!written)
    return isNamed(id)
      ? serializeAddress(provinces, requireAddress(profile.id, saved))
      : profileAddress(provinces, profile);
  if (isNamed(id))
    throw invalid([
      { path: "delivery_address", message: "cannot be sent together with delivery_address_id" },
    ]);
  const address = { ...written, ...countryOfAddress(written) };
  requireProvince(ctx, address, "delivery_address.");
  return serializeAddress(provinces, address);
}

function planIdsOf({ lines }: Request): string[] {
  return distinct(lines.map(({ selling_plan_id }) => selling_plan_id));
}

function entityIdsOf({ lines }: Request): string[] {
  return distinct(lines.map(({ entity_id }) => entity_id));
}

type Named = { plans: SellingPlan[]; entities: Entity[] } & FoundPrices;

function groupLines(ctx: Ctx, request: Request, named: Named): Group[] {
  const { lines, profile_id } = request;
  const pathOf = (field: "selling_plan_id" | "entity_id") => (id: string) =>
    `lines.${lines.findIndex((line) => line[field] === id)}.${field}`;
  const plans = requireSellingPlans(planIdsOf(request), named.plans, pathOf("selling_plan_id"));
  const entities = requireEntities(profile_id, entityIdsOf(request), named.entities, pathOf("entity_id"));
  const groups = new Map<string, Group>();
  for (const [index, line] of lines.entries()) {
    const plan = plans.get(line.selling_plan_id)!;
    const entity = line.entity_id ? entities.get(line.entity_id) : undefined;
    const key = groupKey(entity?.id ?? null, plan);
    const group = groups.get(key) ?? { plan, entity, lines: [] };
    const terms = { plan, entityId: entity?.id ?? null, currency: ctx.account.currency_code };
    const after = newLine(ctx, line, terms, `lines.${index}.`);
    const row = {
      lines: "[]",
      currency_code: terms.currency,
      deliveries_per_billing: deliveriesPerBilling(plan),
    };
    group.lines.push(withFullPrice(ctx, { row, after, found: named }));
    groups.set(key, group);
  }
  return [...groups.values()];
}

function distinct(ids: (string | null | undefined)[]): string[] {
  return [...new Set(ids.filter(isNamed))];
}

function isNamed(id: string | null | undefined): id is string {
  return id !== null && id !== undefined;
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
