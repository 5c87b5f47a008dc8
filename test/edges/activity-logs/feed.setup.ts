import { beforeAll, expect } from "vitest";
import { api, type Caller, type RequestOptions } from "../../support/client.ts";
import {
  entityOf,
  type LogRow,
  linkOf,
  logOf,
  type Merchant,
  orderOf,
  profileOf,
  put,
  subscriptionOf,
} from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";

export const path = "/api/activity-logs";
export type Query = Record<string, string>;
type Feed = { data: ({ id: string } & Record<string, unknown>)[]; metadata: Record<string, number> };

export const range = { start_date: "2026-01-01", end_date: "2026-12-31" };

/** An account with one customer, one subscription and one order, and ten entries named by the letters a to j. */
export function useHistory() {
  const shop = useMerchant();
  const ids = {} as Awaited<ReturnType<typeof createRecords>>;
  beforeAll(async () => {
    Object.assign(ids, await createRecords(shop));
    await put("activity_logs", entriesOf(shop, ids));
  });
  return { shop, ids };
}

export async function readFeed(as: Caller, query: RequestOptions["query"] = range, at = path): Promise<Feed> {
  const answer = await api<Feed>(as, "GET", at, { query });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** The letters of all entries that a query finds, newest first. */
export async function lettersOf(as: Caller, query: Query, at = path): Promise<string> {
  const { data, metadata } = await readFeed(as, at === path ? { ...range, ...query } : query, at);
  expect(metadata.total, "total").toBe(data.length);
  return data.map(({ description }) => description).join("");
}

async function createRecords(shop: Merchant) {
  const profile = profileOf(shop.of, {
    first_name: "Ada",
    last_name: "Lovelace",
    email: "Ada@customers.test",
  });
  const entity = entityOf(shop.of, profile.id);
  const subscription = subscriptionOf(shop.of, profile.id, { entity_id: entity.id });
  const order = orderOf(shop.of, { store_order_number: "#1001", profile_id: profile.id });
  await put("profiles", [profile]);
  await put("entities", [entity]);
  await put("subscriptions", [subscription]);
  await put("orders", [order]);
  await put("order_subscriptions", [linkOf(shop.of, order.id, subscription.id)]);
  return {
    profileId: profile.id,
    orderId: order.id,
    subscriptionId: subscription.id,
    subscriptionNumber: subscription.number,
  };
}

/** The letter of an entry is its description; the entries are a day apart. */
function entriesOf(
  shop: Merchant,
  { profileId, orderId, subscriptionId }: Awaited<ReturnType<typeof createRecords>>,
): LogRow[] {
  const ofOrder = {
    loggable_type: "order",
    loggable_id: orderId,
    order_id: orderId,
    subscription_id: subscriptionId,
  } as const;
  const ofSubscription = {
    loggable_type: "subscription",
    loggable_id: subscriptionId,
    subscription_id: subscriptionId,
  } as const;
  const rows: Record<string, Partial<LogRow>> = {
    a: { ...ofSubscription, action: "subscription_created", actor_type: "api", actor_name: "key" },
    b: {
      ...ofSubscription,
      action: "subscription_paused",
      actor_type: "customer",
      changes: JSON.stringify({ status: { from: "ACTIVE", to: "PAUSED" } }),
    },
    c: { ...ofSubscription, action: "frequency_changed", actor_type: "admin", actor_name: "Grace" },
    d: { ...ofSubscription, action: "subscription_resumed", actor_type: "admin", actor_name: "Åse" },
    e: {
      ...ofOrder,
      action: "order_placed",
      actor_type: "system",
      metadata: JSON.stringify({ a: { b: [1] } }),
    },
    f: { ...ofOrder, action: "order_fulfilled", actor_type: null },
    g: { ...ofOrder, action: "integration_label", actor_type: "api", actor_name: "warehouse" },
    h: { ...ofOrder, action: "integration_", actor_type: "api", actor_name: null },
    i: { action: "integrationxlabel", actor_type: "system", actor_name: "Grace", profile_id: null },
    j: {
      action: "billing_failed",
      loggable_type: "subscription",
      actor_type: "admin",
      actor_name: null,
      profile_id: null,
    },
  };
  return Object.entries(rows).map(([description, values], nth) =>
    logOf(shop.of, {
      description,
      created_at: `2026-02-${String(nth + 1).padStart(2, "0")}T12:00:00.000Z`,
      profile_id: profileId,
      ...values,
    }),
  );
}
