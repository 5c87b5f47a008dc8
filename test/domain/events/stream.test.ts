/** The stream of events has every entry of the history once, in the order of commits. */
import { beforeAll, describe, expect, test } from "vitest";
import { eventTypes } from "../../../src/base/event-types.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { logOf, put } from "../../support/records.ts";
import { done, entriesOf, type Json, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { bearer, customer, openTenant, token } from "../../support/tenant.ts";

/** The events after the first of an account, which is that its key was made. */
function list(of: Shop, query: Record<string, string | number> = {}) {
  return api(of.api, "GET", "/api/events", { query: { after: 1, ...query } });
}

function typesIn({ body }: Json): string[] {
  return body.data.map(({ type }: Json) => type);
}

describe("the stream", () => {
  let of: Shop;
  let id: string;
  beforeAll(async () => {
    of = await openShop();
    id = await subscribe(of);
    await done(of.api, "POST", id, "pause", { reason: "On holiday" });
    await done(of.api, "POST", id, "resume");
    await done(of.api, "POST", id, "cancel", { reason: "Moved" });
  });

  test("has every entry of the history, in the order of the changes", async () => {
    const answer = await list(of);
    expect(typesIn(answer)).toEqual([
      "subscription.created",
      "subscription.paused",
      "subscription.resumed",
      "subscription.cancelled",
    ]);
    expect(answer.body.data.map(({ sequence }: Json) => sequence)).toEqual([2, 3, 4, 5]);
    expect(answer.body.meta).toEqual({ next_after: 5, has_more: false });
  });

  test("shows an event as its entry is", async () => {
    const [, paused] = (await list(of)).body.data;
    const [, entry] = await entriesOf(id);
    expect(paused).toEqual({
      id: expect.any(String),
      sequence: 3,
      type: "subscription.paused",
      created_at: expect.any(String),
      actor_type: "api",
      actor_name: entry?.actor_name,
      subject: { type: "subscription", id },
      subscription_id: id,
      order_id: null,
      profile_id: of.profileId,
      changes: entry?.changes,
      metadata: entry?.metadata,
    });
    expect(paused.changes.status).toEqual({ from: "ACTIVE", to: "PAUSED" });
    expect((await api(of.api, "GET", `/api/events/${paused.id}`)).body).toEqual({ data: paused });
  });

  test("has each event under its id, whatever time the id holds", async () => {
    const shop = await openShop();
    const log = logOf(shop.of, { created_at: "2026-05-01T10:00:00.000Z" });
    await put("activity_logs", [log]);
    await subscribe(shop);
    const profile = await api(shop.api, "POST", "/api/profiles", { body: { email: "found@events.test" } });
    expect(profile.status).toBe(401);
    const { data } = (await list(shop)).body;
    expect(data.length).toBeGreaterThan(1);
    for (const event of data)
      expect((await api(shop.api, "GET", `/api/events/${event.id}`)).body).toEqual({ data: event });
  });

  test.each(["", "subscription.*"])(
    "is read after any whole number up to 2^53 - 1, types: %o",
    async (types) => {
      const read = (after: string) => list(of, { after, ...(types ? { types } : {}) });
      for (const after of ["1000000000000000", "9007199254740991"]) {
        const { status, body } = await read(after);
        expect([status, body]).toEqual([
          200,
          { data: [], meta: { next_after: Number(after), has_more: false } },
        ]);
      }
      for (const after of ["9007199254740992", "9007199254740993", "9".repeat(400)]) {
        const { status, body } = await read(after);
        expect([status, body.details]).toEqual([
          400,
          [{ path: "after", message: "must be from 0 to 9007199254740991" }],
        ]);
      }
    },
  );

  test("is read on from where one was, and says whether there is more", async () => {
    const first = await list(of, { limit: 3 });
    expect(first.body.meta).toEqual({ next_after: 4, has_more: true });
    const second = await list(of, { limit: 3, after: first.body.meta.next_after });
    expect(typesIn(second)).toEqual(["subscription.cancelled"]);
    const third = await list(of, { after: second.body.meta.next_after });
    expect(third.body).toEqual({ data: [], meta: { next_after: 5, has_more: false } });
  });

  test.each([
    ["subscription.paused", ["subscription.paused"]],
    ["subscription.paused,subscription.cancelled", ["subscription.paused", "subscription.cancelled"]],
    ["subscription.*", undefined],
    ["subscription.paused, subscription.*", undefined],
    ["billing.*", []],
    ["integration.*", []],
    ["integration.label_printed", []],
  ])("types=%s", async (types, expected) => {
    expect(typesIn(await list(of, { types }))).toEqual(expected ?? typesIn(await list(of)));
  });

  test.each([
    ["subscription.painted"],
    ["subscription"],
    ["*"],
    [""],
    ["integration."],
    ["subscription_paused"],
    ["shipping.*"],
    ["subscription.paused,"],
  ])("an unknown type is refused: %j", async (types) => {
    const answer = await list(of, { types });
    expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, "types"]);
  });

  test.each([
    ["after", "-1"],
    ["after", "1.5"],
    ["after", "x"],
    ["limit", "0"],
    ["limit", "101"],
    ["page", "2"],
  ])("%s=%s is refused", async (name, value) => {
    expect((await list(of, { [name]: value })).status).toBe(400);
  });

  test("another account's events do not exist", async () => {
    const other = await openShop();
    const [event] = (await list(of)).body.data;
    expect((await list(other)).body.data).toEqual([]);
    expect((await api(other.api, "GET", `/api/events/${event.id}`)).status).toBe(404);
    expect((await api(of.api, "GET", `/api/events/${newId()}`)).status).toBe(404);
  });

  test("a member of staff reads it with a token alone, a customer never", async () => {
    const admin = bearer(await token(of.of, { actor_type: "admin" }));
    expect((await api(admin, "GET", "/api/events")).status).toBe(200);
    expect((await api(await customer(of.of), "GET", "/api/events")).status).toBe(403);
  });
});

