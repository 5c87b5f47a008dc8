import { beforeAll, describe, expect, test } from "vitest";
import { actorTypes } from "../../src/context.ts";
import { newId } from "../../src/lib/ids.ts";
import { api, type Caller, type RequestOptions } from "../support/client.ts";
import { execute } from "../support/database.ts";
import {
  entityOf,
  faults,
  type LogRow,
  linkOf,
  logOf,
  type Merchant,
  merchant,
  orderOf,
  profileOf,
  put,
  subscriptionOf,
} from "../support/records.ts";
import { both, customer, token } from "../support/tenant.ts";

const path = "/api/activity-logs";
type Body = Record<string, unknown>;
type Query = Record<string, string>;
type Feed = { data: (Body & { id: string })[]; metadata: Record<string, number> };

const range = { start_date: "2026-01-01", end_date: "2026-12-31" };
const feed = async (as: Caller, query: RequestOptions["query"] = range, at = path): Promise<Feed> => {
  const answer = await api<Feed>(as, "GET", at, { query });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

let shop: Merchant;
let profileId: string;
let orderId: string;
let subscriptionId: string;
let number: number;

/** Entries by one-letter names, which are their descriptions. */
const entries = (rows: Record<string, Partial<LogRow>>): LogRow[] =>
  Object.entries(rows).map(([description, values], nth) =>
    logOf(shop.of, {
      description,
      created_at: `2026-02-${String(nth + 1).padStart(2, "0")}T12:00:00.000Z`,
      profile_id: profileId,
      ...values,
    }),
  );
const namesOf = async (query: Query, at = path): Promise<string> => {
  const { data, metadata } = await feed(shop.admin, at === path ? { ...range, ...query } : query, at);
  expect(metadata.total, "total").toBe(data.length);
  return data.map(({ description }) => description).join("");
};

beforeAll(async () => {
  shop = await merchant();
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
  [profileId, orderId, subscriptionId, number] = [profile.id, order.id, subscription.id, subscription.number];
  const ofOrder = {
    loggable_type: "order",
    loggable_id: order.id,
    order_id: order.id,
    subscription_id: subscription.id,
  } as const;
  const ofSubscription = {
    loggable_type: "subscription",
    loggable_id: subscription.id,
    subscription_id: subscription.id,
  } as const;
  await put(
    "activity_logs",
    entries({
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
    }),
  );
});

describe("the feed: GET /api/activity-logs", () => {
  test("an entry has the documented fields, with the numbers and the customer of its record", async () => {
    const { data } = await feed(shop.admin, { ...range, action: "order_placed" });
    expect(data).toEqual([
      {
        id: expect.any(String),
        action: "order_placed",
        description: "e",
        changes: null,
        metadata: { a: { b: [1] } },
        actor_type: "system",
        actor_name: null,
        loggable_type: "order",
        loggable_id: orderId,
        subscription_id: subscriptionId,
        order_id: orderId,
        profile_id: profileId,
        subscription_number: String(number),
        order_number: "#1001",
        customer_name: "Ada Lovelace",
        customer_email: "Ada@customers.test",
        created_at: "2026-02-05T12:00:00.000Z",
      },
    ]);
  });

  test("changes are the field-level diff; rows without a customer have nulls", async () => {
    const changed = (await feed(shop.admin, { ...range, action: "subscription_paused" })).data[0];
    expect(changed).toMatchObject({
      changes: { status: { from: "ACTIVE", to: "PAUSED" } },
      metadata: null,
      order_id: null,
      order_number: null,
    });
    const bare = (await feed(shop.admin, { ...range, action: "billing_failed" })).data[0];
    expect(bare).toMatchObject({
      profile_id: null,
      customer_name: null,
      customer_email: null,
      subscription_number: null,
      order_number: null,
    });
  });

  test("the key is metadata, not meta: total, per_page, current_page, last_page", async () => {
    const body = await feed(shop.admin, { ...range, limit: 3, page: 2 });
    expect(Object.keys(body).sort()).toEqual(["data", "metadata"]);
    expect(body.metadata).toEqual({ total: 10, per_page: 3, current_page: 2, last_page: 4 });
    expect(body.data.map(({ description }) => description).join("")).toBe("gfe");
  });

  test("default limit 25, page 1; a page past the end is empty with true totals; last_page is at least 1", async () => {
    expect((await feed(shop.admin)).metadata).toEqual({
      total: 10,
      per_page: 25,
      current_page: 1,
      last_page: 1,
    });
    const past = await feed(shop.admin, { ...range, page: 9, limit: 5 });
    expect([past.data, past.metadata]).toEqual([
      [],
      { total: 10, per_page: 5, current_page: 9, last_page: 2 },
    ]);
    const none = await feed(shop.admin, { start_date: "2020-01-01", end_date: "2020-01-01" });
    expect(none.metadata).toEqual({ total: 0, per_page: 25, current_page: 1, last_page: 1 });
  });

  test.each([
    ["both kinds of record, newest first", {}, "jihgfedcba"],
    [
      "subscription_id: only loggable_type subscription, though orders name it too",
      { subscription_id: "$sub" },
      "dcba",
    ],
    ["order_id: only loggable_type order", { order_id: "$order" }, "hgfe"],
    ["both: order_id takes precedence", { order_id: "$order", subscription_id: "$sub" }, "hgfe"],
    ["both, of which the order is unknown", { order_id: "nope", subscription_id: "$sub" }, ""],
    ["both, of which the subscription is unknown", { order_id: "$order", subscription_id: "nope" }, "hgfe"],
    ["subscription_id that is an order's", { subscription_id: "$order" }, ""],
    ["order_id that is a subscription's", { order_id: "$sub" }, ""],
    ["actor_type customer", { actor_type: "customer" }, "b"],
    ["actor_type admin", { actor_type: "admin" }, "jdc"],
    ["actor_type api", { actor_type: "api" }, "hga"],
    ["actor_type system: also rows with no actor", { actor_type: "system" }, "ife"],
    ["actor_name with admin", { actor_type: "admin", actor_name: "Grace" }, "c"],
    ["actor_name with admin, any script", { actor_type: "admin", actor_name: "Åse" }, "d"],
    ["actor_name with admin, whole and in its case", { actor_type: "admin", actor_name: "grace" }, ""],
    ["actor_name without actor_type is ignored", { actor_name: "Grace" }, "jihgfedcba"],
    ["actor_name with system is ignored", { actor_type: "system", actor_name: "Nobody" }, "ife"],
    ["actor_name with api is ignored", { actor_type: "api", actor_name: "warehouse" }, "hga"],
    ["one action", { action: "order_placed" }, "e"],
    ["actions matched as membership", { action: "order_placed,subscription_created" }, "ea"],
    ["actions with blanks, one unknown, one twice", { action: " order_placed , nope,order_placed" }, "e"],
    ["an action is no prefix", { action: "order" }, ""],
    ["an action is no pattern", { action: "order_%" }, ""],
    ["integration_ alone: every custom entry, and its underscore is one", { action: "integration_" }, "hg"],
    ["integration_ in a list", { action: "order_placed,integration_" }, "hge"],
    ["one custom action", { action: "integration_label" }, "g"],
    ["filters together", { order_id: "$order", actor_type: "api", action: "integration_" }, "hg"],
    ["filters that exclude each other", { subscription_id: "$sub", action: "order_placed" }, ""],
    [
      "a thousand actions",
      {
        action: Array.from({ length: 1000 }, (_, n) => `x${n}`)
          .concat("order_placed")
          .join(),
      },
      "e",
    ],
    ["one day", { start_date: "2026-02-05", end_date: "2026-02-05" }, "e"],
    [
      "two days, with a filter",
      { start_date: "2026-02-05", end_date: "2026-02-06", actor_type: "system" },
      "fe",
    ],
  ] as [string, Query, string][])("%s", async (_, query, expected) => {
    const known: Record<string, string> = { $order: orderId, $sub: subscriptionId };
    const asked = Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, known[value] ?? value]),
    );
    expect(await namesOf(asked)).toBe(expected);
  });

  test.each([
    [["start_date", "end_date"], {}],
    [["end_date"], { start_date: "2026-01-01" }],
    [["start_date"], { end_date: "2026-01-01" }],
    [["start_date"], { ...range, start_date: "" }],
    [["start_date"], { ...range, start_date: "2026-02-30" }],
    [["start_date"], { ...range, start_date: "2025-02-29" }],
    [["start_date"], { ...range, start_date: "01/02/2026" }],
    [["start_date"], { ...range, start_date: "2026-1-1" }],
    [["end_date"], { ...range, end_date: "2026-13-01" }],
    [["end_date"], { ...range, end_date: "+002026-01-01" }],
    [["start_date"], { start_date: "2026-01-02", end_date: "2026-01-01" }],
    [["actor_type"], { ...range, actor_type: "admin,api" }],
    [["actor_type"], { ...range, actor_type: "robot" }],
    [["limit"], { ...range, limit: "0" }],
    [["limit"], { ...range, limit: "101" }],
    [["limit"], { ...range, limit: "-1" }],
    [["page"], { ...range, page: "0" }],
    [["profile_id"], { ...range, profile_id: "x" }],
    [["sort_by"], { ...range, sort_by: "created_at" }],
    [["startdate"], { ...range, startdate: "2026-01-01" }],
  ] as [string[], Query][])("400 that names %s: %o", async (names, query) => {
    expect(faults(await api(shop.admin, "GET", path, { query }))).toEqual([
      400,
      "VALIDATION_FAILED",
      ...names,
    ]);
  });

  test.each(["1", "100"])("limit %s is accepted", async (limit) => {
    expect((await feed(shop.admin, { ...range, limit })).metadata.per_page).toBe(Number(limit));
  });

  test("another account's entries are not shown", async () => {
    const other = await merchant();
    expect((await feed(other.admin)).data).toEqual([]);
    expect((await feed(other.admin, { ...range, order_id: orderId })).data).toEqual([]);
  });

  test("entries of a deleted profile stay, with its name", async () => {
    const own = await merchant();
    const profile = profileOf(own.of, { first_name: "Gone" });
    await put("profiles", [profile]);
    await put("activity_logs", [logOf(own.of, { profile_id: profile.id })]);
    await api(own.admin, "DELETE", `/api/profiles/${profile.id}`);
    expect((await feed(own.admin)).data).toMatchObject([{ profile_id: profile.id, customer_name: "Gone" }]);
  });

  test("key and token are required; a customer's token is 403", async () => {
    const shopper = await customer(shop.of);
    expect((await api(shop.of, "GET", path, { query: range })).status).toBe(401);
    const as = { credentials: { ...shop.of.credentials, ...shopper.credentials } };
    expect(faults(await api(as, "GET", path, { query: range }))).toEqual([403, "FORBIDDEN"]);
  });
});

