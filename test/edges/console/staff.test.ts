/** Whoever holds the scope adds, changes, invites and removes staff; an account keeps an OWNER who can sign in. */
import { beforeEach, describe, expect, test } from "vitest";
import { sha256Hex } from "../../../src/base/lib/encoding.ts";
import { origin } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { type Json, openShop, refusal, type Shop } from "../../support/shops.ts";
import { limitedKey } from "../../support/tenant.ts";
import { useWorker } from "../../support/worker.ts";

const worker = useWorker();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

type Method = "GET" | "POST" | "PUT" | "DELETE";

function call(method: Method, path: string, body?: object, headers: Record<string, string> = {}) {
  return worker.call<Json>(shop.api, method, `/api/staff${path}`, { ...(body ? { body } : {}), headers });
}

async function add(role: string, email = `${role.toLowerCase()}@shop.example`): Promise<Json> {
  const { status, body } = await call("POST", "", { email, name: `The ${role}`, role });
  expect(status).toBe(201);
  return body.data;
}

async function events(): Promise<Json[]> {
  const { body } = await worker.call<Json>(shop.api, "GET", "/api/events?limit=100");
  return body.data.filter(({ type }: Json) => type.startsWith("staff."));
}

describe("a member of staff", () => {
  test("is added as INVITED, listed, read in the stream of events alone, and never by what they are called", async () => {
    const member = await add("SUPPORT", "Sam@Shop.example");
    expect(member).toEqual({
      id: expect.any(String),
      email: "Sam@Shop.example",
      name: "The SUPPORT",
      role: "SUPPORT",
      status: "INVITED",
      last_seen_at: null,
      created_at: expect.any(String),
    });
    const { body } = await call("GET", "");
    expect([body.data, body.meta.total]).toEqual([[member], 1]);
    const [event] = await events();
    expect(event).toMatchObject({
      type: "staff.invited",
      actor_type: "api",
      subject: { type: "staff", id: member.id },
    });
    expect(JSON.stringify(event)).not.toContain("Shop.example");
    const feed = await worker.call<Json>(shop.api, "GET", "/api/activity-logs");
    expect(feed.text).not.toContain("staff");
  });

  test("has a name by their address where none is given", async () => {
    const { body } = await call("POST", "", { email: "kim@shop.example", role: "VIEWER" });
    expect(body.data.name).toBe("kim");
  });

  test("has an e-mail address that nobody else of the account has, in any case, and another account may have", async () => {
    await add("SUPPORT", "sam@shop.example");
    const other = await add("VIEWER", "kim@shop.example");
    const taken = { email: "SAM@shop.example", role: "VIEWER" };
    expect(refusal(await call("POST", "", taken))).toEqual([409, "EMAIL_TAKEN"]);
    expect(refusal(await call("PUT", `/${other.id}`, { email: taken.email }))).toEqual([409, "EMAIL_TAKEN"]);
    shop = await openShop();
    await add("SUPPORT", "sam@shop.example");
  });

  test("is changed as the body names, once, with the old role in the history", async () => {
    const { id } = await add("SUPPORT");
    const { body } = await call("PUT", `/${id}`, { role: "MANAGER", name: "Sam" });
    expect(body.data).toMatchObject({ role: "MANAGER", name: "Sam" });
    await call("PUT", `/${id}`, { role: "MANAGER", name: "Sam" });
    const changed = (await events()).filter(({ type }) => type === "staff.updated");
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatchObject({
      changes: { role: { from: "SUPPORT", to: "MANAGER" } },
      metadata: { fields: ["name", "role"] },
    });
  });

  test("is removed with their row, so that the address is free and nothing of them is kept but the name of who acted", async () => {
    const { id } = await add("SUPPORT");
    await call("POST", `/${id}/invite`);
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
    expect(refusal(await call("DELETE", `/${id}`))).toEqual([404, "NOT_FOUND"]);
    expect(await select("SELECT id FROM staff_links WHERE staff_id = ?", id)).toEqual([]);
    await add("SUPPORT");
    expect((await events()).map(({ type }) => type)).toContain("staff.removed");
  });

  test("of another account is not found", async () => {
    const { id } = await add("SUPPORT");
    shop = await openShop();
    for (const [method, path, body] of [
      ["PUT", `/${id}`, { name: "x" }],
      ["DELETE", `/${id}`, undefined],
      ["POST", `/${id}/invite`, undefined],
    ] as const)
      expect(refusal(await call(method, path, body))).toEqual([404, "NOT_FOUND"]);
    expect((await call("GET", "")).body.data).toEqual([]);
  });
});

