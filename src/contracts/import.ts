import type { Ctx } from "../context.ts";
import { decide } from "../db/decide.ts";
import { first } from "../db/statement.ts";
import { created } from "../journal/write.ts";
import { type CalendarDate, dateIn } from "../lib/dates.ts";
import { timesWithin } from "../lib/intervals.ts";
import { requireStorePaymentMethod } from "../payment-methods/queries.ts";
import { profileOfCustomer } from "../profiles/customers.ts";
import type { StoreContract } from "../store/port.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
import { addressOf } from "../subscriptions/address.ts";
import type { Line } from "../subscriptions/amounts.ts";
import { nthDelivery } from "../subscriptions/cadence.ts";
import { isBeyondLastCycle } from "../subscriptions/lifecycle.ts";
import { pricedColumns } from "../subscriptions/lines.ts";
import { emptySubscription, insertion, type NewSubscription } from "../subscriptions/new-row.ts";
import { getSubscription } from "../subscriptions/queries.ts";
import { type NextDates, startingOn, todayOf } from "../subscriptions/schedule.ts";
import { desiredContract } from "./desired-contract.ts";
import { enqueueContractSync } from "./outbox.ts";

/** How often at most it is read and decided anew, where others take the same contract over meanwhile. */
const mostTries = 4;

/** A contract that cannot be a subscription here; somebody has to look at it. */
export class ImportRefusedError extends Error {}

const linesOf = (ctx: Ctx, { lines, delivery_price }: StoreContract): Line[] =>
  lines.map((line) => {
    const { store_product_id, store_variant_id, selling_plan_id } = line;
    if (store_product_id === null || store_variant_id === null || selling_plan_id === null)
      throw new ImportRefusedError("a line has no product, or no selling plan");
    return {
      ...line,
      store_product_id,
      store_variant_id,
      selling_plan_id,
      selling_plan_name: line.selling_plan_name ?? "",
      id: ctx.newId(),
      subscription_variant_id: null,
      entity_id: null,
      selection_items: null,
      is_one_time: false,
      plan_shipping: delivery_price,
      plan_discount: null,
    };
  });

/** So many deliveries are tried to find which of them is the next. */
const furthest = 400;

/**
 * Counted from the day the contract was made, where its next billing date lies on that schedule, so that the 31st stays
 * the 31st; else from the next billing date on. What the checkout has billed pays for the deliveries up to the next billing:
 * those that are still to come are owed.
 */
const datesIn = (ctx: Ctx, contract: StoreContract, deliveries: number): NextDates => {
  const { created_at, next_billing_at, billing, delivery, store_origin_order_id } = contract;
  const { timezone } = ctx.account;
  const today = todayOf(ctx);
  const begun = dateIn(created_at, timezone);
  const next =
    next_billing_at === null ? nthDelivery(begun, billing, 1, undefined) : dateIn(next_billing_at, timezone);
  if (next < today) return startingOn(today, undefined, today);
  const nth = (n: number): CalendarDate => nthDelivery(begun, delivery, n, undefined);
  let index = 1;
  while (nth(index) < next && index < furthest) index++;
  const dates = startingOn(next, undefined, today);
  if (nth(index) !== next) return dates;
  let coming = store_origin_order_id === null ? index : Math.max(1, index - deliveries + 1);
  while (nth(coming) < today) coming++;
  return {
    ...dates,
    anchor_date: begun,
    next_index: coming,
    next_billed_index: index,
    next_delivery_date: nth(coming),
  };
};

const addressIn = ({ address }: StoreContract): string | null => {
  const { address1, city, zip, country, country_code } = address ?? {};
  if (!address1 || !city || !zip || !country || !country_code) return null;
  return addressOf({ ...address, address1, city, zip, country, country_code });
};

/** The checkout has billed the first cycle, where there was one. */
const cyclesOf = ({ store_origin_order_id, min_cycles, max_cycles }: StoreContract) => ({
  current_billing_cycle: store_origin_order_id === null ? 1 : 2,
  min_cycles,
  max_cycles,
});

