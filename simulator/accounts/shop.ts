import { insertAccount } from "../../src/base/accounts/actions.ts";
import { defaultSettings } from "../../src/base/accounts/settings.ts";
import {
  type ForeignAccount,
  finalActions,
  outOfStockActions,
  prepaidEnds,
} from "../../src/base/accounts/tables.ts";
import { commit } from "../../src/base/db/commit.ts";
import { insertRow } from "../../src/base/db/row-writes.ts";
import { addDays, dayOfWeek } from "../../src/base/lib/time/calendar.ts";
import { profiles } from "../../src/domain/profiles/tables.ts";
import { type SellingPlan, sellingPlans } from "../../src/domain/selling-plans/tables.ts";
import { createSubscriptions } from "../../src/domain/subscriptions/actions/create.ts";
import { drain, runToEnd, spawn } from "../kernel/invocations.ts";
import { planId } from "../kernel/store.ts";
import { instantOf, type World } from "../kernel/world.ts";
import { changePricesByCycle, snack } from "./cycle-prices.ts";
import { createSlot, type Stamps } from "./slot.ts";
import { todayOf } from "./today.ts";
import { withoutForecasts } from "./without-forecasts.ts";

type Terms = Partial<
  Pick<SellingPlan, "max_cycles" | "shipping_amount" | "discount_type" | "discount_value">
> & {
  billing: [SellingPlan["billing_interval"], number];
  delivery?: [SellingPlan["billing_interval"], number];
};

/** One of five payment methods that the customer has at the store. */
export function methodOf({ store }: World, nth: number): string {
  return store.cards[nth] ?? `pm_${nth}`;
}

/** A shop with one customer and one subscription, sometimes without a contract yet. */
export async function createShop(world: World): Promise<void> {
  const { account, database, newId } = world;
  const stamps = { created_at: instantOf(world), updated_at: instantOf(world) };
  const plan = planOf(world, stamps);
  const slot = world.choices.chance(250) ? createSlot(world, stamps) : undefined;
  const profile = {
    ...stamps,
    id: newId(),
    account_seq: account.seq,
    revision: 1,
    email: "cy@customers.test",
    email_folded: "cy@customers.test",
    store_customer_id: world.store.customer,
    address1: "1 High Street",
    city: "Springfield",
    region: "New York",
    postal_code: "12345",
    country: "United States",
    country_code: "US",
    search_identity: "",
    search_other: "",
  };
  await commit({ db: database }, [
    insertRow(profiles, profile),
    insertRow(sellingPlans, plan),
    ...(slot?.writes ?? []),
  ]);
  const isPricedByCycle = world.choices.chance(300);
  const request = {
    profile_id: profile.id,
    store_payment_method_id: methodOf(world, 4),
    next_delivery_date: firstOn(addDays(todayOf(world), world.choices.below(4)), slot?.weekday),
    ...(slot ? { delivery_slot_id: slot.slotId } : {}),
    lines: [
      {
        store_product_id: "31001",
        store_variant_id: "41001",
        product_title: "Kibble",
        selling_plan_id: plan.id,
        price: 10,
        quantity: 1,
      },
      ...(isPricedByCycle ? [snack(plan.id)] : []),
    ],
  };
  await spawn(world, "setup", { type: "api", name: "Setup" }, async (ctx) => {
    [world.subscriptionId = ""] = (await createSubscriptions(ctx, { request })).ids;
  });
  await runToEnd(world);
  if (isPricedByCycle) await changePricesByCycle(world);
  if (!world.choices.chance(150)) await drain(world);
}

/** Plans by the week, by the day, prepaid, and for a few cycles only. */
const plans: Terms[] = [
  { billing: ["WEEK", 1] },
  { billing: ["DAY", 2], shipping_amount: 490 },
  { billing: ["DAY", 1], max_cycles: 3 },
  { billing: ["DAY", 4], delivery: ["DAY", 2] },
  { billing: ["MONTH", 1], discount_type: "PERCENTAGE", discount_value: 1000 },
  { billing: ["DAY", 3], delivery: ["DAY", 1], max_cycles: 2 },
  { billing: ["WEEK", 3], delivery: ["WEEK", 1] },
];

/** Zones whose days are 23, 24.5 or 25 hours long now and then, also where they begin at one o'clock, and one at half an hour. */
const timezones: [string, number][] = [
  ["UTC", 2],
  ["America/New_York", 3],
  ["Europe/Berlin", 2],
  ["Asia/Tokyo", 1],
  ["Asia/Kolkata", 2],
  ["Australia/Lord_Howe", 1],
  ["America/Santiago", 1],
];

/** An account at the store of its world, without a shop yet. */
export async function createAccount(world: World): Promise<void> {
  const { choices, newId, database } = world;
  const id = newId();
  const now = instantOf(world);
  const account: ForeignAccount = {
    ...defaultSettings,
    engine: world.database.engine,
    store: world.platform === "ledger" ? "sandbox" : world.platform,
    id,
    name: id,
    shop: `${id}.myshopify.com`,
    currency_code: world.store.drawCurrency(),
    timezone: choices.weighted(timezones),
    dunning_retry_days: choices.pick(["[1]", "[1,3,7]", "[2,3]"]),
    dunning_final_action: world.scenario === "challenged" ? "fail" : choices.pick(["fail", ...finalActions]),
    notify_payment_update: 1,
    out_of_stock_action: choices.pick(outOfStockActions),
    prepaid_on_end: choices.pick(["deliver", ...prepaidEnds]),
    created_at: now,
    updated_at: now,
  };
  // An object's alarm has to know of forecasts.
  const takesForecasts = world.alarm !== undefined && choices.chance(250);
  const [inserted] = await commit({ db: database }, [
    insertAccount(account),
    ...(takesForecasts ? [] : [withoutForecasts(id)]),
  ]);
  world.account = { ...account, seq: inserted.rows[0]!.seq };
}

function planOf(world: World, stamps: Stamps): SellingPlan {
  const { billing, delivery = billing, ...terms } = world.choices.pick(plans);
  return {
    id: planId,
    account_seq: world.account.seq,
    name: "Plan",
    billing_interval: billing[0],
    billing_interval_count: billing[1],
    delivery_interval: delivery[0],
    delivery_interval_count: delivery[1],
    discount_type: null,
    discount_value: null,
    shipping_amount: 0,
    min_cycles: null,
    max_cycles: null,
    is_active: 1,
    store_group_id: null,
    product_ids: null,
    store_plan_id: null,
    store_sync_error: null,
    ...terms,
    ...stamps,
  };
}

function firstOn(date: string, weekday: number | undefined): string {
  return weekday === undefined || dayOfWeek(date) === weekday ? date : firstOn(addDays(date, 1), weekday);
}