describe("an entry of an integration: POST /api/activity-logs", () => {
  const post = (body: unknown, as: Caller = shop.admin) => api(as, "POST", path, { body });
  const about = () => ({ loggable_type: "order", loggable_id: orderId, action: "integration_checked" });

  test("201 with the entry; it has actor_type api, and is found under its record and customer", async () => {
    const given = { ...about(), description: "ok", metadata: { carrier: "UPS" } };
    const { status, body } = await post(given);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      ...given,
      actor_type: "api",
      actor_name: "Ada Admin",
      created_at: expect.stringMatching(/Z$/),
    });
    const today = { start_date: body.created_at, end_date: body.created_at };
    const [entry] = (
      await feed(shop.admin, {
        ...today,
        order_id: orderId,
        actor_type: "api",
        action: "integration_checked",
      })
    ).data;
    expect(entry).toMatchObject({
      ...body,
      order_number: "#1001",
      subscription_id: subscriptionId,
      profile_id: profileId,
      customer_name: "Ada Lovelace",
      changes: null,
    });
    await execute("DELETE FROM activity_logs WHERE id = ?", body.id);
  });

  test.each(["admin", "api"] as const)("written by %s: api all the same", async (actor_type) => {
    const own = await merchant();
    const profile = profileOf(own.of);
    const subscription = subscriptionOf(own.of, profile.id);
    await put("profiles", [profile]);
    await put("subscriptions", [subscription]);
    const as = both(own.of, await token(own.of, { actor_type, name: "Robin" }));
    const { body } = await post(
      { loggable_type: "subscription", loggable_id: subscription.id, action: "integration_x" },
      as,
    );
    expect(body).toMatchObject({ actor_type: "api", description: null, metadata: null });
    const all = { start_date: "2026-01-01", end_date: "9999-12-31" };
    expect((await feed(own.admin, { ...all, actor_type: "api" })).data).toMatchObject([
      {
        id: body.id,
        subscription_id: subscription.id,
        order_id: null,
        subscription_number: String(subscription.number),
        profile_id: profile.id,
      },
    ]);
    expect((await feed(own.admin, { ...all, actor_type: "admin" })).data).toEqual([]);
  });

  test.each([
    ["an action of 255 characters", { action: `integration_${"x".repeat(243)}` }],
    ["an action of 255 characters beyond the BMP", { action: `integration_${"🐶".repeat(243)}` }],
    ["the prefix alone", { action: "integration_" }],
    ["a description of 2000 characters beyond the BMP", { description: "🐶".repeat(2000) }],
    ["an empty description", { description: "" }],
    ["any text, byte for byte", { description: "\u202eא'\"\\%_\u0001\r\n e\u0301" }],
    ["empty metadata", { metadata: {} }],
    ["metadata of every kind", { metadata: { a: [1, null, { b: "语" }], "": true } }],
  ])("taken, and returned as it came: %s", async (_, given) => {
    const { status, body } = await post({ ...about(), ...given });
    expect([status, body]).toMatchObject([201, given]);
    await execute("DELETE FROM activity_logs WHERE id = ?", body.id);
  });

  test("metadata with __proto__ is returned with it", async () => {
    const raw = JSON.stringify(about()).replace(
      /\}$/,
      ',"metadata":{"__proto__":{"polluted":1},"constructor":2}}',
    );
    const { status, text, body } = await api(shop.admin, "POST", path, {
      raw,
      headers: { "Content-Type": "application/json" },
    });
    expect(status).toBe(201);
    expect(text).toContain('"metadata":{"__proto__":{"polluted":1},"constructor":2}');
    await execute("DELETE FROM activity_logs WHERE id = ?", body.id);
  });

  test.each([
    ["loggable_type", { loggable_type: undefined }],
    ["loggable_type", { loggable_type: "profile" }],
    ["loggable_id", { loggable_id: undefined }],
    ["loggable_id", { loggable_id: 7 }],
    ["action", { action: undefined }],
    ["action", { action: "" }],
    ["action", { action: "order_placed" }],
    ["action", { action: "Integration_x" }],
    ["action", { action: "integration" }],
    ["action", { action: " integration_x" }],
    ["action", { action: `integration_${"x".repeat(244)}` }],
    ["description", { description: "x".repeat(2001) }],
    ["description", { description: "🐶".repeat(2001) }],
    ["description", { description: 1 }],
    ["metadata", { metadata: [] }],
    ["metadata", { metadata: "{}" }],
    ["actor_type", { actor_type: "admin" }],
    ["created_at", { created_at: "2026-01-01T00:00:00Z" }],
    ["changes", { changes: {} }],
  ])("400 that names %s: %o", async (name, body) => {
    const answer = await post({ ...about(), ...body });
    const [status, code, ...paths] = faults(answer) as unknown[];
    expect([status, code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(new Set(paths)).toEqual(new Set([name]));
  });

  test("loggable_id must be a record of the account, of that type: 400 UNKNOWN_LOGGABLE", async () => {
    const other = await merchant();
    const foreign = orderOf(other.of);
    await put("orders", [foreign]);
    for (const [loggable_type, loggable_id] of [
      ["order", newId()],
      ["order", "nope"],
      ["order", ""],
      ["order", subscriptionId],
      ["subscription", orderId],
      ["order", foreign.id],
      ["order", profileId],
    ])
      expect(faults(await post({ ...about(), loggable_type, loggable_id }))).toEqual([
        400,
        "UNKNOWN_LOGGABLE",
        "loggable_id",
      ]);
  });

  test("Idempotency-Key: the entry is written once", async () => {
    const options = {
      body: { ...about(), action: "integration_once" },
      headers: { "Idempotency-Key": "log-1" },
    };
    const [first, again] = [
      await api(shop.admin, "POST", path, options),
      await api(shop.admin, "POST", path, options),
    ];
    expect(again.text).toBe(first.text);
    const { metadata } = await feed(shop.admin, {
      start_date: "2026-01-01",
      end_date: "9999-12-31",
      action: "integration_once",
    });
    expect(metadata.total).toBe(1);
    await execute("DELETE FROM activity_logs WHERE id = ?", first.body.id);
  });
});

