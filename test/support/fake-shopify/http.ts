import type { Bucket } from "./bucket.ts";
import { executeRequest, operationName } from "./execution.ts";
import { granted, isAccepted } from "./grant.ts";
import type { FakeStore } from "./store.ts";

/** A request that was read but not processed yet; `answer` processes it. */
export type Incoming = {
  operation: string | null;
  variables: Record<string, unknown>;
  answer(): Promise<Response>;
};

/** Reads a request for a token or for GraphQL. Nothing is processed until `answer` is called. */
export async function incoming(store: FakeStore, pool: Bucket, request: Request): Promise<Incoming> {
  if (new URL(request.url).pathname === grantPath)
    return { operation: "access_token", variables: {}, answer: () => granted(request.clone(), store) };
  const graphql = graphqlIn(await request.text());
  return {
    operation: graphql ? operationName(graphql.query) : null,
    variables: graphql?.variables ?? {},
    async answer() {
      const refusal = refusalOf(request, store);
      if (refusal) return refusal;
      if (!graphql) return json(400, { errors: { query: "Required parameter missing or invalid" } });
      const answer = json(200, await executeRequest(store, pool, graphql));
      answer.headers.set("X-Shopify-API-Version", store.settings.apiVersion);
      return answer;
    },
  };
}

const apiVersion = "2026-10";
const grantPath = "/admin/oauth/access_token";
const unauthorized = "[API] Invalid API key or access token (unrecognized login or wrong password)";

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "X-Request-Id": crypto.randomUUID() },
  });
}

/** Why a request does not reach GraphQL. */
function refusalOf(request: Request, store: FakeStore): Response | undefined {
  const { settings, isInstalled } = store;
  const { host, pathname } = new URL(request.url);
  if (host !== settings.shop || pathname !== `/admin/api/${apiVersion}/graphql.json`)
    return json(404, { errors: "Not Found" });
  if (!isInstalled || !isAccepted(store, request.headers.get("X-Shopify-Access-Token")))
    return json(401, { errors: unauthorized });
  if (request.method !== "POST") return json(405, { errors: "Method Not Allowed" });
  return request.headers.get("Content-Type")?.startsWith("application/json")
    ? undefined
    : json(415, { errors: "Unsupported Media Type" });
}

function graphqlIn(text: string): { query: string; variables: Record<string, unknown> } | undefined {
  try {
    const { query, variables } = JSON.parse(text);
    return typeof query === "string" ? { query, variables: variables ?? {} } : undefined;
  } catch {
    return undefined;
  }
}
