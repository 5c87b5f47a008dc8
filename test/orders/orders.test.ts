import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { fulfillmentStatuses, orderStatuses, orderTypes } from "../../src/orders/tables.ts";
import { api, type RequestOptions } from "../support/client.ts";
import { execute } from "../support/database.ts";
import {
  dayOf,
  entityOf,
  faults,
  linkOf,
  listed,
  type Merchant,
  merchant,
  type OrderRow,
  orderOf,
  profileOf,
  put,
  slotOf,
  subscriptionOf,
} from "../support/records.ts";

const path = "/api/subscriptions/orders";
type Body = Record<string, unknown>;
type Query = Record<string, string>;

/** Orders under one-letter names, which are their store order numbers. */
const named = (of: Merchant["of"], rows: Record<string, Partial<OrderRow>>): OrderRow[] =>
  Object.entries(rows).map(([store_order_number, values], nth) =>
    orderOf(of, {
      store_order_number,
      created_at: `2026-01-${String(nth + 1).padStart(2, "0")}T00:00:00.000Z`,
      ...values,
    }),
  );
const namesOf = async (as: Merchant, query: RequestOptions["query"]): Promise<string> => {
  const { data, meta } = await listed(as.admin, path, query);
  expect(meta.total, "total").toBe(data.length);
  return data.map(({ store_order_number }) => store_order_number).join("");
};

