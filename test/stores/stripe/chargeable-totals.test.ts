/** A total that Stripe cannot charge is shown as at risk before it falls due. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { inDays, type Json, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { subscribed, useAccount } from "./account.ts";

/** That Stripe cannot charge a total is told before it is due. */

const account = useAccount();

function lineOf(merchant: Shop, price: number): Json {
  return {
    store_product_id: "kibble",
    store_variant_id: "kibble-2kg",
    product_title: "Kibble",
    selling_plan_id: merchant.plan,
    price,
    quantity: 1,
  };
}

function create(price: number) {
  const body = {
    profile_id: account.profileId,
    store_payment_method_id: account.card,
    next_delivery_date: inDays(7),
    lines: [lineOf(account.merchant, price)],
  };
  return account.worker.call<Json>(account.merchant.api, "POST", "/api/subscriptions", { body });
}

async function upcoming(merchant: Shop, id: string): Promise<boolean[]> {
  const path = `/api/subscriptions/${id}/upcoming`;
  const { body } = await api(merchant.api, "GET", path, { query: { count: 3 } });
  return body.data.map(({ is_at_risk }: Json) => is_at_risk);
}

test("of a subscription whose total is below the minimum, every charge is at risk; of others, and of free ones, none is", async () => {
  for (const [price, isAtRisk] of [
    [0.49, true],
    [0.5, false],
    [0, false],
  ] as const) {
    const { status, body } = await create(price);
    expect(status).toBe(201);
    const id: string = body.ids[0];
    expect(await upcoming(account.merchant, id)).toEqual([isAtRisk, isAtRisk, isAtRisk]);
  }
});

test("upcoming marks the first charge that is not possible, and what comes after it", async () => {
  const id = await subscribed(account);
  expect(await upcoming(account.merchant, id)).toEqual([false, false, false]);
  await execute(
    "UPDATE subscriptions SET lines = json_set(lines, '$[0].price_changes', json('[{\"price\": 20, \"in_cycles\": 1}]')) WHERE id = ?",
    id,
  );
  expect(await upcoming(account.merchant, id)).toEqual([false, true, true]);
});

test("on the sandbox store any total is possible", async () => {
  const merchant = await openShop({ currency: "EUR" });
  const id = await subscribe(merchant, { lines: [lineOf(merchant, 0.01)] });
  expect(await upcoming(merchant, id)).toEqual([false, false, false]);
});
