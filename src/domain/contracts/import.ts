import type { Account } from "../../base/accounts/tables.ts";
import type { AccountSeq } from "../../base/db/columns.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { build, columnsEqual, first, type Params, prepare, rows } from "../../base/db/statement.ts";
import { countryCodeOf } from "../../base/lib/places/countries.ts";
import { needsPostalCode } from "../../base/lib/places/postal-codes.ts";
import { type Provinces, readProvinces } from "../../base/lib/places/provinces.ts";
import { dateIn } from "../../base/lib/time/dates.ts";
import { timesWithin } from "../../base/lib/time/intervals.ts";
import type { Ctx } from "../../kit/context.ts";
import { todayOf } from "../../kit/days.ts";
import { createRecord } from "../../kit/journal/write.ts";
import type { StoreContract } from "../../stores/port/contracts.ts";
import { type MethodName, requirePaymentMethod, selectNamedMethods } from "../payment-methods/queries.ts";
import { profileOfCustomer } from "../profiles/customers.ts";
import { plansByStoreId } from "../selling-plans/queries.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
import { serializeAddress } from "../subscriptions/address/address.ts";
import { calendarOf, datesOfContract, moveToOpenDays } from "../subscriptions/dates/index.ts";
import { isBeyondLastCycle } from "../subscriptions/lifecycle.ts";
import type { Line } from "../subscriptions/lines/amounts.ts";
import { pricedColumns } from "../subscriptions/lines/lines.ts";
import { emptySubscription, insertSubscription, type NewSubscription } from "../subscriptions/new-row.ts";
import { deliveryAddressOf } from "../subscriptions/row-codec.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { enqueueContractSync } from "./outbox.ts";
import { findOwnerOfContract } from "./owner.ts";
import { keepPromises } from "./promises.ts";
import type { UnsupportedReason } from "./tables.ts";

/** A contract that cannot become a subscription; the merchant has to look at it. */
export class ImportRefusedError extends Error {
  readonly reason: UnsupportedReason;

