import { describe, expect, test } from "vitest";
import { api } from "../support/client.ts";
import { execute, select } from "../support/database.ts";
import { inDays, type Json, openShop, read, type Shop, subscribe } from "../support/shops.ts";
import { subscribed, useAccount } from "./account.ts";

/** A total that Stripe cannot charge is refused where it would come about, and not only once it is due. */

const account = useAccount();
const why = [{ path: "total", message: "Stripe charges 0.50 EUR or more" }];

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

function create(price: number, query = {}) {
  const body = {
    profile_id: account.profileId,
    store_payment_method_id: account.card,
    next_delivery_date: inDays(7),
    lines: [lineOf(account.merchant, price)],
  };
  return account.worker.call<Json>(account.merchant.api, "POST", "/api/subscriptions", { body, query });
}

async function upcoming(merchant: Shop, id: string): Promise<boolean[]> {
  const path = `/api/subscriptions/${id}/upcoming`;
  const { body } = await api(merchant.api, "GET", path, { query: { count: 3 } });
  return body.data.map(({ is_at_risk }: Json) => is_at_risk);
}

describe("creation", () => {
  test("below the minimum is refused, as its dry run is, and nothing is written", async () => {
    for (const query of [{ dry_run: true }, {}]) {
      const { status, body } = await create(0.49, query);
      expect([status, body.errorCode, body.details]).toEqual([400, "VALIDATION_FAILED", why]);
    }
    const seq = account.merchant.of.account.seq;
    expect(await select("SELECT id FROM subscriptions WHERE account_seq = ?", seq)).toEqual([]);
  });

  test.each([0, 0.5, 0.51])("of %d is possible", async (price) => {
    expect((await create(price, { dry_run: true })).status).toBe(200);
    expect((await create(price)).status).toBe(201);
  });
});

describe("a change", () => {
  const discount = (value: number) => ({
    body: { title: "Thanks", value, value_type: "FIXED_AMOUNT", target_type: "ORDER" },
  });

  test("by a discount to less than the minimum is refused, as its dry run is; to the minimum or nothing is not", async () => {
    const id = await subscribed(account);
    const before = await read(account.merchant, id);
    const path = `/api/subscriptions/${id}/discounts`;
    for (const query of [{ dry_run: true }, {}]) {
      const { status, body } = await api(account.merchant.api, "POST", path, { ...discount(19.51), query });
      expect([status, body.errorCode, body.details]).toEqual([400, "VALIDATION_FAILED", why]);
    }
    expect(await read(account.merchant, id)).toEqual(before);
    const dry = { query: { dry_run: true } };
    for (const value of [19.5, 20])
      expect((await api(account.merchant.api, "POST", path, { ...discount(value), ...dry })).status).toBe(
        200,
      );
  });

  test("of a line's price to less than the minimum is refused, and one that was below it may be mended in steps", async () => {
    const id = await subscribed(account);
    const [line] = (await read(account.merchant, id)).lines;
    const path = `/api/subscriptions/${id}/lines/${line.id}`;
    const change = (price: number) =>
      api(account.merchant.api, "PUT", path, { body: { price, quantity: 1 } });
    const { status, body } = await change(0.49);
    expect([status, body.details]).toEqual([400, why]);
    await execute("UPDATE subscriptions SET total = 20 WHERE id = ?", id);
    expect((await change(0.3)).status).toBe(200);
    expect((await change(0.5)).status).toBe(200);
    expect((await change(0.3)).status).toBe(400);
  });
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