describe("an order as it is shown", () => {
  let own: Merchant;
  const get = (id: string) => api(own.admin, "GET", `${path}/${id}`);
  beforeAll(async () => {
    own = await merchant();
  });

  test("the documented fields, with the objects it refers to", async () => {
    const profile = profileOf(own.of, {
      email: "Ada@customers.test",
      first_name: "Ada",
      last_name: "L",
      city: "London",
      country_code: "GB",
      title: "Dr",
      ip: "192.0.2.1",
    });
    const day = dayOf(own.of);
    const slot = slotOf(own.of, day.id);
    const entity = entityOf(own.of, profile.id);
    const subscription = subscriptionOf(own.of, profile.id, {
      entity_id: entity.id,
      entity_label: "Biscuit",
      status: "PAUSED",
      billing_interval: "WEEK",
      billing_interval_count: 2,
    });
    const order = orderOf(own.of, {
      status: "PARTIALLY_REFUNDED",
      fulfillment_status: "PARTIALLY_FULFILLED",
      order_type: "UPSELL",
      is_checkout_order: 1,
      has_subscription: 1,
      store_order_id: "gid://shopify/Order/1",
      store_order_number: "#1001",
      external_order_id: "e1",
      external_order_number: "E-1",
      external_source: "erp",
      profile_id: profile.id,
      delivery_slot_id: slot.id,
      subtotal: 2550,
      discount_amount: 5,
      total: 2545,
      refunded_amount: 100,
      production_date: "2026-01-02",
      billing_date: "2026-01-01",
      delivery_date: "2026-01-03",
      order_created_at: "2025-12-31T23:59:59.999Z",
      tracking_number: "1Z",
      tracking_company: "UPS",
      tracking_url: "https://t.test/1Z",
      billing_attempt_id: newId(),
    });
    await put("profiles", [profile]);
    await put("delivery_days", [day]);
    await put("delivery_slots", [slot]);
    await put("entities", [entity]);
    await put("subscriptions", [subscription]);
    await put("orders", [order]);
    await put("order_subscriptions", [linkOf(own.of, order.id, subscription.id)]);

    const { seq, revision, refunded_amount, search_text, delivery_slot_id, billing_attempt_id, ...shown } = {
      seq: 0,
      ...order,
    };
    const { body } = await get(order.id);
    const theProfile = (await api(own.admin, "GET", `/api/profiles/${profile.id}`)).body.data;
    expect(body).toEqual({
      data: {
        ...shown,
        is_checkout_order: true,
        has_subscription: undefined,
        subtotal: 25.5,
        discount_amount: 0.05,
        total: 25.45,
        profile: theProfile,
        subscriptions: [
          {
            id: subscription.id,
            number: String(subscription.number),
            status: "PAUSED",
            frequency_label: "Every 2 weeks",
            entity_id: entity.id,
            entity_label: "Biscuit",
          },
        ],
        delivery_slot: {
          id: slot.id,
          delivery_day_id: day.id,
          label: "Morning",
          start_time: "09:00",
          end_time: "12:00",
          is_all_day: false,
          position: 2,
          is_active: true,
          created_at: slot.created_at,
          updated_at: slot.updated_at,
        },
      },
    });
    expect(theProfile).toMatchObject({ full_name: "Ada L", full_address: "London", country_code: "GB" });
    expect((await listed(own.admin, path, { search: "#1001" })).data).toEqual([body.data]);
  });

  test("with nothing to refer to: nulls, no profile, no slot, no subscriptions", async () => {
    const order = orderOf(own.of);
    await put("orders", [order]);
    const { data } = (await get(order.id)).body;
    expect(data).toMatchObject({
      profile_id: null,
      store_order_number: null,
      delivery_date: null,
      subscriptions: [],
      is_checkout_order: false,
    });
    expect([data.profile, data.delivery_slot]).toEqual([undefined, undefined]);
  });

  test("of a deleted profile: still shown, for history", async () => {
    const profile = profileOf(own.of, { first_name: "Gone" });
    await put("profiles", [profile]);
    const order = orderOf(own.of, { profile_id: profile.id });
    await put("orders", [order]);
    await execute("UPDATE profiles SET deleted_at = created_at WHERE id = ?", profile.id);
    expect((await get(order.id)).body.data.profile).toMatchObject({ id: profile.id, full_name: "Gone" });
  });

  test("of several subscriptions: all are named", async () => {
    const profile = profileOf(own.of);
    const subscriptions = [1, 2, 3].map(() => subscriptionOf(own.of, profile.id));
    const order = orderOf(own.of, { has_subscription: 1 });
    await put("profiles", [profile]);
    await put("subscriptions", subscriptions);
    await put("orders", [order]);
    await put(
      "order_subscriptions",
      subscriptions.map(({ id }) => linkOf(own.of, order.id, id)),
    );
    const ids = (await get(order.id)).body.data.subscriptions.map(({ id }: { id: string }) => id);
    expect(ids.sort()).toEqual(subscriptions.map(({ id }) => id).sort());
  });

  test.each([
    ["JPY", 1, 1],
    ["JPY", 123_456, 123_456],
    ["USD", 1, 0.01],
    ["USD", 1999, 19.99],
    ["USD", 900_719_925_474_099, 9_007_199_254_740.99],
    ["KWD", 1, 0.001],
    ["KWD", 12_345, 12.345],
    ["EUR", 0, 0],
    ["CLF", 12_345, 1.2345],
  ])("money: JSON numbers in major units, %s %s is %s", async (currency_code, minor, major) => {
    const order = orderOf(own.of, { currency_code, subtotal: minor, discount_amount: minor, total: minor });
    await put("orders", [order]);
    const answer = await get(order.id);
    expect(answer.body.data).toMatchObject({
      currency_code,
      subtotal: major,
      discount_amount: major,
      total: major,
    });
    expect(answer.text).toContain(`"total":${major}`);
  });

  test.each(["nope", newId(), newId().toUpperCase(), "%00", "x".repeat(400), "..%2f.."])(
    "an unknown id is 404: %s",
    async (id) => {
      expect(faults(await get(id))).toEqual([404, "NOT_FOUND"]);
    },
  );

  test("another account's is 404", async () => {
    const other = await merchant();
    const order = orderOf(other.of);
    await put("orders", [order]);
    expect((await get(order.id)).status).toBe(404);
    expect((await api(other.admin, "GET", `${path}/${order.id}`)).status).toBe(200);
  });

  test.each(["POST", "PUT", "DELETE"])(
    "orders are made by billing and the store: %s is 405",
    async (method) => {
      const { status, headers } = await api(own.admin, method, path);
      expect([status, headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    },
  );
});

describe("filters", () => {
  let shop: Merchant;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    shop = await merchant({ timezone: "America/New_York" });
    const of = shop.of;
    const [ada, bob] = [profileOf(of), profileOf(of)];
    const entities = [entityOf(of, ada.id), entityOf(of, bob.id)];
    const [s1, s2, s3] = [
      subscriptionOf(of, ada.id, { entity_id: entities[0]!.id }),
      subscriptionOf(of, ada.id, { entity_id: entities[0]!.id }),
      subscriptionOf(of, bob.id, { entity_id: entities[1]!.id }),
    ];
    const orders = named(of, {
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
    expect(await namesOf(shop, asked)).toBe(expected);
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
    expect(faults(await api(shop.admin, "GET", path, { query }))).toEqual([400, "VALIDATION_FAILED", name]);
  });

  test("dates whose instant leaves the calendar's four-digit years fail nothing", async () => {
    for (const date of [
      "9999-12-31T23:59:59-12:00",
      "0000-01-01T00:00:00Z",
      "0000-01-01",
      "9999-12-31T23:59:59Z",
    ])
      for (const name of ["delivery_date_from", "delivery_date_to"]) {
        const { status } = await api(shop.admin, "GET", path, { query: { [name]: date } });
        expect([200, 400], `${name}=${date}`).toContain(status);
      }
    const late = (await listed(shop.admin, path, {})).data.length;
    const answer = await api(shop.admin, "GET", path, {
      query: { delivery_date_to: "9999-12-31T23:59:59-12:00" },
    });
    if (answer.status === 200) expect(answer.body.meta.total).toBeLessThanOrEqual(late);
    if (answer.status === 200)
      expect(answer.body.data.map((order: Body) => order.store_order_number).join("")).toBe("dcba");
  });

  test.each(orderTypes)("order_type %s is shown", async (order_type) => {
    const other = await merchant();
    await put("orders", [orderOf(other.of, { order_type })]);
    expect((await listed(other.admin, path, {})).data[0]).toMatchObject({ order_type });
  });
  test.each(fulfillmentStatuses)("fulfillment_status %s is shown", async (fulfillment_status) => {
    const { data } = await listed(shop.admin, path, { fulfillment_status });
    for (const order of data) expect(order.fulfillment_status).toBe(fulfillment_status);
  });
});

describe("sorts: dates and totals descend, status ascends unless told; every order ends in id; without a date is before any", () => {
  let shop: Merchant;
  beforeAll(async () => {
    shop = await merchant();
    await put(
      "orders",
      named(shop.of, {
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
    expect(await namesOf(shop, query)).toBe(expected);
  });

  test("what is equal is ordered by id, in the order's own direction", async () => {
    const other = await merchant();
    const rows = Array.from({ length: 8 }, () => orderOf(other.of));
    await put("orders", rows.toReversed());
    const ids = rows.map(({ id }) => id).sort();
    for (const sort_by of ["created_at", "delivery_date", "billing_date", "total", "status"])
      for (const sort_order of ["asc", "desc"]) {
        const { data } = await listed(other.admin, path, { sort_by, sort_order });
        expect(
          data.map(({ id }) => id),
          `${sort_by} ${sort_order}`,
        ).toEqual(sort_order === "asc" ? ids : ids.toReversed());
      }
  });
});

describe("search: store_order_id, store_order_number, external_order_number, tracking_number, the customer's email and name", () => {
  let shop: Merchant;
  beforeAll(async () => {
    shop = await merchant();
    const other = await merchant();
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
      ...named(shop.of, {
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
      named(other.of, { x: { profile_id: foreign.id, store_order_id: "gid://shopify/Order/4711-other" } }),
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
    ["555-phone", ""],
    ["ph", ""],
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
    ["x".repeat(10_000), ""],
  ])("%s", async (search, expected) => {
    expect(await namesOf(shop, { search })).toBe(expected);
  });

  test("the index follows: an order's text, its customer's name, another customer", async () => {
    const own = await merchant();
    const [ada, bob] = [
      profileOf(own.of, { first_name: "Adaname" }),
      profileOf(own.of, { first_name: "Bobname" }),
    ];
    const order = orderOf(own.of, { profile_id: ada.id });
    await put("profiles", [ada, bob]);
    await put("orders", [order]);
    const found = async (search: string) => (await listed(own.admin, path, { search })).meta.total;
    expect([await found("adaname"), await found("bobname")]).toEqual([1, 0]);
    await api(own.admin, "PUT", `/api/profiles/${ada.id}`, { body: { first_name: "Changed" } });
    expect([await found("adaname"), await found("changed"), await found("ch")]).toEqual([0, 1, 1]);
    await execute("UPDATE orders SET profile_id = ? WHERE id = ?", bob.id, order.id);
    expect([await found("changed"), await found("bobname")]).toEqual([0, 1]);
    await execute("UPDATE orders SET search_text = 'newtext' WHERE id = ?", order.id);
    expect([await found("newtext"), await found(`store-${order.id}`)]).toEqual([1, 0]);
    await execute("INSERT INTO order_search (order_search, rank) VALUES ('integrity-check', 1)");
  });

  test("an order that its own text and its customer's both match stands once", async () => {
    expect(await namesOf(shop, { search: "grace" })).toBe("ge");
    expect((await listed(shop.admin, path, { search: "grace", limit: 1 })).meta).toMatchObject({
      total: 2,
      last_page: 2,
    });
  });

  test("with a filter and a sort beside it", async () => {
    expect(await namesOf(shop, { search: "grace", sort_by: "total", sort_order: "asc" })).toHaveLength(2);
    expect(await namesOf(shop, { search: "grace", tracking_number: "grace-and-more" })).toBe("g");
    expect(await namesOf(shop, { search: "gr", status: "REFUNDED" })).toBe("");
  });
});