const rowOf = async (ctx: Ctx, id: number, contract: StoreContract) => {
  const { customer, billing, delivery, currency_code, store_payment_method_id } = contract;
  const isPaused = contract.status === "PAUSED";
  if (currency_code !== ctx.account.currency_code)
    throw new ImportRefusedError(`the contract is in ${currency_code}`);
  const deliveries = timesWithin(billing, delivery);
  if (deliveries === undefined) throw new ImportRefusedError("its deliveries do not divide its billings");
  if (isBeyondLastCycle(cyclesOf(contract))) throw new ImportRefusedError("its last cycle has been billed");
  const profile = customer && (await profileOfCustomer(ctx, customer));
  if (!profile) throw new ImportRefusedError("its customer has no e-mail address of their own");
  const kept =
    store_payment_method_id === null
      ? undefined
      : await requireStorePaymentMethod(ctx, profile.id, store_payment_method_id);
  const row: NewSubscription = {
    ...emptySubscription,
    ...datesIn(ctx, contract, deliveries),
    ...pricedColumns(linesOf(ctx, contract), []),
    ...cyclesOf(contract),
    ...(isPaused ? { paused_at: ctx.now } : {}),
    id: ctx.newId(),
    account_id: ctx.account.id,
    revision: 1,
    profile_id: profile.id,
    entity_id: null,
    entity_label: null,
    status: isPaused ? "PAUSED" : "ACTIVE",
    currency_code,
    billing_interval: billing.unit,
    billing_interval_count: billing.count,
    delivery_interval: delivery.unit,
    delivery_interval_count: delivery.count,
    deliveries_per_billing: deliveries,
    schedule_revision: 0,
    activation: 1,
    total_revenue: 0,
    payment_method_id: kept?.method.id ?? null,
    delivery_slot_id: null,
    delivery_address: addressIn(contract),
    note: contract.note,
    store_contract_id: id,
    store_origin_order_id: contract.store_origin_order_id,
    search_text: "",
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  return { row, writes: kept?.writes ?? [] };
};

/** Whose contract it is already: the subscription it is linked to. */
export const findSubscriptionOfContract = (ctx: Ctx, id: number): Promise<{ id: string } | undefined> =>
  first<{ id: string }>(ctx.db, {
    sql: "SELECT id FROM subscriptions WHERE account_id = ? AND store_contract_id = ?",
    params: [ctx.account.id, id],
  });

export const subscriptionExists = async (ctx: Ctx, id: string): Promise<boolean> =>
  (await first(ctx.db, {
    sql: "SELECT id FROM subscriptions WHERE account_id = ? AND id = ?",
    params: [ctx.account.id, id],
  })) !== undefined;

/**
 * Makes a subscription of a contract that a customer has made at the store's checkout, once. Discounts of the checkout are
 * not taken over, which its entry tells. Throws ImportRefusedError where it cannot be one here.
 */
export const importContract = (ctx: Ctx, id: number, contract: StoreContract): Promise<void> =>
  decide(async () => {
    if (await findSubscriptionOfContract(ctx, id)) return;
    const { row, writes } = await rowOf(ctx, id, contract);
    const { store_origin_order_id, discounts } = contract;
    const metadata = {
      store_contract_id: id,
      store_order_id: store_origin_order_id,
      ...(discounts.length > 0 ? { discounts_not_taken_over: discounts } : {}),
    };
    const entry = {
      action: "subscription_created" as const,
      subject: subjectOf({ ...row, seq: 0, number: 0 }),
      metadata,
    };
    await created(ctx, [entry], [...writes, insertion(ctx, row)]);
    await ctx.store.contracts?.noteDelivery(desiredContract(await getSubscription(ctx, row.id)));
    await enqueueContractSync(ctx, [row.id]);
  }, mostTries);
