/** The typed client calls every kind of operation with the types of its answer, and reads every list to its end. */
import { beforeAll, describe, expect, test } from "vitest";
import { unkeyedPaths } from "../../clients/typescript/src/client.ts";
import {
  type Client,
  type ClientOptions,
  createClient,
  PerennialError,
  preview,
  records,
  unwrap,
} from "../../clients/typescript/src/index.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { origin } from "../support/client.ts";
import { operations } from "../support/document.ts";
import { fetchWorker } from "../support/fetch-worker.ts";
import { logOf, put } from "../support/records.ts";
import { openShop, type Shop } from "../support/shops.ts";

let shop: Shop;
let sent: Request[] = [];
beforeAll(async () => {
  shop = await openShop();
});

function clientOf(options: Partial<ClientOptions> = {}): Client {
  sent = [];
  const { "X-API-Key": apiKey, Authorization } = shop.admin.credentials;
  const send = async (request: Request) => {
    sent.push(request.clone());
    return fetchWorker(request);
  };
  return createClient({
    baseUrl: origin,
    apiKey: apiKey!,
    token: () => Authorization!.replace("Bearer ", ""),
    fetch: send,
    ...options,
  });
}

const newReason = { body: { label: "Freezer is full" } };
const reasonsPath = "/api/subscriptions/skip-reasons";

/** Sends to the Worker, and loses what the first tries answer. */
function losing(count: number) {
  let lost = 0;
  return async (request: Request): Promise<Response> => {
    sent.push(request.clone());
    const answer = await fetchWorker(request);
    if (lost++ < count) throw new TypeError("connection lost");
    return answer;
  };
}

describe("the typed client", () => {
  test("calls an operation with both credentials, and types its answer", async () => {
    const { data } = await unwrap(
      clientOf().GET("/api/profiles/{id}", { params: { path: { id: shop.profileId } } }),
    );
    expect([data.id, data.email_status]).toEqual([shop.profileId, null]);
  });

  test("answers an error as the document has it, or throws it", async () => {
    const call = () => clientOf().GET("/api/profiles/{id}", { params: { path: { id: newId() } } });
    const { error, response } = await call();
    expect([response.status, error?.errorCode]).toEqual([404, "NOT_FOUND"]);
    await expect(unwrap(call())).rejects.toThrow(PerennialError);
    await expect(unwrap(call())).rejects.toMatchObject({ status: 404, errorCode: "NOT_FOUND", details: [] });
  });

  test("repeats a request whose answer was lost under one Idempotency-Key: it takes effect once", async () => {
    const client = clientOf({ fetch: losing(2) });
    const { data } = await unwrap(client.POST(reasonsPath, newReason));
    const keys = sent.map(({ headers }) => headers.get("Idempotency-Key"));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    const all = await unwrap(clientOf().GET(reasonsPath));
    expect(all.map((reason) => reason.data.id)).toEqual([data.id]);
  });

  test("sends no key on exactly those paths whose POST takes none in the document", () => {
    const unkeyed = operations.filter(
      ({ method, parameters }) =>
        method === "POST" && !parameters?.some(({ name }) => name === "Idempotency-Key"),
    );
    expect(unkeyed.map(({ path }) => path).toSorted()).toEqual([...unkeyedPaths].toSorted());
  });

  test("gives each thing that is done a key of its own, and keeps the caller's", async () => {
    const client = clientOf();
    await client.POST(reasonsPath, newReason);
    await client.POST(reasonsPath, newReason);
    await client.POST(reasonsPath, { ...newReason, params: { header: { "Idempotency-Key": "mine" } } });
    const keys = sent.map(({ headers }) => headers.get("Idempotency-Key"));
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe("mine");
  });

  test("waits for as long as the answer asks, and gives up after its retries", async () => {
    const busy = new Response(null, { status: 503, headers: { "Retry-After": "0" } });
    const client = clientOf({
      retries: 3,
      fetch: async (request) => {
        sent.push(request);
        return busy.clone();
      },
    });
    const { response } = await client.GET("/health");
    expect([response.status, sent.length]).toEqual([503, 4]);
  });

  test("does not repeat what is not safe to repeat, nor a refusal", async () => {
    const token = clientOf({ fetch: losing(1) });
    await expect(token.POST("/api/auth/token", { body: { actor_type: "admin" } })).rejects.toThrow(TypeError);
    expect(sent).toHaveLength(1);
    await clientOf().POST(reasonsPath, { body: { label: "" } });
    expect(sent).toHaveLength(1);
  });
});

