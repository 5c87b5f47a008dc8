/** The list of subscriptions is filtered and sorted as documented, and a faulty query is refused. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { searchTextOf } from "../../../src/base/lib/text.ts";
import { subscriptionStatuses } from "../../../src/domain/subscriptions/tables.ts";
import { api, nobody } from "../../support/client.ts";
import {
  entityOf,
  faults,
  listed,
  type Merchant,
  openMerchant,
  profileOf,
  put,
  type SubscriptionRow,
  subscriptionOf,
} from "../../support/records.ts";
import { path } from "../../support/subscriptions.ts";
import { bearer, token } from "../../support/tenant.ts";
import { useMerchant } from "../../support/use-account.ts";

type Query = Record<string, string>;

/** Subscriptions under one-letter names, which are their notes; made a day apart. */
function named(
  of: Merchant["of"],
  owner: string,
  rows: Record<string, Partial<SubscriptionRow>>,
): SubscriptionRow[] {
  return Object.entries(rows).map(([note, values], nth) => {
    const row = subscriptionOf(of, owner, {
      note,
      number: 1001 + nth,
      created_at: `2026-01-${String(nth + 1).padStart(2, "0")}T00:00:00.000Z`,
      ...values,
    });
    return {
      ...row,
      search_text: searchTextOf([
        String(row.number),
        row.store_contract_id === null ? null : String(row.store_contract_id),
      ]),
    };
  });
}

async function namesOf(as: Merchant, query: Query): Promise<string> {
  const { data, meta } = await listed(as.admin, path, query);
  expect(meta.total, "total").toBe(data.length);
  return data.map(({ note }) => note).join("");
}

