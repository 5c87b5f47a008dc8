/** Every change of a profile is one event, which never says personal data. */
import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { type Json, openShop, type Shop, subscribe } from "../../support/shops.ts";

let of: Shop;
beforeAll(async () => {
  of = await openShop();
});

function call(method: string, path: string, body?: unknown) {
  return api(of.admin, method, `/api/profiles${path}`, body === undefined ? {} : { body });
}

async function eventsOf(id: string): Promise<Json[]> {
  const { body } = await api(of.api, "GET", "/api/events", { query: { types: "profile.*", limit: 100 } });
  return body.data.filter((event: Json) => event.profile_id === id);
}

async function told(id: string) {
  return (await eventsOf(id)).map(({ type, metadata }) => [type, metadata]);
}

async function create(email: string): Promise<string> {
  return (await call("POST", "", { email })).body.data.id;
}

describe("what becomes of a profile is in the stream", () => {
  test("created, changed and deleted; the fields by their names, never what they say", async () => {
    const id = await create("ada@events.test");
    await call("PUT", `/${id}`, { first_name: "Lovelace", email: "lovelace@events.test" });
    await call("DELETE", `/${id}`);
    expect(await told(id)).toEqual([
      ["profile.created", null],
      ["profile.updated", { fields: ["email", "first_name"] }],
      ["profile.deleted", null],
    ]);
    const events = await eventsOf(id);
    for (const { changes, subject, actor_type } of events)
      expect([changes, subject, actor_type]).toEqual([null, { type: "profile", id }, "admin"]);
    expect(JSON.stringify(events)).not.toMatch(/lovelace/i);
  });

  test("a change that changes nothing is no event, and no new revision", async () => {
    const id = await create("same@events.test");
    const before = await call("GET", `/${id}`);
    const answer = await call("PUT", `/${id}`, { email: "same@events.test" });
    expect([answer.status, answer.body]).toEqual([200, before.body]);
    expect(await told(id)).toEqual([["profile.created", null]]);
  });

  test("a refused deletion is none", async () => {
    await subscribe(of);
    const answer = await call("DELETE", `/${of.profileId}`);
    expect([answer.status, answer.body.errorCode]).toEqual([409, "PROFILE_IN_USE"]);
    expect(await told(of.profileId)).toEqual([]);
  });

  test("an upload is an event for each profile that it makes or changes", async () => {
    const changed = await create("changed@events.test");
    const same = await create("unchanged@events.test");
    const profiles = [
      { email: "changed@events.test", city: "Paris" },
      { email: "unchanged@events.test" },
      { email: "uploaded@events.test", city: "Rome" },
    ];
    expect((await call("POST", "/bulk-upload", { profiles })).status).toBe(200);
    const found = await call("GET", "?email=uploaded@events.test");
    expect(await told(changed)).toEqual([
      ["profile.created", null],
      ["profile.updated", { fields: ["city"] }],
    ]);
    expect(await told(same)).toEqual([["profile.created", null]]);
    expect(await told(found.body.data[0].id)).toEqual([["profile.created", null]]);
  });

  test("is not in the activity feed, nor counted there", async () => {
    const query = { start_date: "2020-01-01", end_date: "2100-01-01", limit: 100 };
    const feed = (await api(of.admin, "GET", "/api/activity-logs", { query })).body;
    expect(feed.data.map(({ action }: Json) => action)).not.toContain("profile_created");
    expect(feed.metadata.total).toBe(feed.data.length);
    const id = await create("feed@events.test");
    expect((await call("GET", `/${id}/activity`)).body).toMatchObject({ data: [], metadata: { total: 0 } });
  });
});
