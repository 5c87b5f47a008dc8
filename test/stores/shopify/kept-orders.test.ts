/** An order that Shopify keeps is shipped and refunded there, and a prepaid delivery here. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { orderOf, put } from "../../support/records.ts";
import { useShop } from "./shop.ts";

const shop = useShop();
const path = "/api/subscriptions/orders";

async function addOrder(values: object): Promise<string> {
  const order = orderOf(shop.merchant.of, { status: "PAID", fulfillment_status: "UNFULFILLED", ...values });
  await put("orders", [order]);
  return order.id;
}

test.each([
  ["PUT", "fulfillment", { fulfillment_status: "FULFILLED" }],
  ["POST", "cancel", {}],
  ["POST", "cancel", { refund: true }],
  ["POST", "refunds", {}],
] as const)(
  "%s %s of an order that Shopify keeps is refused, naming it, and changes nothing",
  async (method, part, body) => {
    const id = await addOrder({ store_order_id: `7${Date.now()}` });
    const row = () => select("SELECT * FROM orders WHERE id = ?", id);
    const before = await row();
    const answer = await api(shop.merchant.admin, method, `${path}/${id}/${part}`, { body });
    expect([answer.status, answer.body.errorCode]).toEqual([409, "INVALID_STATE"]);
    expect(answer.body.error).toMatch(/kept by the store, Shopify/);
    expect(await row()).toEqual(before);
    expect(await select("SELECT id FROM order_refunds WHERE order_id = ?", id)).toEqual([]);
  },
);

test("a delivery that was paid for before is no order of Shopify's, and is shipped here", async () => {
  const id = await addOrder({ store_order_id: "prepaid-1001-7", is_prepaid: 1, total: 0 });
  const body = { fulfillment_status: "FULFILLED", tracking_number: "1Z1" };
  const answer = await api(shop.merchant.admin, "PUT", `${path}/${id}/fulfillment`, { body });
  expect(answer.body.data).toMatchObject(body);
});
