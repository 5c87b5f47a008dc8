/** The typed client repeats what is safe to repeat, and throws a failure in its own words. */
import { beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import {
  type Client,
  type ClientOptions,
  createClient,
  PerennialError,
  unwrap,
} from "../../clients/typescript/src/index.ts";
import { origin } from "../support/client.ts";
import { fetchWorker } from "../support/fetch-worker.ts";
import { openShop, type Shop } from "../support/shops.ts";

const reasonsPath = "/api/subscriptions/skip-reasons";
const reasonPath = "/api/subscriptions/skip-reasons/{id}";
const page = "<html>\n  <h1>Bad gateway</h1>\n</html>";

let shop: Shop;
let sent: Request[] = [];
beforeAll(async () => {
  shop = await openShop();
});

function clientOf(options: Partial<ClientOptions> = {}): Client {
  sent = [];
  return createClient({ baseUrl: origin, apiKey: shop.of.key, ...options });
}

/** Answers the first tries as a proxy would, then passes requests on to the Worker. */
function behindProxy(status: number, failures: number) {
  return async (request: Request) => {
    sent.push(request.clone());
    if (sent.length > failures) return fetchWorker(request);
    return new Response(page, { status, headers: { "Content-Type": "text/html", "Retry-After": "0" } });
  };
}

/** Never answers the first requests, as a server whose connection is dead; then passes them on to the Worker. */
function silent(times: number) {
  return (request: Request) => {
    sent.push(request.clone());
    if (sent.length > times) return fetchWorker(request);
    return new Promise<Response>((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
    });
  };
}

const newReason = { body: { label: "Freezer is full" } };

async function create(client: Client = clientOf({ fetch: fetchWorker })): Promise<string> {
  return (await unwrap(client.POST(reasonsPath, newReason))).data.id;
}

describe("the typed client and answers without a body", () => {
  test("a deletion that succeeds has nothing to return, and throws nothing", async () => {
    const id = await create();
    const client = clientOf({ fetch: fetchWorker });
    const remove = () => client.DELETE(reasonPath, { params: { path: { id } } });
    const nothing = await unwrap(remove());
    expectTypeOf(nothing).toEqualTypeOf<undefined>();
    expect(nothing).toBeUndefined();
    await expect(unwrap(remove())).rejects.toMatchObject({ status: 404, errorCode: "NOT_FOUND" });
  });

  test.each([200, 502])("a %i without a body is thrown with its status", async (status) => {
    const empty = new Response(null, { status, headers: { "Content-Length": "0" } });
    const client = clientOf({ retries: 0, fetch: async () => empty.clone() });
    await expect(unwrap(client.GET(reasonsPath))).rejects.toMatchObject({
      name: "PerennialError",
      status,
      message: `${status}: the answer has no body, so it does not come from the API`,
    });
  });
});

describe("the typed client and errors that the API has not answered", () => {
  test("their message says the status and what came; there is no error code", async () => {
    const client = clientOf({ retries: 0, fetch: behindProxy(502, 9) });
    const failure = await unwrap(client.GET(reasonsPath)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PerennialError);
    expect(failure).toMatchObject({
      status: 502,
      errorCode: undefined,
      details: [],
      requestId: undefined,
      message: "502: the answer does not come from the API: <html> <h1>Bad gateway</h1> </html>",
    });
  });

  test.each([
    ["a JSON of another server", JSON.stringify({ message: "no route" }), '{"message":"no route"}'],
    ["JSON that is no object", "null", "null"],
    ["a long text", "x".repeat(5_000), `${"x".repeat(200)}…`],
  ])("%s is shown as it came, in 200 characters at most", async (_, body, shown) => {
    const headers = { "X-Request-Id": "of-the-proxy" };
    const client = clientOf({ retries: 0, fetch: async () => new Response(body, { status: 404, headers }) });
    await expect(unwrap(client.GET(reasonsPath))).rejects.toMatchObject({
      message: `404: the answer does not come from the API: ${shown}`,
      requestId: "of-the-proxy",
    });
  });

  test("a 409 that is none of the API's is not repeated, and is thrown", async () => {
    const client = clientOf({ fetch: behindProxy(409, 9) });
    await expect(unwrap(client.GET(reasonsPath))).rejects.toMatchObject({ status: 409 });
    expect(sent).toHaveLength(1);
  });
});

describe("the typed client and a proxy that cannot reach the API", () => {
  test.each([502, 503, 504])("repeats what is safe to repeat after %i", async (status) => {
    await unwrap(clientOf({ fetch: behindProxy(status, 2) }).GET(reasonsPath));
    expect(sent).toHaveLength(3);
    const id = await create(clientOf({ fetch: behindProxy(status, 2) }));
    expect(new Set(sent.map(({ headers }) => headers.get("Idempotency-Key"))).size).toBe(1);
    const params = { path: { id } };
    const client = clientOf({ fetch: behindProxy(status, 2) });
    await unwrap(client.PUT(reasonPath, { params, body: { label: "Another" } }));
    expect(sent).toHaveLength(3);
    await unwrap(clientOf({ fetch: behindProxy(status, 2) }).DELETE(reasonPath, { params }));
    expect(sent).toHaveLength(3);
  });

  test.each([502, 504])("does not repeat a POST without an Idempotency-Key after %i", async (status) => {
    const client = clientOf({ fetch: behindProxy(status, 9) });
    const asking = unwrap(client.POST("/api/auth/token", { body: { actor_type: "admin" } }));
    await expect(asking).rejects.toMatchObject({ status });
    expect(sent).toHaveLength(1);
  });
});

describe("the typed client and a server that is silent", () => {
  test("a try without an answer ends after timeoutMs, and is repeated", async () => {
    const id = await create(clientOf({ timeoutMs: 20, fetch: silent(1) }));
    expect(sent).toHaveLength(2);
    expect(id).toEqual(expect.any(String));
  });

  test("the last try throws a TimeoutError that names the request", async () => {
    const client = clientOf({ timeoutMs: 20, retries: 1, fetch: silent(9) });
    await expect(client.GET(reasonsPath)).rejects.toMatchObject({
      name: "TimeoutError",
      message: `GET ${origin}${reasonsPath} had no answer within 20 ms`,
    });
    expect(sent).toHaveLength(2);
  });

  test("a POST without an Idempotency-Key is not repeated after its time", async () => {
    const client = clientOf({ timeoutMs: 20, fetch: silent(9) });
    const asking = client.POST("/api/auth/token", { body: { actor_type: "admin" } });
    await expect(asking).rejects.toMatchObject({ name: "TimeoutError" });
    expect(sent).toHaveLength(1);
  });

  test("a body that does not end is bounded too", async () => {
    const endless = (request: Request) => {
      const body = new ReadableStream({
        start: (controller) => {
          request.signal.addEventListener("abort", () => controller.error(request.signal.reason));
        },
      });
      return Promise.resolve(new Response(body, { headers: { "Content-Type": "application/json" } }));
    };
    const client = clientOf({ timeoutMs: 20, fetch: endless });
    await expect(client.GET(reasonsPath)).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("the caller's signal ends a try at once, and is not repeated", async () => {
    const client = clientOf({ fetch: silent(9) });
    const asking = client.GET(reasonsPath, { signal: AbortSignal.timeout(20) });
    await expect(asking).rejects.toMatchObject({ name: "TimeoutError" });
    expect(sent).toHaveLength(1);
  });

  test("the caller's signal ends the pause before a repetition", async () => {
    const caller = new AbortController();
    const client = clientOf({
      fetch: async (request) => {
        sent.push(request);
        setTimeout(() => caller.abort(new Error("not needed any more")), 20);
        return new Response(null, { status: 503, headers: { "Retry-After": "30" } });
      },
    });
    await expect(client.GET(reasonsPath, { signal: caller.signal })).rejects.toThrow("not needed any more");
    expect(sent).toHaveLength(1);
  });

  test.each([0, 2_147_483_647])("timeoutMs %i is taken: 0 is no limit", async (timeoutMs) => {
    await unwrap(clientOf({ timeoutMs, fetch: fetchWorker }).GET(reasonsPath));
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648])(
    "timeoutMs %d is refused when the client is made",
    (timeoutMs) => {
      expect(() => clientOf({ timeoutMs })).toThrow("timeoutMs must be from 0 to 2147483647");
    },
  );
});
