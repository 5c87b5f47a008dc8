/** An order is found by its numbers, its tracking and its customer as they are now. */
import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { namedOrders, orderNames, ordersPath } from "../../support/named-orders.ts";
import { listed, openMerchant, orderOf, profileOf, put } from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";

describe("search: store_order_id, store_order_number, external_order_number, tracking_number, the customer's email and name", () => {
  const shop = useMerchant();
  beforeAll(async () => {
    const other = await openMerchant();
    const customer = profileOf(shop.of, {
      email: "Grace.Hopper@navy.test",
      first_name: "Grace",
      last_name: "Höpper",
      phone_number: "555-PHONE-1",
      external_id: "ext-id-1",
      store_customer_id: "store-cust-1",
    });
    const foreign = profileOf(other.of, { email: "Grace.Hopper@navy.test", first_name: "Grace" });
    await put("profiles", [customer]);
    await put("profiles", [foreign]);
    await put("orders", [
      ...namedOrders(shop.of, {
        a: { store_order_id: "gid://shopify/Order/4711" },
        "#1001-X": {},
        c: { external_order_number: "ERP%2026_7" },
        d: { tracking_number: `1Z"999'\\AA` },
        e: { profile_id: customer.id },
        f: {
          external_order_id: "unsearched-1",
          external_source: "unsearched-2",
          tracking_company: "unsearched-3",
          tracking_url: "https://unsearched-4.test",
        },
        g: { profile_id: customer.id, tracking_number: "grace-and-more" },
        "🐶語é": {},
      }),
    ]);
    await put(
      "orders",
      namedOrders(other.of, {
        x: { profile_id: foreign.id, store_order_id: "gid://shopify/Order/4711-other" },
      }),
    );
  });

  test.each([
    ["order/4711", "a"],
    ["GID://SHOPIFY", "a"],
    ["#1001-x", "#1001-X"],
    ["01-x", "#1001-X"],
    ["erp%2026_7", "c"],
    ["p%2", "c"],
    ["%20", "c"],
    ["6_7", "c"],
    ["6%7", ""],
    ["_", "c"],
    ["%", "c"],
    [`z"999'\\a`, "d"],
    [`"`, "d"],
    ["grace.hopper@", "ge"],
    ["GRACE HÖPPER", "ge"],
    ["e höp", "ge"],
    ["öp", "ge"],
    ["grace", "ge"],
    ["grace-and", "g"],
    ["555-phone", "ge"],
    ["ph", "ge"],
    ["ext-id-1", ""],
    ["store-cust", ""],
    ["unsearched", ""],
    ["search_text : grace", ""],
    ["grace OR 4711", ""],
    ["grace AND hopper", ""],
    ["NEAR(grace)", ""],
    ["gra*", ""],
    ["^gra", ""],
    ["🐶語é", "🐶語é"],
    ["🐶", "🐶語é"],
    ["語É", "🐶語é"],
    ["4711#1001", ""],
    ["x".repeat(64), ""],
    ["語".repeat(65), ""],
    ["x".repeat(256), ""],
  ])("%s", async (search, expected) => {
    expect(await orderNames(shop, { search })).toBe(expected);
  });

  test("the index follows: an order's text, its customer's name, another customer", async () => {
    const merchant = await openMerchant();
    const [ada, bob] = [
      profileOf(merchant.of, { first_name: "Adaname" }),
      profileOf(merchant.of, { first_name: "Bobname" }),
    ];
    const order = orderOf(merchant.of, { profile_id: ada.id });
    await put("profiles", [ada, bob]);
    await put("orders", [order]);
    const found = async (search: string) => (await listed(merchant.admin, ordersPath, { search })).meta.total;
    expect([await found("adaname"), await found("bobname")]).toEqual([1, 0]);
    await api(merchant.admin, "PUT", `/api/profiles/${ada.id}`, { body: { first_name: "Changed" } });
    expect([await found("adaname"), await found("changed"), await found("ch")]).toEqual([0, 1, 1]);
    await execute("UPDATE orders SET profile_id = ? WHERE id = ?", bob.id, order.id);
    expect([await found("changed"), await found("bobname")]).toEqual([0, 1]);
    await execute("UPDATE orders SET search_text = 'newtext' WHERE id = ?", order.id);
    expect([await found("newtext"), await found(`store-${order.id}`)]).toEqual([1, 0]);
    await execute("INSERT INTO order_search (order_search, rank) VALUES ('integrity-check', 1)");
  });

  test("an order that its own text and its customer's both match stands once", async () => {
    expect(await orderNames(shop, { search: "grace" })).toBe("ge");
    expect((await listed(shop.admin, ordersPath, { search: "grace", limit: 1 })).meta).toMatchObject({
      total: 2,
      last_page: 2,
    });
  });

  test("with a filter and a sort beside it", async () => {
    expect(await orderNames(shop, { search: "grace", sort_by: "total", sort_order: "asc" })).toHaveLength(2);
    expect(await orderNames(shop, { search: "grace", tracking_number: "grace-and-more" })).toBe("g");
    expect(await orderNames(shop, { search: "gr", status: "REFUNDED" })).toBe("");
  });
});
