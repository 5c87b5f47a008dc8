/** The list of orders is filtered and sorted as documented, and equal rows keep the order in which they were stored. */
import { beforeAll, describe, expect, test } from "vitest";
import { fulfillmentStatuses, orderStatuses, orderTypes } from "../../../src/domain/orders/tables.ts";
import { api } from "../../support/client.ts";
import { namedOrders, orderNames, ordersPath } from "../../support/named-orders.ts";
import {
  entityOf,
  faults,
  linkOf,
  listed,
  openMerchant,
  orderOf,
  profileOf,
  put,
  subscriptionOf,
} from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";

type Body = Record<string, unknown>;
type Query = Record<string, string>;

describe("filters", () => {
  const shop = useMerchant({ timezone: "America/New_York" });
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const of = shop.of;
    const [ada, bob] = [profileOf(of), profileOf(of)];
    const entities = [entityOf(of, ada.id), entityOf(of, bob.id)];
    const [s1, s2, s3] = [
      subscriptionOf(of, ada.id, { entity_id: entities[0]!.id }),
      subscriptionOf(of, ada.id, { entity_id: entities[0]!.id }),
      subscriptionOf(of, bob.id, { entity_id: entities[1]!.id }),
    ];
    const orders = namedOrders(of, {
      a: {
        status: "PENDING",
        fulfillment_status: "UNFULFILLED",
        profile_id: ada.id,
        delivery_date: "2026-03-01",
        billing_date: "2026-02-01",
        production_date: "2026-02-20",
      },
      b: {
        status: "PAID",
        fulfillment_status: "FULFILLED",
        profile_id: ada.id,
        has_subscription: 1,
        delivery_date: "2026-03-02",
        billing_date: "2026-02-02",
        production_date: "2026-02-21",
        tracking_number: "1Z%_",
      },
      c: {
        status: "PARTIALLY_REFUNDED",
        fulfillment_status: "PARTIALLY_FULFILLED",
        profile_id: bob.id,
        has_subscription: 1,
        delivery_date: "2026-03-03",
        billing_date: "2026-02-03",
        production_date: "2026-02-22",
        tracking_number: "1Z",
      },
      d: {
        status: "REFUNDED",
        fulfillment_status: "FULFILLED",
        is_checkout_order: 1,
        delivery_date: "2026-03-04",
      },
      e: {
        status: "CANCELLED",
        fulfillment_status: "UNFULFILLED",
        is_checkout_order: 1,
        billing_date: "2026-02-05",
      },
      f: {
        status: "PAID",
        fulfillment_status: "UNFULFILLED",
        has_subscription: 1,
        profile_id: bob.id,
        production_date: "2026-02-25",
      },
    });
    await put("profiles", [ada, bob]);
    await put("entities", entities);
    await put("subscriptions", [s1!, s2!, s3!]);
    await put("orders", orders);
    const idOf = (name: string) => orders.find(({ store_order_number }) => store_order_number === name)!.id;
    await put("order_subscriptions", [
      linkOf(of, idOf("b"), s1!.id),
      linkOf(of, idOf("b"), s2!.id),
      linkOf(of, idOf("c"), s3!.id),
      linkOf(of, idOf("f"), s3!.id),
      linkOf(of, idOf("f"), s1!.id),
    ]);
    Object.assign(ids, {
      ada: ada.id,
      bob: bob.id,
      s1: s1!.id,
      s2: s2!.id,
      s3: s3!.id,
      e1: entities[0]!.id,
      e2: entities[1]!.id,
    });
  });

  test.each([
    ["none", {}, "fedcba"],
    ["status", { status: "PAID" }, "fb"],
    ["a list of statuses", { status: "PENDING,PAID" }, "fba"],
    ["a list with blanks, and one twice", { status: "PAID, PENDING ,PAID" }, "fba"],
    ["all statuses", { status: orderStatuses.join() }, "fedcba"],
    ["fulfillment_status", { fulfillment_status: "FULFILLED" }, "db"],
    ["fulfillment_status", { fulfillment_status: "PARTIALLY_FULFILLED" }, "c"],
    ["fulfillment_status", { fulfillment_status: "UNFULFILLED" }, "fea"],
    ["is_checkout_order true", { is_checkout_order: "true" }, "ed"],
    ["is_checkout_order 1", { is_checkout_order: "1" }, "ed"],
    ["is_checkout_order false", { is_checkout_order: "false" }, "fcba"],
    ["is_checkout_order 0", { is_checkout_order: "0" }, "fcba"],
    ["has_subscription true", { has_subscription: "true" }, "fcb"],
    ["has_subscription 0", { has_subscription: "0" }, "eda"],
    ["has_production_date true", { has_production_date: "true" }, "fcba"],
    ["has_production_date false", { has_production_date: "false" }, "ed"],
    [
      "a day's deliveries without a date of packing",
      { has_production_date: "false", delivery_date_from: "2026-03-01", delivery_date_to: "2026-03-04" },
      "d",
    ],
    ["profile_id", { profile_id: "$ada" }, "ba"],
    ["profile_id of nobody", { profile_id: "nope" }, ""],
    ["subscription_id", { subscription_id: "$s1" }, "fb"],
    ["subscription_id", { subscription_id: "$s3" }, "fc"],
    ["subscription_id of none", { subscription_id: "%" }, ""],
    ["entity_id: an order of two of its subscriptions stands once", { entity_id: "$e1" }, "fb"],
    ["entity_id", { entity_id: "$e2" }, "fc"],
    ["entity and subscription", { entity_id: "$e2", subscription_id: "$s1" }, "f"],
    ["tracking_number, whole and literal", { tracking_number: "1Z" }, "c"],
    ["tracking_number, whole and literal", { tracking_number: "1Z%_" }, "b"],
    ["tracking_number of none", { tracking_number: "1%" }, ""],
    ["delivery_date_from, inclusive", { delivery_date_from: "2026-03-02" }, "dcb"],
    ["delivery_date_to, inclusive", { delivery_date_to: "2026-03-02" }, "ba"],
    ["delivery_date, one day", { delivery_date_from: "2026-03-02", delivery_date_to: "2026-03-02" }, "b"],
    [
      "delivery_date, from after to",
      { delivery_date_from: "2026-03-03", delivery_date_to: "2026-03-01" },
      "",
    ],
    ["billing_date_from, inclusive", { billing_date_from: "2026-02-03" }, "ec"],
    ["billing_date_to, inclusive", { billing_date_to: "2026-02-02" }, "ba"],
    ["production_date_from, inclusive", { production_date_from: "2026-02-22" }, "fc"],
    ["production_date_to, inclusive", { production_date_to: "2026-02-21" }, "ba"],
    ["a date-time's date in the account's timezone", { delivery_date_from: "2026-03-02T04:59:59Z" }, "dcba"],
    ["a date-time's date in the account's timezone", { delivery_date_from: "2026-03-02T05:00:00Z" }, "dcb"],
    ["a date-time with an offset", { delivery_date_to: "2026-03-03T01:00:00+02:00" }, "ba"],
    ["a date-time without one is local", { delivery_date_to: "2026-03-02T23:59:59" }, "ba"],
    ["the end of the calendar", { delivery_date_to: "9999-12-31" }, "dcba"],
    ["several", { status: "PAID,REFUNDED", fulfillment_status: "FULFILLED", has_subscription: "true" }, "b"],
    [
      "several that are narrow",
      { profile_id: "$bob", subscription_id: "$s3", delivery_date_from: "2026-01-01", search: "c" },
      "c",
    ],
    [
      "several of counters",
      {
        status: "PAID",
        fulfillment_status: "UNFULFILLED",
        is_checkout_order: "false",
        has_subscription: "true",
      },
      "f",
    ],
  ] as [string, Query, string][])("%s: %o", async (_, query, expected) => {
    const asked = Object.fromEntries(
      Object.entries(query).map(([name, value]) => [
        name,
        value.startsWith("$") ? ids[value.slice(1)]! : value,
      ]),
    );
    expect(await orderNames(shop, asked)).toBe(expected);
  });

  test.each([
    ["status", { status: "paid" }],
    ["status", { status: "" }],
    ["status", { status: "PAID," }],
    ["status", { status: "PAID,SHIPPED" }],
    ["fulfillment_status", { fulfillment_status: "PENDING" }],
    ["fulfillment_status", { fulfillment_status: "FULFILLED,UNFULFILLED" }],
    ["has_subscription", { has_subscription: "yes" }],
    ["is_checkout_order", { is_checkout_order: "" }],
    ["delivery_date_from", { delivery_date_from: "tomorrow" }],
    ["delivery_date_from", { delivery_date_from: "" }],
    ["delivery_date_to", { delivery_date_to: "2026-02-30" }],
    ["billing_date_from", { billing_date_from: "2026-2-3" }],
    ["billing_date_to", { billing_date_to: "20260203" }],
    ["production_date_from", { production_date_from: "2026-02-03T25:00:00Z" }],
    ["production_date_to", { production_date_to: "2026-02" }],
    ["search", { search: "x".repeat(10_001) }],
    ["sort_by", { sort_by: "customer" }],
    ["sort_by", { sort_by: "" }],
    ["sort_order", { sort_order: "DESC" }],
    ["limit", { limit: "0" }],
    ["page", { page: "first" }],
    ["order_type", { order_type: "UPSELL" }],
    ["delivery_date", { delivery_date: "2026-03-01" }],
  ] as [string, Query][])("400 that names %s: %o", async (name, query) => {
    expect(faults(await api(shop.admin, "GET", ordersPath, { query }))).toEqual([
      400,
      "VALIDATION_FAILED",
      name,
    ]);
  });

  test("dates whose instant leaves the calendar's four-digit years fail nothing", async () => {
    for (const date of [
      "9999-12-31T23:59:59-12:00",
      "0000-01-01T00:00:00Z",
      "0000-01-01",
      "9999-12-31T23:59:59Z",
    ])
      for (const name of ["delivery_date_from", "delivery_date_to"]) {
        const { status } = await api(shop.admin, "GET", ordersPath, { query: { [name]: date } });
        expect([200, 400], `${name}=${date}`).toContain(status);
      }
    const late = (await listed(shop.admin, ordersPath, {})).data.length;
    const answer = await api(shop.admin, "GET", ordersPath, {
      query: { delivery_date_to: "9999-12-31T23:59:59-12:00" },
    });
    if (answer.status === 200) expect(answer.body.meta.total).toBeLessThanOrEqual(late);
    if (answer.status === 200)
      expect(answer.body.data.map((order: Body) => order.store_order_number).join("")).toBe("dcba");
  });

  test.each(orderTypes)("order_type %s is shown", async (order_type) => {
    const other = await openMerchant();
    await put("orders", [orderOf(other.of, { order_type })]);
    expect((await listed(other.admin, ordersPath, {})).data[0]).toMatchObject({ order_type });
  });
  test.each(fulfillmentStatuses)("fulfillment_status %s is shown", async (fulfillment_status) => {
    const { data } = await listed(shop.admin, ordersPath, { fulfillment_status });
    for (const order of data) expect(order.fulfillment_status).toBe(fulfillment_status);
  });
});