describe("filters", () => {
  const shop = useMerchant({ timezone: "America/New_York" });
  const ids: Query = {};
  beforeAll(async () => {
    const { of } = shop;
    const ada = profileOf(of, { email: "Ada@customers.test", first_name: "Ada", last_name: "Lovelace" });
    const bob = profileOf(of, {
      email: "bob%_@customers.test",
      first_name: "Bob",
      phone_number: "+4930",
      external_id: "crm-9",
    });
    const [e1, e2] = [entityOf(of, ada.id), entityOf(of, bob.id)];
    const reason = newId();
    Object.assign(ids, { ada: ada.id, bob: bob.id, e1: e1.id, e2: e2.id, reason });
    await put("profiles", [ada, bob]);
    await put("entities", [e1, e2]);
    await put(
      "subscriptions",
      named(of, ada.id, {
        a: {
          status: "ACTIVE",
          entity_id: e1.id,
          next_billing_date: "2026-03-01",
          next_delivery_date: "2026-03-05",
          next_production_date: "2026-03-03",
          store_contract_id: 90_001,
          total: 300,
        },
        b: {
          status: "ACTIVE",
          dunning_episode_id: newId(),
          next_billing_date: "2026-03-02",
          next_delivery_date: "2026-03-06",
          next_production_date: "2026-03-04",
          store_contract_id: 90_002,
          total: 100,
        },
        c: {
          status: "PAUSED",
          profile_id: bob.id,
          entity_id: e2.id,
          next_billing_date: "2026-03-03",
          next_delivery_date: "2026-03-07",
          total: 200,
        },
        d: { status: "CANCELLED", profile_id: bob.id, cancellation_reason_id: reason, total: 200 },
        e: { status: "EXPIRED", profile_id: bob.id, total: 0 },
        f: {
          status: "PAYMENT_FAILED",
          profile_id: bob.id,
          next_billing_date: "2026-03-02",
          next_delivery_date: "2026-03-06",
          total: 500,
          created_at: "2026-01-07T04:59:59.999Z",
        },
        g: {
          status: "ACTIVE",
          next_billing_date: "2026-03-04",
          total: 400,
          created_at: "2026-01-07T05:00:00.000Z",
        },
      }),
    );
  });

  test.each([
    ["none, newest first", {}, "gfedcba"],
    ["status", { status: "ACTIVE" }, "gba"],
    ["status", { status: "PAYMENT_FAILED" }, "f"],
    ["a list of statuses", { status: "PAUSED,EXPIRED" }, "ec"],
    ["a list with blanks, and one twice", { status: "ACTIVE, PAUSED ,ACTIVE" }, "gcba"],
    ["all statuses", { status: subscriptionStatuses.join() }, "gfedcba"],
    ["failed_payment: in dunning or failed", { failed_payment: "true" }, "fb"],
    ["failed_payment=1", { failed_payment: "1" }, "fb"],
    ["failed_payment=false", { failed_payment: "false" }, "gedca"],
    ["failed_payment=0", { failed_payment: "0" }, "gedca"],
    ["failed_payment and status", { failed_payment: "true", status: "ACTIVE" }, "b"],
    ["failed_payment and statuses", { failed_payment: "false", status: "ACTIVE,PAYMENT_FAILED" }, "ga"],
    ["profile_id", { profile_id: "$ada" }, "gba"],
    ["profile_id of nobody", { profile_id: "nope" }, ""],
    ["entity_id", { entity_id: "$e1" }, "a"],
    ["entity_id of another", { entity_id: "$e2", profile_id: "$ada" }, ""],
    ["cancellation_reason_id", { cancellation_reason_id: "$reason" }, "d"],
    ["store_contract_id", { store_contract_id: "90002" }, "b"],
    [
      "store_contract_id, the global id",
      { store_contract_id: "gid://shopify/SubscriptionContract/90002" },
      "b",
    ],
    ["search for a contract by its global id", { search: "gid://shopify/SubscriptionContract/90002" }, "b"],
    ["store_contract_id, whole", { store_contract_id: "9000" }, ""],
    ["store_contract_id that is none", { store_contract_id: "gid://shopify/SubscriptionContract/1" }, ""],
    ["store_contract_id that is none", { store_contract_id: "" }, ""],
    ["next_billing_before, strict", { next_billing_before: "2026-03-02" }, "a"],
    ["next_billing_after, strict", { next_billing_after: "2026-03-02" }, "gc"],
    ["next_billing, both", { next_billing_after: "2026-03-01", next_billing_before: "2026-03-03" }, "fb"],
    [
      "next_billing, one day alone is between",
      { next_billing_after: "2026-03-02", next_billing_before: "2026-03-02" },
      "",
    ],
    ["next_delivery_before, strict", { next_delivery_before: "2026-03-06" }, "a"],
    ["next_delivery_after, strict", { next_delivery_after: "2026-03-06" }, "c"],
    ["next_production_before, strict", { next_production_before: "2026-03-04" }, "a"],
    ["next_production_after, strict", { next_production_after: "2026-03-03" }, "b"],
    ["a date-time's date in the account's zone", { next_billing_after: "2026-03-03T04:59:59Z" }, "gc"],
    ["a date-time's date in the account's zone", { next_billing_after: "2026-03-03T05:00:00Z" }, "g"],
    ["created_before a date: up to the day before, in the zone", { created_before: "2026-01-07" }, "fedcba"],
    ["created_before a date", { created_before: "2026-01-06" }, "edcba"],
    ["created_after a date: from the next day on, in the zone", { created_after: "2026-01-06" }, "g"],
    ["created_after a date", { created_after: "2026-01-05" }, "gf"],
    ["created_before a date-time, strict", { created_before: "2026-01-07T04:59:59.999Z" }, "edcba"],
    ["created_before a date-time", { created_before: "2026-01-07T05:00:00.000Z" }, "fedcba"],
    ["created_after a date-time, strict", { created_after: "2026-01-07T04:59:59.999Z" }, "g"],
    ["created_after a date-time", { created_after: "2026-01-07T04:59:59.998Z" }, "gf"],
    ["created_after a date-time with an offset", { created_after: "2026-01-07T05:59:59.999+01:00" }, "g"],
    ["created_after a local date-time", { created_after: "2026-01-06T23:59:59.999" }, "g"],
    ["search: a number", { search: "1003" }, "c"],
    ["search: a number, short", { search: "7" }, "g"],
    ["search: part of a number", { search: "100" }, "gfedcba"],
    ["search: a contract", { search: "0002" }, "b"],
    ["search: an e-mail, in any case", { search: "aDA@customers" }, "gba"],
    ["search: a whole name", { search: "ada love" }, "gba"],
    ["search: two letters", { search: "bo" }, "fedc"],
    ["search: literal %", { search: "%_@" }, "fedc"],
    ["search: literal _", { search: "a_a" }, ""],
    ["search: no other fields of the customer", { search: "crm-9" }, ""],
    ["search: a phone", { search: "+4930" }, "fedc"],
    ["search: long", { search: "x".repeat(256) }, ""],
    ["search and status", { search: "customers.test", status: "ACTIVE,PAUSED" }, "gcba"],
    [
      "several",
      { profile_id: "$bob", failed_payment: "0", next_billing_after: "2026-01-01", status: "PAUSED" },
      "c",
    ],
    ["a calendar's end", { next_billing_before: "9999-12-31", created_before: "9999-12-31" }, "gfcba"],
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
    ["created_at", "desc", "gfedcba"],
    ["created_at", "asc", "abcdefg"],
    ["total", "desc", "fgadcbe"],
    ["total", "asc", "ebcdagf"],
    ["status", "asc", "abgdecf"],
    ["status", "desc", "fcedgba"],
    ["next_billing_date", "asc", "deabfcg"],
    ["next_billing_date", "desc", "gcfbaed"],
    ["next_delivery_date", "asc", "degabfc"],
    ["next_production_date", "desc", "bagfedc"],
  ] as [string, string, string][])(
    "sorted by %s %s: %s, what has none at the low end",
    async (sort_by, sort_order, expected) => {
      expect(await namesOf(shop, { sort_by, sort_order })).toBe(expected);
    },
  );

  test.each([
    ["created_at", "desc"],
    ["next_billing_date", "desc"],
    ["next_delivery_date", "desc"],
    ["next_production_date", "desc"],
    ["total", "desc"],
    ["status", "asc"],
  ] as const)("sort_order of %s is %s unless told", async (sort_by, sort_order) => {
    expect(await namesOf(shop, { sort_by })).toBe(await namesOf(shop, { sort_by, sort_order }));
  });

  test.each([
    ["status", { status: "active" }],
    ["status", { status: "" }],
    ["status", { status: "ACTIVE," }],
    ["status", { status: "ACTIVE,FROZEN" }],
    ["failed_payment", { failed_payment: "yes" }],
    ["next_billing_before", { next_billing_before: "tomorrow" }],
    ["next_billing_after", { next_billing_after: "2026-02-30" }],
    ["next_delivery_before", { next_delivery_before: "" }],
    ["next_delivery_after", { next_delivery_after: "2026-2-3" }],
    ["next_production_before", { next_production_before: "2026-02" }],
    ["next_production_after", { next_production_after: "2026-02-03T25:00:00Z" }],
    ["created_before", { created_before: "yesterday" }],
    ["created_after", { created_after: "2026-13-01" }],
    ["search", { search: "x".repeat(10_001) }],
    ["sort_by", { sort_by: "number" }],
    ["sort_by", { sort_by: "updated_at" }],
    ["sort_order", { sort_order: "DESC" }],
    ["limit", { limit: "101" }],
    ["page", { page: "0" }],
    ["is_active", { is_active: "true" }],
    ["entity", { entity: "x" }],
  ] as [string, Query][])("400 that names %s: %o", async (name, query) => {
    expect(faults(await api(shop.admin, "GET", path, { query }))).toEqual([400, "VALIDATION_FAILED", name]);
  });

  test("a customer's token narrows it to its own, whatever is asked for", async () => {
    const ada = bearer(await token(shop.of, { actor_type: "customer", profile_id: ids.ada! }));
    for (const query of [
      {},
      { search: "customers" },
      { status: subscriptionStatuses.join() },
      { sort_by: "total" },
    ] as Query[]) {
      const { data, meta } = await listed(ada, path, query);
      const all = await listed(shop.admin, path, { ...query, profile_id: ids.ada! });
      expect([meta.total, data.map(({ id }) => id)]).toEqual([3, all.data.map(({ id }) => id)]);
      expect(
        data.every(({ note }) => note === null),
        "the merchant's notes are not theirs",
      ).toBe(true);
    }
    expect((await listed(ada, path, { profile_id: ids.bob! })).data).toEqual([]);
  });

  test("another account's are not there; nobody is 401", async () => {
    const stranger = await openMerchant();
    for (const query of [
      {},
      { profile_id: ids.ada! },
      { search: "1003" },
      { store_contract_id: "90002" },
    ] as Query[])
      expect((await listed(stranger.admin, path, query)).meta.total).toBe(0);
    expect((await api(nobody, "GET", path)).status).toBe(401);
  });
});