describe("the last OWNER", () => {
  test.each([
    ["removed", "DELETE", undefined],
    ["suspended", "PUT", { status: "SUSPENDED" }],
    ["demoted", "PUT", { role: "MANAGER" }],
  ] as const)("cannot be %s, until there is another who can sign in", async (_, method, body) => {
    const owner = await add("OWNER");
    const path = `/${owner.id}`;
    expect(refusal(await call(method, path, body))).toEqual([409, "INVALID_STATE"]);
    const second = await add("OWNER", "second@shop.example");
    await call("PUT", `/${second.id}`, { status: "SUSPENDED" });
    expect(refusal(await call(method, path, body))).toEqual([409, "INVALID_STATE"]);
    await call("PUT", `/${second.id}`, { status: "ACTIVE" });
    expect((await call(method, path, body)).status).toBeLessThan(300);
  });

  test("stays, of two who are removed at once", async () => {
    const owners = [await add("OWNER"), await add("OWNER", "second@shop.example")];
    const answers = await Promise.all(owners.map(({ id }) => call("DELETE", `/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect((await call("GET", "")).body.data).toHaveLength(1);
  });
});

describe("an invitation", () => {
  test("is a link of the console where nobody mails it, of which only a hash is kept", async () => {
    const member = await add("OWNER");
    const { status, body } = await call("POST", `/${member.id}/invite`);
    expect([status, body.data.member]).toEqual([200, member]);
    const { url } = body.data;
    expect(url).toMatch(new RegExp(`^${origin}/console/${shop.of.account.shop}/enter\\?token=[\\w-]{43}$`));
    const rows = await select<{ token_hash: string }>(
      "SELECT * FROM staff_links WHERE staff_id = ?",
      member.id,
    );
    const token = new URL(url).searchParams.get("token")!;
    expect(rows.map(({ token_hash }) => token_hash)).toEqual([await sha256Hex(token)]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect((await events()).map(({ type }) => type)).toEqual(["staff.invited", "staff.invited"]);
  });

  test("under a key is made once, and its answer is kept sealed", async () => {
    const { id } = await add("OWNER");
    const send = () => call("POST", `/${id}/invite`, undefined, { "Idempotency-Key": "once" });
    const [first, again] = [await send(), await send()];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    const token = new URL(first.body.data.url).searchParams.get("token")!;
    expect(JSON.stringify(await select("SELECT * FROM idempotency_keys"))).not.toContain(token);
  });

  test("is refused for somebody who is suspended", async () => {
    const { id } = await add("VIEWER");
    await call("PUT", `/${id}`, { status: "SUSPENDED" });
    expect(refusal(await call("POST", `/${id}/invite`))).toEqual([409, "INVALID_STATE"]);
  });
});

test("a key needs the scope of staff, and one that reads changes nothing", async () => {
  await add("OWNER");
  const [without, reading] = [
    await limitedKey(shop.of, ["account:write"]),
    await limitedKey(shop.of, ["staff:read"]),
  ];
  const body = { email: "kim@shop.example", role: "OWNER" };
  expect((await worker.call(without, "GET", "/api/staff")).status).toBe(403);
  expect((await worker.call(reading, "GET", "/api/staff")).status).toBe(200);
  expect((await worker.call(reading, "POST", "/api/staff", { body })).status).toBe(403);
  expect((await worker.call(shop.customer, "GET", "/api/staff")).status).toBe(403);
});