describe("distinct lists: {data: [string]}, sorted, of the account", () => {
  const names = async (as: Caller, list: string): Promise<string[]> =>
    (await api(as, "GET", `${path}/${list}`)).body.data;

  test("integration-actions: the distinct integration_ actions, custom ones only", async () => {
    const own = await merchant();
    const actions = [
      "integration_b",
      "integration_a",
      "integration_b",
      "order_placed",
      "integration_",
      "integrationxb",
      "integration_é",
      "integration_A",
      "xintegration_a",
    ];
    await put(
      "activity_logs",
      actions.map((action) => logOf(own.of, { action, actor_type: "api" })),
    );
    expect(await names(own.admin, "integration-actions")).toEqual([
      "integration_",
      "integration_A",
      "integration_a",
      "integration_b",
      "integration_é",
    ]);
  });

  test("actors: the distinct names of admins", async () => {
    const own = await merchant();
    const given = [
      ["admin", "Zoe"],
      ["admin", "Ada"],
      ["admin", "Ada"],
      ["admin", null],
      ["api", "key"],
      ["customer", "Eve"],
      ["system", "cron"],
      [null, "ghost"],
      ["admin", ""],
      ["admin", "Ünal"],
    ] as const;
    await put(
      "activity_logs",
      given.map(([actor_type, actor_name]) => logOf(own.of, { actor_type, actor_name })),
    );
    const found = await names(own.admin, "actors");
    expect(found.filter((name) => name !== "")).toEqual(["Ada", "Zoe", "Ünal"]);
  });

  test("an account without history has none, and another's are not shown", async () => {
    const own = await merchant();
    for (const list of ["integration-actions", "actors"]) {
      expect((await api(own.admin, "GET", `${path}/${list}`)).body).toEqual({ data: [] });
      expect((await names(shop.admin, list)).length).toBeGreaterThan(0);
      expect(faults(await api(own.admin, "GET", `${path}/${list}`, { query: { page: 1 } }))).toEqual([
        400,
        "VALIDATION_FAILED",
        "page",
      ]);
    }
  });

  test.each(actorTypes)("a name that POST writes as %s is in the list at once", async (actor_type) => {
    if (actor_type === "customer" || actor_type === "system") return;
    const own = await merchant();
    const order = orderOf(own.of);
    await put("orders", [order]);
    await api(own.admin, "POST", path, {
      body: { loggable_type: "order", loggable_id: order.id, action: "integration_new" },
    });
    expect(await names(own.admin, "integration-actions")).toEqual(["integration_new"]);
    expect(await names(own.admin, "actors")).toEqual([]);
  });
});

describe("the timeline of a profile: GET /api/profiles/{id}/activity", () => {
  test("the feed's shape, rows with that profile_id, newest first, of all time", async () => {
    const at = `/api/profiles/${profileId}/activity`;
    expect(await namesOf({}, at)).toBe("hgfedcba");
    const page = await feed(shop.admin, { page: 2, limit: 3 }, at);
    expect(page.metadata).toEqual({ total: 8, per_page: 3, current_page: 2, last_page: 3 });
    expect(page.data.map(({ description }) => description).join("")).toBe("edc");
    const [inFeed] = (await feed(shop.admin, { ...range, action: "order_placed" })).data;
    expect(page.data[0]).toEqual(inFeed);
  });

  test("an unknown profile is 404, unknown parameters 400", async () => {
    for (const id of [newId(), "nope"])
      expect((await api(shop.admin, "GET", `/api/profiles/${id}/activity`)).status).toBe(404);
    const answer = await api(shop.admin, "GET", `/api/profiles/${profileId}/activity`, { query: range });
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", "start_date", "end_date"]);
  });
});
