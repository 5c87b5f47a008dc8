import createFetchClient, { type Client as FetchClient, type Middleware } from "openapi-fetch";
import { retrying } from "./retry.ts";
import type { paths } from "./schema.ts";
import { type Fetch, requireTimeout } from "./timeout.ts";

export type Client = FetchClient<paths>;

export type ClientOptions = {
  /** Where the deployment is, such as https://api.example.com. */
  baseUrl: string;
  /** The account's key. It belongs on a server, never in a browser. */
  apiKey?: string;
  /** A bearer token, or what gives the present one. */
  token?: string | (() => string | Promise<string>);
  /** How often a request is repeated that had no answer, or one that asks to try again. 2 by default. */
  retries?: number;
  /** How long one try may take, its answer included: 60,000 milliseconds by default, 0 for no limit. */
  timeoutMs?: number;
  /** Sends a request. The runtime's own by default. */
  fetch?: Fetch;
};

/**
 * A client of one deployment. Its methods take the paths, parameters and bodies of the API's document, and answer `{data}` or
 * `{error}`. Requests that fail for a moment are repeated: those that create something under one Idempotency-Key, so that they
 * take effect once.
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, token, retries = 2, timeoutMs = 60_000, fetch } = options;
  requireTimeout(timeoutMs);
  const send: Fetch = fetch ?? ((request) => globalThis.fetch(request));
  const client = createFetchClient<paths>({ baseUrl, fetch: retrying(send, { retries, timeoutMs }) });
  client.use(credentials(apiKey, token), idempotencyKeys);
  return client;
}

function credentials(apiKey: ClientOptions["apiKey"], token: ClientOptions["token"]): Middleware {
  return {
    async onRequest({ request }) {
      if (apiKey !== undefined) request.headers.set("X-API-Key", apiKey);
      const bearer = typeof token === "function" ? await token() : token;
      if (bearer !== undefined) request.headers.set("Authorization", `Bearer ${bearer}`);
      return request;
    },
  };
}

/** The paths whose POST takes no Idempotency-Key: what signs in or only shows, what agents call, what is never done so far, what comes to the same when it is repeated, and what a store or a provider sends. */
export const unkeyedPaths: ReadonlySet<string> = new Set([
  "/api/account/mail/templates/{kind}/{locale}/preview",
  "/api/auth/token",
  "/api/portal/sessions",
  "/api/portal/store-sessions",
  "/mcp",
  "/mcp/readonly",
  "/webhooks/mail/{provider}/{account_id}",
  "/webhooks/shopify",
  "/webhooks/stripe/{account_id}",
  "/api/portal/payment-methods",
  "/api/portal/payment-methods/{setup_intent_id}/complete",
]);

/** A key is chosen before the first try, so that every repetition has the same one. */
const idempotencyKeys: Middleware = {
  onRequest({ request, schemaPath }) {
    if (request.method !== "POST" || unkeyedPaths.has(schemaPath)) return request;
    if (!request.headers.has("Idempotency-Key")) request.headers.set("Idempotency-Key", crypto.randomUUID());
    return request;
  },
};
