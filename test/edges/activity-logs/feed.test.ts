/** The feed shows each entry with the documented fields, newest first, page by page. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { faults, logOf, openMerchant, profileOf, put } from "../../support/records.ts";
import { customer } from "../../support/tenant.ts";
import { path, range, readFeed, useHistory } from "./feed.setup.ts";

const { shop, ids } = useHistory();

describe("the feed: GET /api/activity-logs", () => {
  test("an entry has the documented fields, with the numbers and the customer of its record", async () => {
    const { data } = await readFeed(shop.admin, { ...range, action: "order_placed" });
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
        loggable_id: ids.orderId,
        subscription_id: ids.subscriptionId,
        order_id: ids.orderId,
        profile_id: ids.profileId,
        subscription_number: String(ids.subscriptionNumber),
        order_number: "#1001",
        customer_name: "Ada Lovelace",
        customer_email: "Ada@customers.test",
        created_at: "2026-02-05T12:00:00.000Z",
      },
    ]);
  });

  test("changes are the field-level diff; rows without a customer have nulls", async () => {
    const changed = (await readFeed(shop.admin, { ...range, action: "subscription_paused" })).data[0];
    expect(changed).toMatchObject({
      changes: { status: { from: "ACTIVE", to: "PAUSED" } },
      metadata: null,
      order_id: null,
      order_number: null,
    });
    const bare = (await readFeed(shop.admin, { ...range, action: "billing_failed" })).data[0];
    expect(bare).toMatchObject({
      profile_id: null,
      customer_name: null,
      customer_email: null,
      subscription_number: null,
      order_number: null,
    });
  });

  test("the key is metadata, not meta: total, per_page, current_page, last_page", async () => {
    const body = await readFeed(shop.admin, { ...range, limit: 3, page: 2 });
    expect(Object.keys(body).sort()).toEqual(["data", "metadata"]);
    expect(body.metadata).toEqual({ total: 10, per_page: 3, current_page: 2, last_page: 4 });
    expect(body.data.map(({ description }) => description).join("")).toBe("gfe");
  });

  test("default limit 25, page 1; a page past the end is empty with true totals; last_page is at least 1", async () => {
    expect((await readFeed(shop.admin)).metadata).toEqual({
      total: 10,
      per_page: 25,
      current_page: 1,
      last_page: 1,
    });
    const past = await readFeed(shop.admin, { ...range, page: 9, limit: 5 });
    expect([past.data, past.metadata]).toEqual([
      [],
      { total: 10, per_page: 5, current_page: 9, last_page: 2 },
    ]);
    const none = await readFeed(shop.admin, { start_date: "2020-01-01", end_date: "2020-01-01" });
    expect(none.metadata).toEqual({ total: 0, per_page: 25, current_page: 1, last_page: 1 });
  });

  test.each(["1", "100"])("limit %s is accepted", async (limit) => {
    expect((await readFeed(shop.admin, { ...range, limit })).metadata.per_page).toBe(Number(limit));
  });

  test("another account's entries are not shown", async () => {
    const other = await openMerchant();
    expect((await readFeed(other.admin)).data).toEqual([]);
    expect((await readFeed(other.admin, { ...range, order_id: ids.orderId })).data).toEqual([]);
  });

  test("entries of a deleted profile stay, with its name", async () => {
    const other = await openMerchant();
    const profile = profileOf(other.of, { first_name: "Deleted" });
    await put("profiles", [profile]);
    await put("activity_logs", [logOf(other.of, { profile_id: profile.id })]);
    await api(other.admin, "DELETE", `/api/profiles/${profile.id}`);
    expect((await readFeed(other.admin)).data).toMatchObject([
      { profile_id: profile.id, customer_name: "Deleted" },
    ]);
  });

  test("key and token are required; a customer's token is 403", async () => {
    const shopper = await customer(shop.of);
    expect((await api(shop.of, "GET", path, { query: range })).status).toBe(401);
    const as = { credentials: { ...shop.of.credentials, ...shopper.credentials } };
    expect(faults(await api(as, "GET", path, { query: range }))).toEqual([403, "FORBIDDEN"]);
  });
});
