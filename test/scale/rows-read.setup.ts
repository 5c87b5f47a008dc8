import { beforeAll } from "vitest";
import {
  attemptOf,
  dayOf,
  entityOf,
  linkOf,
  logOf,
  orderOf,
  profileOf,
  put,
  slotOf,
  subscriptionOf,
} from "../support/records.ts";
import type { Tenant } from "../support/tenant.ts";
import { useMerchant } from "../support/use-account.ts";
import { instantOf, pad, pick } from "./numbered.ts";

/** A day on which the known customer has entries, and nobody else. */
export const quietDay = "2024-06-15";

/** Records that stay the same while the account grows: those of one customer, and the slot of all orders. */
export type Known = Record<"profile" | "entity" | "order" | "subscription" | "log" | "slot", string>;

/** An account with the known records, which a test can fill with those of more customers. */
export function useGrowingAccount() {
  const shop = useMerchant({ timezone: "America/New_York" });
  const known: Known = { profile: "", entity: "", order: "", subscription: "", log: "", slot: "" };
  beforeAll(async () => {
    Object.assign(known, await createKnown(shop.of));
  });
  return {
    shop,
    known,
    /** Adds the records of the customers with these numbers. */
    grow: (from: number, to: number) =>
      addCustomers(
        shop.of,
        known,
        Array.from({ length: to - from }, (_, index) => from + index),
      ),
  };
}

async function createKnown(of: Tenant): Promise<Known> {
  const day = dayOf(of);
  const slot = slotOf(of, day.id);
  await put("delivery_days", [day]);
  await put("delivery_slots", [slot]);
  const profile = profileOf(of, {
    email: "known@customers.test",
    first_name: "Knownname",
    store_customer_id: "known",
    created_at: "2024-01-01T00:00:00.000Z",
  });
  const entity = entityOf(of, profile.id, { created_at: "2024-01-01T00:00:00.000Z" });
  const subscription = subscriptionOf(of, profile.id, { entity_id: entity.id });
  const orders = Array.from({ length: 10 }, () =>
    orderOf(of, {
      profile_id: profile.id,
      has_subscription: 1,
      created_at: "2024-02-01T00:00:00.000Z",
      tracking_number: "known",
    }),
  );
  const logs = Array.from({ length: 40 }, (_, n) =>
    logOf(of, {
      created_at: `${quietDay}T1${n % 10}:00:00.000Z`,
      order_id: orders[0]!.id,
      loggable_id: orders[0]!.id,
      profile_id: profile.id,
    }),
  );
  await put("profiles", [profile]);
  await put("entities", [entity]);
  await put("subscriptions", [subscription]);
  await put("orders", orders);
  await put(
    "order_subscriptions",
    orders.map(({ id }) => linkOf(of, id, subscription.id)),
  );
  await put("activity_logs", logs);
  const reviewed = subscriptionOf(of, profile.id);
  await put("subscriptions", [reviewed]);
  await put("billing_attempts", [
    attemptOf(of, reviewed.id, 1, { status: "REVIEW", created_at: "2024-01-01T00:00:00.000Z" }),
  ]);
  return {
    profile: profile.id,
    entity: entity.id,
    order: orders[0]!.id,
    subscription: subscription.id,
    log: logs[0]!.id,
    slot: slot.id,
  };
}

async function addCustomers(of: Tenant, { slot, subscription }: Known, numbers: number[]): Promise<void> {
  const from = numbers[0]!;
  const profiles = numbers.map((n) =>
    profileOf(of, {
      created_at: instantOf(n),
      email_status: pick(n, ["subscribed", "unsubscribed", null]),
      store_customer_id: `c-${n}`,
      first_name: "Common",
      external_id: `crm-${pad(n, 6)}-end`,
    }),
  );
  const orders = numbers.map((n) =>
    orderOf(of, {
      created_at: instantOf(n),
      status: pick(n, ["PAID", "PAID", "REFUNDED", "PENDING"]),
      fulfillment_status: pick(n, ["FULFILLED", "UNFULFILLED"]),
      is_checkout_order: pick(n, [0, 1]),
      delivery_date: instantOf(n).slice(0, 10),
      billing_date: instantOf(n + 3).slice(0, 10),
      total: (n * 7919) % 100_000,
      profile_id: profiles[n - from]!.id,
      delivery_slot_id: slot,
      tracking_number: `1Z${pad(n, 6)}`,
      store_order_number: `D${pad(n, 6)}`,
    }),
  );
  await put("profiles", profiles);
  await put(
    "billing_attempts",
    numbers.map((n) =>
      attemptOf(of, subscription, n, {
        created_at: instantOf(n),
        status: pick(n, ["SUCCEEDED", "FAILED"]),
        origin: pick(n, ["RECURRING", "DUNNING", "SHIP_NOW"]),
      }),
    ),
  );
  await put(
    "entities",
    numbers.map((n) =>
      entityOf(of, profiles[n - from]!.id, {
        created_at: instantOf(n),
        name: `n${pad(n, 6)}`,
        entity_type: pick(n, ["dog", "cat"]),
        is_active: pick(n, [1, 0]),
      }),
    ),
  );
  await put("orders", orders);
  await put(
    "activity_logs",
    numbers.map((n) =>
      logOf(of, {
        created_at: instantOf(n),
        action: pick(n, ["order_placed", `integration_${n % 7}`]),
        actor_type: pick(n, ["system", "admin"]),
        actor_name: pick(n, [null, `staff ${n % 5}`]),
        order_id: orders[n - from]!.id,
        loggable_id: orders[n - from]!.id,
        profile_id: profiles[n - from]!.id,
      }),
    ),
  );
}