describe("every record of a list comes, page by page", () => {
  const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
    const list: Item[] = [];
    for await (const item of items) list.push(item);
    return list;
  };

  test("of a list with meta, with its filters", async () => {
    const client = clientOf();
    const body = (nth: number) => ({ profile_id: shop.profileId, entity_type: "dog", name: `Dog ${nth}` });
    for (const nth of [1, 2, 3, 4, 5])
      await unwrap(client.POST("/api/subscriptions/entities", { body: body(nth) }));
    sent = [];
    const query = { limit: 2, sort_by: "name" as const };
    const found = await all(records(client, "/api/subscriptions/entities", { params: { query } }));
    expect(found.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5].map((nth) => `Dog ${nth}`));
    expect(sent).toHaveLength(3);
  });

  test("of the event stream, and of the activity feed", async () => {
    const client = clientOf();
    for (const email of ["ada@example.com", "grace@example.com"])
      await unwrap(client.POST("/api/profiles", { body: { email } }));
    const events = await all(records(client, "/api/events", { params: { query: { limit: 1 } } }));
    expect(events.map(({ type }) => type)).toEqual(["api_key.created", "profile.created", "profile.created"]);
    const query = { start_date: "2020-01-01", end_date: "2099-12-31", limit: 1 };
    expect(await all(records(client, "/api/activity-logs", { params: { query } }))).toEqual([]);
    const logs = [1, 2, 3].map((nth) => logOf(shop.of, { created_at: `2026-03-0${nth}T00:00:00.000Z` }));
    await put("activity_logs", logs);
    const entries = await all(
      records(client, "/api/activity-logs", { params: { query: { ...query, page: 1 } } }),
    );
    expect(entries.map(({ id }) => id)).toEqual(logs.map(({ id }) => id).toReversed());
  });

  test("no further than they are asked for, and a refusal is thrown", async () => {
    const client = clientOf();
    for await (const { name } of records(client, "/api/subscriptions/entities", {
      params: { query: { limit: 1 } },
    })) {
      expect(name).toBe("Dog 5");
      break;
    }
    expect(sent).toHaveLength(1);
    const query = { profile_id: "x", limit: 500 };
    await expect(
      all(records(client, "/api/subscriptions/entities", { params: { query } })),
    ).rejects.toMatchObject({
      errorCode: "VALIDATION_FAILED",
      details: [{ path: "limit", message: "must be from 1 to 100" }],
    });
  });
});

describe("a preview of the typed client", () => {
  test("shows what a call would do, does exactly that, and refuses where it has changed since", async () => {
    const client = clientOf();
    const path = { id: shop.profileId };
    const named = (first_name: string) =>
      preview((params) =>
        client.PUT("/api/profiles/{id}", { params: { path, ...params }, body: { first_name } }),
      );
    const shown = await named("Ada");
    expect(shown.data.data.first_name).toBe("Ada");
    await unwrap(client.PUT("/api/profiles/{id}", { params: { path }, body: { last_name: "Lovelace" } }));
    const refused = await shown.confirm().catch((error) => error);
    expect(refused).toBeInstanceOf(PerennialError);
    expect([refused.errorCode, refused.preview.data.full_name]).toEqual(["PREVIEW_CHANGED", "Ada Lovelace"]);
    expect((await (await named("Ada")).confirm()).data.full_name).toBe("Ada Lovelace");
  });
});
