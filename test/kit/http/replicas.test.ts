/** A reader never reads what is older than its own writes and reads, wherever a replica stands. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { callTool } from "../../edges/mcp/session.ts";
import { api, deployment } from "../../support/client.ts";
import { bookmarkOf, openReplicated } from "../../support/replica.ts";
import { openTenant, type Tenant } from "../../support/tenant.ts";

const path = "/api/subscriptions/skip-reasons";
const header = "X-D1-Bookmark";
const reason = { label: "Holiday" };

let of: Tenant;
let replicated: Awaited<ReturnType<typeof openReplicated>>;
let send: typeof api;
beforeAll(async () => {
  of = await openTenant();
  replicated = await openReplicated();
  send = deployment({ DB: replicated.DB, READ_REPLICAS: "on" }) as typeof api;
});

async function create() {
  const created = await send(of, "POST", path, { body: reason });
  expect(created.status).toBe(200);
  return { id: created.body.data.id as string, bookmark: created.headers.get(header)! };
}

function read(id: string, bookmark?: string) {
  return send(of, "GET", `${path}/${id}`, bookmark === undefined ? {} : { headers: { [header]: bookmark } });
}

test("a reader who sends the bookmark of a write reads that write, wherever the replica stands", async () => {
  const { id, bookmark } = await create();
  expect((await read(id)).status).toBe(404);
  expect((await read(id, bookmark)).body).toMatchObject({ data: { id, ...reason } });
  const before = replicated.answeredByReplica();
  await replicated.catchUp();
  for (const sent of [undefined, bookmark])
    expect((await read(id, sent)).body).toMatchObject({ data: { id } });
  expect(replicated.answeredByReplica()).toBe(before + 2);
});

test("a read answers how far it has seen, so that the next does not fall behind it", async () => {
  const { id, bookmark } = await create();
  const { headers } = await read(id, bookmark);
  expect(headers.get(header)).toBe(bookmark);
  expect((await read(id, headers.get(header)!)).status).toBe(200);
});

test("a write decides on the primary: what was just created can be changed and repeated", async () => {
  const { id } = await create();
  const changed = await send(of, "PUT", `${path}/${id}`, { body: { label: "Away" } });
  expect([changed.status, changed.body.data.label]).toEqual([200, "Away"]);
  const keyed = { body: reason, headers: { "Idempotency-Key": newId() } };
  const [first, again] = [await send(of, "POST", path, keyed), await send(of, "POST", path, keyed)];
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("Idempotency-Replayed")).toBe("true");
});

describe("read on the primary", () => {
  test("settings", async () => {
    const changed = await send(of, "PUT", "/api/account", { body: { dunning_retry_days: [2, 4] } });
    expect(changed.status).toBe(200);
    const answer = await send(of, "GET", "/api/account");
    expect(answer.body.data.dunning_retry_days).toEqual([2, 4]);
    expect(answer.headers.get(header)).toBeNull();
  });

  test("credentials: a key works from the moment it is made", async () => {
    const late = await openTenant();
    expect((await send(late, "GET", path)).body).toEqual([]);
  });

  test("agents, who cannot send a bookmark back", async () => {
    const { id } = await create();
    const { result } = await callTool(of, "getSkipReason", { id }, { send });
    expect(result.structuredContent).toMatchObject({ data: { id } });
  });
});

test.each(["", "a b", "x".repeat(129), "a;b"])(
  "%j is no bookmark: 400, naming the header, with replicas and without",
  async (sent) => {
    for (const ask of [send, api]) {
      const answer = await ask(of, "GET", path, { headers: { [header]: sent } });
      expect(answer.status).toBe(400);
      expect(answer.body.details).toEqual([
        { path: header, message: "must be the bookmark of an earlier response" },
      ]);
    }
  },
);

test("a bookmark that the database does not know is answered by the primary", async () => {
  const { id } = await create();
  expect((await read(id, bookmarkOf(1_000_000))).status).toBe(200);
});

test("without READ_REPLICAS nothing is bookmarked, and a bookmark makes no difference", async () => {
  const headers = { [header]: bookmarkOf(1) };
  const created = await api(of, "POST", path, { body: reason, headers });
  const found = await api(of, "GET", `${path}/${created.body.data.id}`, { headers });
  expect([created.status, found.status]).toEqual([200, 200]);
  for (const { headers } of [created, found]) expect(headers.get(header)).toBeNull();
});
