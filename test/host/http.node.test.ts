/** Requests come to the Worker as they were sent, with the client's true address, and answers go back as it made them. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { freePort } from "../../scripts/free-port.ts";
import { serveHttp } from "../../src/host/http/serve-http.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

type Answer = (request: Request) => Response | Promise<Response>;

async function serve(answer: Answer, { trustProxy = false } = {}) {
  const port = await freePort();
  const logged: string[] = [];
  const server = await serveHttp({
    ...{ port, host: "127.0.0.1", trustProxy, assets: new Map() },
    fetch: async (request) => answer(request),
    log: (event) => void logged.push(event),
  });
  stops.push(() => server.stop(1_000));
  return { origin: `http://127.0.0.1:${port}`, port, logged, stop: server.stop };
}

test("method, path, query, headers and body arrive as they were sent", async () => {
  const { origin } = await serve(async (request) =>
    Response.json([request.method, request.url, request.headers.get("x-one"), await request.text()]),
  );
  const sent = {
    method: "POST",
    headers: { "X-One": "1" },
    body: "größe",
  };
  const answer = await fetch(`${origin}/a%20b/?q=%2F&q=2`, sent);
  expect(await answer.json()).toEqual(["POST", `${origin}/a%20b/?q=%2F&q=2`, "1", "größe"]);
});

test("status, headers and each cookie of an answer arrive; HEAD has no body", async () => {
  const { origin } = await serve(() => {
    const headers = new Headers({ "X-Two": "2" });
    headers.append("Set-Cookie", "a=1");
    headers.append("Set-Cookie", "b=2");
    return new Response("text", { status: 418, headers });
  });
  const answer = await fetch(origin);
  expect([answer.status, answer.headers.get("x-two"), await answer.text()]).toEqual([418, "2", "text"]);
  expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  const head = await fetch(origin, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([418, ""]);
});

test.each([
  [false, { "X-Forwarded-For": "1.1.1.1", "CF-Connecting-IP": "2.2.2.2" }, "127.0.0.1", "http:"],
  [true, { "X-Forwarded-For": "6.6.6.6, 1.1.1.1", "X-Forwarded-Proto": "https" }, "1.1.1.1", "https:"],
  [true, {}, "127.0.0.1", "http:"],
])("with a trusted proxy (%s) and %j the client is at %s", async (trustProxy, headers, address, scheme) => {
  const { origin } = await serve(
    (request) => Response.json([request.headers.get("cf-connecting-ip"), new URL(request.url).protocol]),
    { trustProxy },
  );
  expect(await (await fetch(origin, { headers: headers as HeadersInit })).json()).toEqual([address, scheme]);
});

test("a failure is a plain 500 and a line; a client that has gone is neither", async () => {
  const { origin, logged } = await serve(({ url, signal }) => {
    if (url.endsWith("/slow"))
      return new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
    throw new Error("broken");
  });
  const answer = await fetch(origin);
  expect([answer.status, await answer.json()]).toEqual([
    500,
    expect.objectContaining({ errorCode: "INTERNAL" }),
  ]);
  await expect(fetch(`${origin}/slow`, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
  await wait(50);
  expect(logged).toEqual(["host_failed"]);
});

test("a request that names no host which a URL could have is refused", async () => {
  const { port } = await serve(() => new Response("served"));
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n");
  const [text] = await once(socket, "data");
  expect(String(text)).toMatch(/^HTTP\/1\.1 400 /);
});

test("to stop lets the request that is under way end, and refuses others", async () => {
  const { origin, stop } = await serve(() => wait(150).then(() => new Response("in time")));
  const asked = fetch(origin);
  await wait(50);
  const stopped = stop(5_000);
  await expect(fetch(origin)).rejects.toThrow();
  expect(await (await asked).text()).toBe("in time");
  await stopped;
});
