import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Log } from "../../base/lib/log.ts";
import type { Asset } from "../assets.ts";
import { type ClientOptions, requestOf } from "./request.ts";

type Served = ClientOptions & {
  port: number;
  host: string;
  assets: Map<string, Asset>;
  fetch: (request: Request) => Promise<Response>;
  log: Log;
};

/** Serves files, and everything else by `fetch`. Throws where the port cannot be used. */
export async function serveHttp({ port, host, assets, fetch, log, trustProxy }: Served) {
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error) => fail(error, outgoing, log));
  });

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const asset = isRead(incoming) ? assets.get(incoming.url?.split("?")[0] ?? "") : undefined;
    if (asset) return sendAsset(asset, incoming, outgoing);
    const request = requestOf(incoming, outgoing, { trustProxy });
    if (!request) return void outgoing.writeHead(400).end();
    await send(await fetch(request), incoming, outgoing);
  }

  server.keepAliveTimeout = keepAliveMs;
  server.listen(port, host);
  await once(server, "listening");
  return { stop: (ms: number) => stop(server, ms) };
}

/** Longer than proxies keep an idle connection, so that none sends a request into one that ends. */
const keepAliveMs = 65_000;

function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

function sendAsset(
  { body, headers }: Asset,
  { method, headers: asked }: IncomingMessage,
  to: ServerResponse,
) {
  if (asked["if-none-match"] === headers.etag) return void to.writeHead(304, headers).end();
  to.writeHead(200, { ...headers, "content-length": body.length });
  to.end(method === "HEAD" ? undefined : body);
}

async function send(answer: Response, { method }: IncomingMessage, to: ServerResponse): Promise<void> {
  to.statusCode = answer.status;
  for (const [name, value] of answer.headers) to.appendHeader(name, value);
  if (!answer.body || method === "HEAD") return void to.end();
  await pipeline(Readable.fromWeb(answer.body as never), to);
}

/** A client that has gone is no failure of ours. */
function fail(error: Error & { code?: string }, to: ServerResponse, log: Log): void {
  const isGone = error.name === "AbortError" || error.code === "ERR_STREAM_PREMATURE_CLOSE";
  if (!isGone) log("host_failed", { alert: true, cause: String(error) });
  if (to.headersSent) to.destroy();
  else to.writeHead(500, { "content-type": "application/json" }).end(broken);
}

const broken = JSON.stringify({ error: "Something went wrong on our side", errorCode: "INTERNAL" });

/** Takes no more connections, and gives the requests that are under way so long. */
async function stop(server: Server, ms: number): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), ms);
  await closed;
  clearTimeout(late);
}
