import { beforeAll } from "vitest";
import { newId } from "../../src/base/lib/ids.ts";
import {
  dayOf,
  entityOf,
  type Merchant,
  orderOf,
  profileOf,
  put,
  slotOf,
  subscriptionOf,
} from "../support/records.ts";
import { planned } from "../support/subscriptions.ts";
import type { Tenant } from "../support/tenant.ts";
import { useMerchant } from "../support/use-account.ts";
import { dayOfNumber, instantOf, pad, pick } from "./numbered.ts";

/** Records that stay the same while the account grows: those of one customer, the slot, and the plan of all other subscriptions. */
export type Known = Record<
  "profile" | "entity" | "reason" | "subscription" | "slot" | "plan" | "commonPlan",
  string
>;

/** An account with the known records, which a test can fill with more subscriptions. */
export function useGrowingAccount() {
  const shop = useMerchant();
  const known: Known = {
    profile: "",
    entity: "",
    reason: "",
    subscription: "",
    slot: "",
    plan: "",
    commonPlan: "",
  };
  beforeAll(async () => {
    Object.assign(known, await createKnown(shop));
  });
  return {
    shop,
    known,
    /** Adds the subscriptions with these numbers, each of a separate customer. */
    grow: (from: number, to: number) =>
      addSubscriptions(
        shop.of,
        known,
        Array.from({ length: to - from }, (_, index) => from + index),
      ),
  };
}

async function createKnown({ of, admin }: Merchant): Promise<Known> {
  const reason = newId();
  const aDay = dayOf(of);
  const slot = slotOf(of, aDay.id);
  await put("delivery_days", [aDay]);
  await put("delivery_slots", [slot]);
  const profile = profileOf(of, { first_name: "Knownname", email: "known@customers.test" });
  const entity = entityOf(of, profile.id);
  await put("profiles", [profile]);
  await put("entities", [entity]);
  const rows = Array.from({ length: 10 }, (_, n) =>
    subscriptionOf(of, profile.id, {
      number: 1001 + n,
      entity_id: entity.id,
      cancellation_reason_id: reason,
      status: "CANCELLED",
      store_contract_id: 77 + n,
      search_text: `${1001 + n}\n77`,
      created_at: "2024-02-01T00:00:00.000Z",
    }),
  );
  await put("subscriptions", rows);
  return {
    profile: profile.id,
    entity: entity.id,
    subscription: rows[0]!.id,
    reason,
    slot: slot.id,
    plan: await planned(admin),
    commonPlan: await planned(admin),
  };
}

async function addSubscriptions(of: Tenant, { slot, commonPlan }: Known, numbers: number[]): Promise<void> {
  const from = numbers[0]!;
  const profiles = numbers.map((n) =>
    profileOf(of, { created_at: instantOf(n), first_name: "Common", email: `c${pad(n, 6)}@customers.test` }),
  );
  const entities = profiles.map(({ id }) => entityOf(of, id));
  const methods = profiles.map(({ id }) => ({
    id: newId(),
    account_id: of.account.id,
    profile_id: id,
    store_payment_method_id: "pm",
    is_default: 1,
    status: "VALID",
    created_at: instantOf(0),
    updated_at: instantOf(0),
  }));
  const orders = profiles.map(({ id }) => orderOf(of, { profile_id: id }));
  await put("profiles", profiles);
  await put("entities", entities);
  await put("payment_methods", methods);
  await put("orders", orders);
  await put(
    "subscriptions",
    numbers.map((n) => {
      const nth = n - from;
      const number = 100_000 + n;
      const status = pick(n, [
        "ACTIVE",
        "ACTIVE",
        "ACTIVE",
        "PAUSED",
        "CANCELLED",
        "EXPIRED",
        "PAYMENT_FAILED",
      ] as const);
      const over = status === "CANCELLED" || status === "EXPIRED";
      return subscriptionOf(of, profiles[nth]!.id, {
        number,
        created_at: instantOf(n),
        status,
        dunning_episode_id: status === "ACTIVE" && n % 10 === 0 ? newId() : null,
        entity_id: entities[nth]!.id,
        payment_method_id: methods[nth]!.id,
        last_order_id: orders[nth]!.id,
        delivery_slot_id: slot,
        store_contract_id: 5_000_000 + n,
        cancellation_reason_id: status === "CANCELLED" ? newId() : null,
        next_billing_date: over ? null : dayOfNumber(n),
        next_delivery_date: over ? null : dayOfNumber(n + 30),
        next_production_date: over ? null : dayOfNumber(n + 15),
        total: (n * 7919) % 100_000,
        search_text: `${number}\n${5_000_000 + n}`,
        lines: JSON.stringify([{ selling_plan_id: commonPlan }]),
      });
    }),
  );
}