describe("sorts: dates and totals descend, status ascends unless told; every order ends in that of storing; without a date is before any", () => {
  const shop = useMerchant();
  beforeAll(async () => {
    await put(
      "orders",
      namedOrders(shop.of, {
        a: { total: 5000, status: "REFUNDED", delivery_date: "2026-01-03", billing_date: "2026-01-01" },
        b: { total: 900, status: "PAID", delivery_date: null, billing_date: "2026-01-03" },
        c: { total: 10_000, status: "CANCELLED", delivery_date: "2026-01-01", billing_date: null },
        d: { total: -100, status: "PENDING", delivery_date: "2026-01-02", billing_date: "2026-01-02" },
      }),
    );
  });
  test.each([
    [{}, "dcba"],
    [{ sort_order: "asc" }, "abcd"],
    [{ sort_by: "created_at" }, "dcba"],
    [{ sort_by: "created_at", sort_order: "asc" }, "abcd"],
    [{ sort_by: "delivery_date" }, "adcb"],
    [{ sort_by: "delivery_date", sort_order: "asc" }, "bcda"],
    [{ sort_by: "billing_date" }, "bdac"],
    [{ sort_by: "billing_date", sort_order: "asc" }, "cadb"],
    [{ sort_by: "total" }, "cabd"],
    [{ sort_by: "total", sort_order: "asc" }, "dbac"],
    [{ sort_by: "status" }, "cbda"],
    [{ sort_by: "status", sort_order: "desc" }, "adbc"],
    [{ sort_by: "delivery_date", delivery_date_from: "2026-01-01" }, "adc"],
    [{ sort_by: "delivery_date", delivery_date_to: "2026-01-02", sort_order: "asc" }, "cd"],
    [{ sort_by: "billing_date", delivery_date_to: "2026-01-02" }, "dc"],
    [{ sort_by: "total", status: "PAID,REFUNDED" }, "ab"],
    [{ sort_by: "status", is_checkout_order: "false" }, "cbda"],
    [{ sort_by: "total", search: "store-" }, "cabd"],
  ] as [Query, string][])("%o", async (query, expected) => {
    expect(await orderNames(shop, query)).toBe(expected);
  });

  test("what is equal is in the order in which it was stored, in the order's own direction", async () => {
    const other = await openMerchant();
    const rows = Array.from({ length: 8 }, () => orderOf(other.of)).toReversed();
    await put("orders", rows);
    const ids = rows.map(({ id }) => id);
    for (const sort_by of ["created_at", "delivery_date", "billing_date", "total", "status"])
      for (const sort_order of ["asc", "desc"]) {
        const { data } = await listed(other.admin, ordersPath, { sort_by, sort_order });
        expect(
          data.map(({ id }) => id),
          `${sort_by} ${sort_order}`,
        ).toEqual(sort_order === "asc" ? ids : ids.toReversed());
      }
  });
});
