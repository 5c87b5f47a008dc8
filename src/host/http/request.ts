import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

export type ClientOptions = {
  /** Whether a proxy stands before this process, whose X-Forwarded-For and X-Forwarded-Proto are true. */
  trustProxy: boolean;
};

/** The request as the Worker takes it; undefined where it names no host that a URL could have. Its signal is of its client's going. */
export function requestOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { trustProxy }: ClientOptions,
): Request | undefined {
  const { method = "GET", rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
  headers.set("CF-Connecting-IP", addressOf(incoming, trustProxy));
  const scheme = trustProxy && headers.get("X-Forwarded-Proto") === "https" ? "https" : "http";
  const url = URL.parse(`${scheme}://${headers.get("Host") ?? "localhost"}${pathOf(incoming)}`);
  if (!url) return undefined;
  const gone = new AbortController();
  outgoing.on("close", () => outgoing.writableFinished || gone.abort());
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(url, {
    ...{ method, headers, signal: gone.signal, redirect: "manual" },
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: "half" } : {}),
  } as RequestInit);
}

/** A proxy's request may name a whole URL. */
function pathOf({ url = "/" }: IncomingMessage): string {
  return url.startsWith("/") ? url : (URL.parse(url)?.pathname ?? "/");
}

/** The last address that X-Forwarded-For names is the one that the proxy saw itself: a client can write the others. */
function addressOf({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? headers["x-forwarded-for"] : undefined;
  const last = String(forwarded ?? "")
    .split(",")
    .at(-1)
    ?.trim();
  return last || (socket.remoteAddress ?? "unknown");
}
