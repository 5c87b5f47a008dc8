/** An integration can write entries of its own into the history, and no others. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api, type Caller } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { faults, openMerchant, orderOf, profileOf, put, subscriptionOf } from "../../support/records.ts";
import { both, token } from "../../support/tenant.ts";
import { path, readFeed, useHistory } from "./feed.setup.ts";

const { shop, ids } = useHistory();

describe("an entry of an integration: POST /api/activity-logs", () => {
  const post = (body: unknown, as: Caller = shop.admin) => api(as, "POST", path, { body });
  const about = () => ({ loggable_type: "order", loggable_id: ids.orderId, action: "integration_checked" });

  test("201 with the entry; its actor_type is api, and the feed shows it with its record and customer", async () => {
    const request = { ...about(), description: "ok", metadata: { carrier: "UPS" } };
    const { status, body } = await post(request);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      ...request,
      actor_type: "api",
      actor_name: "Ada Admin",
      created_at: expect.stringMatching(/Z$/),
    });
    const today = { start_date: body.created_at, end_date: body.created_at };
    const [entry] = (
      await readFeed(shop.admin, {
        ...today,
        order_id: ids.orderId,
        actor_type: "api",
        action: "integration_checked",
      })
    ).data;
    expect(entry).toMatchObject({
      ...body,
      order_number: "#1001",
      subscription_id: ids.subscriptionId,
      profile_id: ids.profileId,
      customer_name: "Ada Lovelace",
      changes: null,
    });
    await execute("DELETE FROM activity_logs WHERE id = ?", body.id);
  });

  test.each(["admin", "api"] as const)(
    "an entry written with a token of type %s has actor_type api",
    async (actor_type) => {
      const other = await openMerchant();
      const profile = profileOf(other.of);
      const subscription = subscriptionOf(other.of, profile.id);
      await put("profiles", [profile]);
      await put("subscriptions", [subscription]);
      const as = both(other.of, await token(other.of, { actor_type, name: "Robin" }));
      const { body } = await post(
        { loggable_type: "subscription", loggable_id: subscription.id, action: "integration_x" },
        as,
      );
      expect(body).toMatchObject({ actor_type: "api", description: null, metadata: null });
      const all = { start_date: "2026-01-01", end_date: "9999-12-31" };
      expect((await readFeed(other.admin, { ...all, actor_type: "api" })).data).toMatchObject([
        {
          id: body.id,
          subscription_id: subscription.id,
          order_id: null,
          subscription_number: String(subscription.number),
          profile_id: profile.id,
        },
      ]);
      expect((await readFeed(other.admin, { ...all, actor_type: "admin" })).data).toEqual([]);
    },
  );

  test.each([
    ["an action of 255 characters", { action: `integration_${"x".repeat(243)}` }],
    ["an action of 255 characters beyond the BMP", { action: `integration_${"🐶".repeat(243)}` }],
    ["the prefix alone", { action: "integration_" }],
    ["a description of 2000 characters beyond the BMP", { description: "🐶".repeat(2000) }],
    ["an empty description", { description: "" }],
    ["any text, byte for byte", { description: "\u202eא'\"\\%_\u0001\r\n e\u0301" }],
    ["empty metadata", { metadata: {} }],
    ["metadata of every kind", { metadata: { a: [1, null, { b: "语" }], "": true } }],
  ])("%s is accepted, and returned unchanged", async (_, fields) => {
    const { status, body } = await post({ ...about(), ...fields });
    expect([status, body]).toMatchObject([201, fields]);
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
    const other = await openMerchant();
    const foreign = orderOf(other.of);
    await put("orders", [foreign]);
    for (const [loggable_type, loggable_id] of [
      ["order", newId()],
      ["order", "nope"],
      ["order", ""],
      ["order", ids.subscriptionId],
      ["subscription", ids.orderId],
      ["order", foreign.id],
      ["order", ids.profileId],
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
    const { metadata } = await readFeed(shop.admin, {
      start_date: "2026-01-01",
      end_date: "9999-12-31",
      action: "integration_once",
    });
    expect(metadata.total).toBe(1);
    await execute("DELETE FROM activity_logs WHERE id = ?", first.body.id);
  });
});