  constructor(reason: UnsupportedReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Creates a subscription from a contract that a customer concluded at the store's checkout, once. Throws ImportRefusedError for a
 * contract that cannot become a subscription, also where it promises prices that a subscription cannot keep.
 */
export function importContract(ctx: Ctx, id: number, contract: StoreContract): Promise<void> {
  return retryOnConflict(async () => {
    if (await findOwnerOfContract(ctx, id)) return;
    const { row, writes } = await newSubscription(ctx, id, await withOurPlans(ctx, contract));
    const metadata = { store_contract_id: id, store_order_id: contract.store_origin_order_id };
    const entry = {
      action: "subscription_created" as const,
      subject: subjectOf(row),
      metadata,
    };
    await createRecord(ctx, [entry], [...writes, insertSubscription(row)]);
    await ctx.store.contracts?.noteDelivery(id, { subscription_id: row.id, address: deliveryAddressOf(row) });
    await enqueueContractSync(ctx, [row.id]);
  }, maxTries);
}

/** The subscription that a contract is linked to. */
export function findSubscriptionOfContract(ctx: Ctx, id: number): Promise<{ id: string } | undefined> {
  return first(ctx.db, selectLinkedTo({ account_seq: ctx.account.seq, store_contract_id: id }));
}

export async function subscriptionExists(ctx: Ctx, id: string): Promise<boolean> {
  return (await first(ctx.db, selectWithId({ account_seq: ctx.account.seq, id }))) !== undefined;
}

const selectLinkedTo = prepare((p: Params<{ account_seq: AccountSeq; store_contract_id: number }>) =>
  build
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(columnsEqual(subscriptions, p, "account_seq", "store_contract_id")),
);

const selectWithId = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
  build
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(columnsEqual(subscriptions, p, "account_seq", "id")),
);

/** Concurrent imports of the same contract conflict; each conflict costs a try. */
const maxTries = 4;

async function newSubscription(ctx: Ctx, id: number, contract: StoreContract) {
  const { customer, billing, delivery, currency_code, store_payment_method_id } = contract;
  const isPaused = contract.status === "PAUSED";
  const today = todayOf(ctx);
  const deliveries = timesWithin(billing, delivery);
  if (deliveries === undefined)
    throw new ImportRefusedError("INTERVALS", "its deliveries do not divide its billings");
  if (isBeyondLastCycle(cyclesOf(contract)))
    throw new ImportRefusedError("LAST_CYCLE", "its last cycle has been billed");
  const profile = customer && (await profileOfCustomer(ctx, customer));
  if (!profile) throw new ImportRefusedError("CUSTOMER", "its customer has no e-mail address of their own");
  const payment =
    store_payment_method_id === null
      ? undefined
      : await findPayment(ctx, profile.id, { store_payment_method_id });
  const cycles = cyclesOf(contract);
  const priced = keepPromises(ctx, contract, importLines(ctx, contract), cycles.current_billing_cycle - 1);
  if (priced.refusal !== undefined) throw new ImportRefusedError("PRICES", priced.refusal);
  const row: NewSubscription = {
    ...emptySubscription,
    ...datesOfContract({ ...daysOf(contract, ctx.account), billing, delivery, deliveries }, today),
    ...pricedColumns(priced.lines, priced.discounts),
    ...cycles,
    ...(isPaused ? { paused_at: ctx.now } : {}),
    id: ctx.newId(),
    account_seq: ctx.account.seq,
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
    payment_method_id: payment?.method.id ?? null,
    delivery_slot_id: null,
    delivery_address: importAddress(await readProvinces(), contract),
    note: contract.note,
    store_contract_id: id,
    store_origin_order_id: contract.store_origin_order_id,
    search_text: "",
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  const dates = moveToOpenDays(row, calendarOf({ account: ctx.account, slot: undefined, today }), today);
  return { row: { ...row, ...dates }, writes: payment?.writes ?? [] };
}

async function findPayment(ctx: Ctx, profile_id: string, name: MethodName) {
  const found = await rows(ctx.db, selectNamedMethods(ctx, name, { profile_id }));
  return requirePaymentMethod(ctx, profile_id, name, { found });
}

/** The contract with our ids of the plans that were created here. */
async function withOurPlans(ctx: Ctx, contract: StoreContract): Promise<StoreContract> {
  const storeIds = contract.lines.flatMap(({ selling_plan_id }) => selling_plan_id ?? []);
  const ours = await plansByStoreId(ctx, storeIds);
  const lines = contract.lines.map((line) => ({
    ...line,
    selling_plan_id: ours.get(line.selling_plan_id) ?? line.selling_plan_id,
  }));
  return { ...contract, lines };
}

function importLines(ctx: Ctx, { lines, delivery_price }: StoreContract): Line[] {
  return lines.map(({ store_line_id, discounted_total, price_changes, ...line }) => {
    const { store_product_id, store_variant_id, selling_plan_id } = line;
    if (store_product_id === null || store_variant_id === null || selling_plan_id === null)
      throw new ImportRefusedError("LINES", "a line has no product, or no selling plan");
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
}

/** The days that the contract's schedule is worked out from, in the account's time zone. */
function daysOf(
  { created_at, next_billing_at: next, store_origin_order_id }: StoreContract,
  { timezone }: Pick<Account, "timezone">,
) {
  const billed = next === null ? null : dateIn(next, timezone);
  return { start: dateIn(created_at, timezone), billed, isBilledAtStart: store_origin_order_id !== null };
}

function importAddress(provinces: Provinces, { address }: StoreContract): string | null {
  const { address1, city, zip, country } = address ?? {};
  if (!address1 || !city || !country) return null;
  const country_code = address?.country_code || countryCodeOf(country);
  if (!zip && (!country_code || needsPostalCode(country_code))) return null;
  if (!country_code)
    throw new ImportRefusedError("ADDRESS", "the country of its delivery address is not known");
  return serializeAddress(provinces, { ...address, address1, city, zip: zip ?? "", country, country_code });
}

/** A contract of the checkout has had its first cycle billed there. */
function cyclesOf({ store_origin_order_id, min_cycles, max_cycles }: StoreContract) {
  return {
    current_billing_cycle: store_origin_order_id === null ? 1 : 2,
    min_cycles,
    max_cycles,
  };
}
