import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import type { Bindings } from "../../src/base/env.ts";
import worker from "../../src/worker.ts";
import { sharedWithObjects } from "./objects.ts";

export const origin = "https://perennial.test";

/** Whoever calls: the headers that prove it. */
export type Caller = { credentials: Record<string, string> };
export const nobody: Caller = { credentials: {} };

type Query = Record<string, string | number | boolean>;
export type RequestOptions = {
  query?: Query;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is; Content-Type is then the caller's to set. */
  raw?: BodyInit;
};

export type Answer<B = unknown> = { status: number; headers: Headers; text: string; body: B };

export function requestOf(
  { credentials }: Caller,
  method: string,
  path: string,
  { query = {}, headers = {}, body, raw }: RequestOptions = {},
): Request {
  const url = new URL(path, origin);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value));
  const json: Record<string, string> = body === undefined ? {} : { "Content-Type": "application/json" };
  const payload = raw ?? (body === undefined ? null : JSON.stringify(body));
  return new Request(url, {
    method,
    headers: { ...json, ...credentials, ...headers },
    body: payload,
    redirect: "manual",
    ...(payload instanceof ReadableStream ? { duplex: "half" } : {}),
  });
}

export function send<B = unknown>(request: Request): Promise<Answer<B>> {
  return ask<B>(request, env);
}

/** A request over HTTP, as a client would make it. `B` is what the test takes the body for. */
// biome-ignore lint/suspicious/noExplicitAny: a test states the body's type where it matters
export function api<B = any>(
  caller: Caller,
  method: string,
  path: string,
  options?: RequestOptions,
): Promise<Answer<B>> {
  return send<B>(requestOf(caller, method, path, options));
}

/**
 * A request through the runtime, which gives it an invocation of its own. Those of `api` share the test's, in which timers wait
 * until nothing else goes on.
 */
export async function apiOfItsOwn(...args: Parameters<typeof requestOf>): Promise<Answer> {
  return answerOf(await exports.default.fetch(requestOf(...args)));
}

/** The Worker under other bindings: lower limits, an identity provider, allowed origins. */
export function deployment(overrides: Partial<Bindings>) {
  const bindings: Bindings = { ...env, ...overrides };
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return <B = any>(...args: Parameters<typeof requestOf>): Promise<Answer<B>> =>
    ask<B>(requestOf(...args), bindings);
}

async function answerOf<B>(response: Response): Promise<Answer<B>> {
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(
    await response.arrayBuffer(),
  );
  const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "");
  const body = (isJson && text !== "" ? JSON.parse(text) : undefined) as B;
  return { status: response.status, headers: response.headers, text, body };
}

/**
 * Calls the Worker's own `fetch`, which takes half as long as a request through the runtime. Work that goes on after the answer
 * is done when this returns.
 */
async function ask<B>(request: Request, bindings: Bindings): Promise<Answer<B>> {
  const ctx = createExecutionContext();
  const answer = await answerOf<B>(await worker.fetch(request, sharedWithObjects(bindings), ctx));
  await waitOnExecutionContext(ctx);
  return answer;
}
