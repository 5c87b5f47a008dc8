import fc from "fast-check";
import { beforeAll } from "vitest";
import {
  type EntityRow,
  entityOf,
  type OrderRow,
  orderOf,
  type ProfileValues,
  profileOf,
  put,
  seeded,
} from "../support/records.ts";
import type { Tenant } from "../support/tenant.ts";
import { useMerchant } from "../support/use-account.ts";

/** The records of an account, as its lists must find them. */
export type Records = { orders: OrderRow[]; entities: EntityRow[]; profiles: ProfileValues[] };

/** An account with many random records. */
export function useRecords() {
  const shop = useMerchant();
  const records: Records = { orders: [], entities: [], profiles: [] };
  beforeAll(async () => {
    Object.assign(records, await createRecords(shop.of));
  });
  return { shop, records };
}

export const oneOf = fc.constantFrom;

export function day(n: number): string {
  return `2026-01-${String(n).padStart(2, "0")}`;
}

export function sample<T>(arbitrary: fc.Arbitrary<T>, count: number): T[] {
  return fc.sample(arbitrary, { ...seeded(1), numRuns: count });
}

/** Four customers have most of the orders. */
const ownerNames = [...Array(4).fill({ first_name: "Bob" }), { first_name: "Zoe" }];

async function createRecords(of: Tenant): Promise<Records> {
  const aDay = fc.integer({ min: 1, max: 9 });
  const created_at = fc.nat(30).map((n) => `2026-01-01T00:00:${String(n).padStart(2, "0")}.000Z`);
  const profiles = sample(
    fc.record({
      created_at,
      email_status: oneOf("subscribed", "unsubscribed", null),
      first_name: oneOf("Ada", "Bob", "Adam"),
      store_customer_id: oneOf("1", "2", null),
      deleted_at: oneOf(null, null, null, "2026-02-01T00:00:00.000Z"),
    }),
    240,
  ).map((values, nth) => profileOf(of, { ...values, ...ownerNames[nth] } as Partial<ProfileValues>));
  const owner = oneOf(...profiles.slice(0, 4).map(({ id }) => id));
  /** Their orders are fewer than a search takes from its customers. */
  const seldom = profiles[4]!.id;
  const entities = sample(
    fc.record({
      created_at,
      name: oneOf("a", "b", "B", "é", "c"),
      entity_type: oneOf("dog", "cat", "Dog"),
      is_active: oneOf(0 as const, 1 as const),
      owner,
      deleted_at: oneOf(null, null, "2026-02-01T00:00:00.000Z"),
    }),
    240,
  ).map(({ owner, ...values }) => entityOf(of, owner, values));
  const orders = sample(
    fc.record({
      created_at,
      status: oneOf("PENDING", "PAID", "PAID", "PARTIALLY_REFUNDED", "REFUNDED", "CANCELLED"),
      fulfillment_status: oneOf("FULFILLED", "UNFULFILLED"),
      is_checkout_order: oneOf(0, 1),
      has_subscription: oneOf(0, 1),
      delivery_date: fc.option(aDay.map(day)),
      billing_date: fc.option(aDay.map(day)),
      production_date: fc.option(aDay.map(day)),
      total: fc.nat(40).map((n) => n * 50),
      profile_id: fc.oneof({ weight: 16, arbitrary: owner }, oneOf(seldom), {
        weight: 4,
        arbitrary: fc.constant(null),
      }),
      tracking_number: oneOf("one", "two", null),
      store_order_number: fc.nat(99).map((n) => `No ${n}`),
    }),
    1_450,
  ).map((values) => orderOf(of, values as Partial<OrderRow>));
  await put("profiles", profiles);
  await put("entities", entities);
  await put("orders", orders);
  return { orders, entities, profiles };
}