test("an integration's event is integration. and the rest of its name", async () => {
  const of = await openShop();
  const id = await subscribe(of);
  const append = (action: string) =>
    api(of.admin, "POST", "/api/activity-logs", {
      body: { loggable_type: "subscription", loggable_id: id, action },
    });
  await append("integration_label_printed");
  await append("integration_a,b");
  expect(typesIn(await list(of, { types: "integration.*" }))).toEqual([
    "integration.label_printed",
    "integration.a,b",
  ]);
  expect(typesIn(await list(of, { types: "integration.label_printed" }))).toEqual([
    "integration.label_printed",
  ]);
  expect((await list(of, { types: "integration.*", limit: 1 })).body.meta).toEqual({
    next_after: 3,
    has_more: true,
  });
});

describe("the sequence", () => {
  test("grows in the order of commits, whatever the order of ids and instants", async () => {
    const of = await openTenant();
    const early = { created_at: "2020-01-01T00:00:00.000Z" };
    const [older, newer] = [newId(), newId()];
    await put("activity_logs", [logOf(of, { id: newer })]);
    await put("activity_logs", [logOf(of, { id: older, ...early })]);
    const rows = await select<{ id: string; sequence: number }>(
      "SELECT id, sequence FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND sequence > 1 ORDER BY sequence",
      of.account.id,
    );
    expect(rows).toEqual([
      { id: newer, sequence: 2 },
      { id: older, sequence: 3 },
    ]);
  });

  test("is each account's own, and unique within it", async () => {
    const [one, other] = [await openTenant(), await openTenant()];
    await put(
      "activity_logs",
      [one, other, one].map((of) => logOf(of)),
    );
    const rows = await select<{ account_id: string; sequence: number }>(
      "SELECT (SELECT id FROM accounts WHERE seq = account_seq) AS account_id, sequence FROM activity_logs WHERE account_seq IN (SELECT seq FROM accounts WHERE id IN (?, ?)) ORDER BY account_id, sequence",
      ...[one.account.id, other.account.id].sort(),
    );
    const of = (id: string) =>
      rows.filter(({ account_id }) => account_id === id).map(({ sequence }) => sequence);
    expect([of(one.account.id), of(other.account.id)]).toEqual([
      [1, 2, 3],
      [1, 2],
    ]);
    await expect(
      execute(
        "UPDATE activity_logs SET sequence = 1 WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        one.account.id,
      ),
    ).rejects.toThrow(/unique/i);
  });

  test("is kept by an entry that is moved, and goes on above it", async () => {
    const of = await openTenant();
    await put("activity_logs", [{ ...logOf(of), sequence: 7000 }]);
    await put("activity_logs", [{ ...logOf(of), sequence: 3 }]);
    await put("activity_logs", [logOf(of)]);
    const rows = await select<{ sequence: number }>(
      "SELECT sequence FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY sequence",
      of.account.id,
    );
    expect(rows.map(({ sequence }) => sequence)).toEqual([1, 3, 7000, 7001]);
  });

  test("a batch that fails takes its numbers back", async () => {
    const of = await openTenant();
    const entry = logOf(of);
    await put("activity_logs", [entry]);
    await expect(put("activity_logs", [logOf(of), entry])).rejects.toThrow();
    await put("activity_logs", [logOf(of)]);
    const rows = await select<{ sequence: number }>(
      "SELECT sequence FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY sequence",
      of.account.id,
    );
    expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });
});

test("every entry of the service's own has one type", () => {
  const types = Object.values(eventTypes);
  expect(new Set(types).size).toBe(types.length);
  for (const type of types) expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
});
