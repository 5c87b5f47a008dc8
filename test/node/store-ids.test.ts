import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { migrations } from "./libsql-file.ts";

type Row = Record<string, string | number | null>;

const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
const at = migrations().findIndex((migration) => migration.includes("have one form, the plain one"));
for (const migration of migrations().slice(0, at)) database.exec(migration);

const enumerated: Row = {
  status: "ACTIVE",
  fulfillment_status: "UNFULFILLED",
  order_type: "SUBSCRIPTION",
  billing_interval: "MONTH",
  delivery_interval: "MONTH",
  payment_reminder_status: "NONE",
  account_id: "account",
};

/** Puts a row into a table; what it does not name is empty. */
const put = (table: string, row: Row): void => {
  const columns = database
    .prepare('SELECT name, type FROM pragma_table_info(?) WHERE "notnull" = 1 AND dflt_value IS NULL')
    .all(table) as { name: string; type: string }[];
  const empty = columns.map(({ name, type }) => [name, enumerated[name] ?? (type === "INTEGER" ? 1 : "")]);
  const whole: Row = { ...Object.fromEntries(empty), ...row };
  const names = Object.keys(whole);
  database
    .prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`)
    .run(...names.map((name) => whole[name] ?? null));
};
const all = (sql: string): Row[] => database.prepare(sql).all() as Row[];

test("stored ids of the store's records take their plain form, and are found by it", () => {
  const gid = (kind: string, id: string | number) => `gid://shopify/${kind}/${id}`;
  const customers = [gid("Customer", 7), "8", "customer-9", gid("Order", 7), gid("Customer", "7/8"), null];
  for (const [nth, store_customer_id] of customers.entries())
    put("profiles", {
      seq: nth + 1,
      id: `p${nth}`,
      email_folded: `${nth}`,
      store_customer_id,
      search_other: ["+1 555", "gid://shopify/customer/99", store_customer_id?.toLowerCase()]
        .filter((part) => part !== undefined)
        .join("\u001f"),
    });
  for (const [nth, store_order_id] of [gid("Order", 5), "6", gid("SubscriptionBillingAttempt", 5)].entries())
    put("orders", {
      seq: nth + 1,
      id: `o${nth}`,
      status: "PAID",
      store_order_id,
      search_text: [store_order_id.toLowerCase(), "#1001"].join("\u001f"),
    });
  for (const [nth, store_payment_method_id] of [
    gid("CustomerPaymentMethod", "a_b-4"),
    "pm_success",
  ].entries())
    put("payment_methods", { id: `m${nth}`, status: "VALID", store_payment_method_id });
  const line = (plan: string, title: string) => ({
    store_product_id: gid("Product", 31),
    store_variant_id: gid("ProductVariant", 41),
    product_title: title,
    selling_plan_id: plan,
    selection_items: [{ slot_id: "gid://shopify/Product/1", store_product_id: gid("Product", 32) }],
  });
  const title = '"store_product_id":"gid://shopify/Product/1"';
  put("subscriptions", {
    id: "s",
    store_origin_order_id: gid("Order", 5),
    lines: JSON.stringify([line(gid("SellingPlan", 44), title), line("monthly", "")]),
    discounts: "[]",
  });
  for (const id of [gid("SellingPlan", 44), gid("SellingPlan", 45), "45", "monthly"])
    put("selling_plans", { id, name: id, product_ids: JSON.stringify([gid("Product", 31), "32"]) });

  database.exec(migrations()[at]!);

  expect(all("SELECT store_customer_id AS id FROM profiles ORDER BY seq").map(({ id }) => id)).toEqual([
    "7",
    ...customers.slice(1),
  ]);
  const searched = (index: string, term: string) =>
    all(`SELECT rowid FROM ${index} WHERE ${index} MATCH '"${term}"' ORDER BY rowid`).map(
      ({ rowid }) => rowid,
    );
  expect(all("SELECT search_other AS text FROM profiles WHERE id = 'p0'")).toEqual([
    { text: "+1 555\u001fgid://shopify/customer/99\u001f7" },
  ]);
  expect(searched("profile_search", "customer/7")).toEqual([5]);
  expect(all("SELECT store_order_id AS id, search_text AS text FROM orders ORDER BY seq")).toEqual([
    { id: "5", text: "5\u001f#1001" },
    { id: "6", text: "6\u001f#1001" },
    {
      id: gid("SubscriptionBillingAttempt", 5),
      text: "gid://shopify/subscriptionbillingattempt/5\u001f#1001",
    },
  ]);
  expect(searched("order_search", "shopify/order")).toEqual([]);
  expect(all("SELECT store_payment_method_id AS id FROM payment_methods ORDER BY id")).toEqual([
    { id: "a_b-4" },
    { id: "pm_success" },
  ]);
  const [row] = all("SELECT * FROM subscriptions");
  expect(row?.store_origin_order_id).toBe("5");
  const plain = { store_product_id: "31", store_variant_id: "41" };
  const selection_items = [{ slot_id: "gid://shopify/Product/1", store_product_id: "32" }];
  expect(JSON.parse(row?.lines as string)).toEqual([
    { ...plain, product_title: title, selling_plan_id: "44", selection_items },
    { ...plain, product_title: "", selling_plan_id: "monthly", selection_items },
  ]);
  expect(all("SELECT selling_plan_id AS id FROM subscription_plans ORDER BY id")).toEqual([
    { id: "44" },
    { id: "monthly" },
  ]);
  expect(all("SELECT id, name, product_ids FROM selling_plans ORDER BY id")).toEqual(
    [
      ["44", gid("SellingPlan", 44)],
      ["45", "45"],
      ["monthly", "monthly"],
    ].map(([id, name]) => ({ id, name, product_ids: '["31","32"]' })),
  );
});
