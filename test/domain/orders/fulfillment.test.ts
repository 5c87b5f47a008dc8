/** An own order is shipped step by step, and each step is one event. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { linkOf, orderOf, put } from "../../support/records.ts";
import { useShop } from "../../support/worker.ts";
import { expectConflict, orderActions, ownOrders } from "./own-orders.ts";

const { shop, worker } = useShop();
const { call, placed, order } = ownOrders(shop, worker);

const tracking = {
  tracking_number: "1Z10000001",
  tracking_company: "UPS",
  tracking_url: "https://tracking.example.com/1Z10000001",
};
const nothing = { tracking_number: null, tracking_company: null, tracking_url: null };

function fulfill(id: string, body: object) {
  return call("PUT", id, "/fulfillment", body);
}

test("an order is sent step by step: each step is one event, FULFILLED is order.fulfilled", async () => {
  const { id } = await placed();
  const answers = [
    await fulfill(id, { fulfillment_status: "PARTIALLY_FULFILLED" }),
    await fulfill(id, { fulfillment_status: "FULFILLED", ...tracking }),
  ];
  expect(answers.map(({ status, body }) => [status, body.data.fulfillment_status])).toEqual([
    [200, "PARTIALLY_FULFILLED"],
    [200, "FULFILLED"],
  ]);
  expect(await order(id)).toMatchObject({ fulfillment_status: "FULFILLED", ...tracking });
  expect(await orderActions(id)).toEqual(["order_placed", "order_updated", "order_fulfilled"]);
});

test("the same once more writes nothing", async () => {
  const { id } = await placed();
  const body = { fulfillment_status: "FULFILLED", ...tracking };
  const once = await fulfill(id, body);
  const row = () => select("SELECT revision, updated_at FROM orders WHERE id = ?", id);
  const before = [await row(), await orderActions(id)];
  const twice = await fulfill(id, body);
  expect([twice.status, twice.body]).toEqual([200, once.body]);
  expect(await fulfill(id, { fulfillment_status: "FULFILLED" })).toMatchObject({ status: 200 });
  expect([await row(), await orderActions(id)]).toEqual(before);
});

test("tracking may come later, change and go: an order.updated each, and the order is found by it", async () => {
  const { id } = await placed();
  await fulfill(id, { fulfillment_status: "FULFILLED" });
  expect((await fulfill(id, { fulfillment_status: "FULFILLED", ...tracking })).body.data).toMatchObject(
    tracking,
  );
  const found = await api(shop.admin, "GET", "/api/subscriptions/orders", {
    query: { search: "1Z10000001" },
  });
  expect(found.body.data.map((one: { id: string }) => one.id)).toContain(id);
  expect(
    (await fulfill(id, { fulfillment_status: "FULFILLED", tracking_number: "1Z2" })).body.data,
  ).toMatchObject({ ...tracking, tracking_number: "1Z2" });
  expect((await fulfill(id, { fulfillment_status: "FULFILLED", ...nothing })).body.data).toMatchObject(
    nothing,
  );
  expect((await orderActions(id)).slice(1)).toEqual([
    "order_fulfilled",
    "order_updated",
    "order_updated",
    "order_updated",
  ]);
});

test.each([
  ["FULFILLED", "PARTIALLY_FULFILLED"],
  ["FULFILLED", "UNFULFILLED"],
  ["PARTIALLY_FULFILLED", "UNFULFILLED"],
])("an order that is %s cannot become %s again", async (from, to) => {
  const { id } = await placed();
  await fulfill(id, { fulfillment_status: from });
  expectConflict(await fulfill(id, { fulfillment_status: to, ...tracking }), /cannot become/);
  expect(await order(id)).toMatchObject({ fulfillment_status: from, ...nothing });
});

test("a cancelled order is refused", async () => {
  const { id } = await placed();
  await call("POST", id, "/cancel", {});
  expectConflict(await fulfill(id, { fulfillment_status: "FULFILLED" }), /cancelled/);
});

test.each([
  ["tracking_url", "http://tracking.example.com/1"],
  ["tracking_url", "tracking.example.com/1"],
  ["tracking_number", "1".repeat(256)],
  ["fulfillment_status", "SHIPPED"],
])("%s of %s is refused by name", async (field, value) => {
  const { id } = await placed();
  const answer = await fulfill(id, { fulfillment_status: "FULFILLED", [field]: value });
  expect([answer.status, answer.body.details[0].path]).toEqual([400, field]);
});

describe("orders that no charge has paid for here", () => {
  test("a past order that was moved in can be shipped, and one of another shop does not exist", async () => {
    const { subscriptionId } = await placed();
    const moved = orderOf(shop.of, {
      store_order_id: "recharge/7",
      external_order_id: "7",
      external_source: "recharge",
      fulfillment_status: "UNFULFILLED",
      status: "PAID",
    });
    await put("orders", [moved]);
    await put("order_subscriptions", [linkOf(shop.of, moved.id, subscriptionId)]);
    expect((await fulfill(moved.id, { fulfillment_status: "FULFILLED" })).status).toBe(200);
    const unknown = await fulfill("0197b1c0-0000-7000-8000-000000000001", {
      fulfillment_status: "FULFILLED",
    });
    expect([unknown.status, unknown.body.errorCode]).toEqual([404, "NOT_FOUND"]);
  });
});

test("ten at once are sent once", async () => {
  const { id } = await placed();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => fulfill(id, { fulfillment_status: "FULFILLED", ...tracking })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await orderActions(id)).filter((action) => action === "order_fulfilled")).toHaveLength(1);
});
