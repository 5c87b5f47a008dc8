import { z } from "zod";
import { AccessDeniedError, StoreRefusalError, StoreThrottledError, UnknownOutcomeError } from "../port.ts";
import { adminUrl } from "./app/domain.ts";
import { noteCost, sendPaced } from "./pacing.ts";

/** The version that every document is validated against (test/stores/shopify). */
export const apiVersion = "2026-10";

/** The request was processed, and fields of its answer that the app has no scope for are null. */
export class PartlyDeniedError extends AccessDeniedError {
  readonly data: unknown;

  constructor(message: string, codes: string[], data: unknown) {
    super(message, codes);
    this.data = data;
  }
}

/**
 * Sends a query to the Admin API (GraphQL, throttled by cost), once the shop has the points for it. Throws StoreThrottledError if it was throttled and so not
 * processed, StoreRefusalError if it was refused, UnknownOutcomeError if there is no clear answer.
 */
export async function requestShopify<D>(
  connection: ShopAccess,
  query: string,
  variables: Record<string, unknown>,
): Promise<D> {
  return sendPaced(connection.shop, query, () => sendQuery(connection, query, variables));
}

async function sendQuery<D>(
  connection: ShopAccess,
  query: string,
  variables: Record<string, unknown>,
): Promise<D> {
  const response = await post(connection, JSON.stringify({ query, variables }));
  const version = response.headers.get("X-Shopify-API-Version");
  if (version !== null) connection.noteVersion?.(version);
  requireAnswer(response);
  const parsed = envelope.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) throw new UnknownOutcomeError("Shopify's answer cannot be read");
  const answer = parsed.data;
  const { cost } = answer.extensions ?? {};
  if (cost) noteCost(connection.shop, query, cost);
  const codes = codesOf(answer);
  if (codes.includes("THROTTLED"))
    throw new StoreThrottledError("Shopify has throttled the request", secondsToRestore(answer));
  if (codes.some((code) => code === "INTERNAL_SERVER_ERROR" || code === "TIMEOUT"))
    throw new UnknownOutcomeError("Shopify reported an internal error");
  if (isDenied(codes)) throw deniedError(answer, codes);
  if (answer.errors !== undefined) throw new StoreRefusalError(messageOf(answer), codes);
  if (!answer.data) throw new UnknownOutcomeError("Shopify's answer is empty");
  return answer.data as D;
}

/** Longer than Shopify takes to answer, and much shorter than the lease of a claim. */
const timeoutMs = 20_000;

/**
 * The access to a shop: its myshopify.com domain, an Admin API access token, a replacement for `fetch`, and who is told the API
 * version of each answer.
 */
export type ShopAccess = {
  shop: string;
  token: string;
  send?: typeof fetch;
  noteVersion?: (answered: string) => void;
};

function isDenied(codes: string[]): boolean {
  return codes.length > 0 && codes.every((code) => code === "ACCESS_DENIED");
}

function deniedError(answer: Envelope, codes: string[]): AccessDeniedError {
  return answer.data == null
    ? new AccessDeniedError(messageOf(answer), codes)
    : new PartlyDeniedError(messageOf(answer), codes, answer.data);
}

const cost = z.object({
  requestedQueryCost: z.number().default(0),
  throttleStatus: z
    .object({
      currentlyAvailable: z.number(),
      maximumAvailable: z.number(),
      restoreRate: z.number().positive(),
    })
    .optional(),
});

const envelope = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .union([
      z.array(
        z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() }),
      ),
      z.string(),
    ])
    .optional(),
  extensions: z.object({ cost: cost.optional() }).optional(),
});
type Envelope = z.output<typeof envelope>;

/** Seconds until the leaky bucket holds the cost of the query. */
function secondsToRestore({ extensions }: Envelope): number {
  const { requestedQueryCost = 0, throttleStatus } = extensions?.cost ?? {};
  if (!throttleStatus) return 1;
  const missing = requestedQueryCost - throttleStatus.currentlyAvailable;
  return Math.max(1, Math.ceil(missing / throttleStatus.restoreRate));
}

function codesOf({ errors }: Envelope): string[] {
  return Array.isArray(errors) ? errors.map(({ extensions }) => extensions?.code ?? "UNKNOWN") : [];
}

/** Each message once: a list of denied records has the same one for each. */
function messageOf({ errors }: Envelope): string {
  if (!Array.isArray(errors)) return String(errors);
  return [...new Set(errors.map(({ message }) => message))].join("; ");
}

/** After any failure but 429 the request may have been processed. */
function requireAnswer(response: Response): void {
  if (response.status === 429)
    throw new StoreThrottledError(
      "Shopify accepts no requests now",
      Number(response.headers.get("Retry-After")) || 2,
    );
  if (response.status >= 500) throw new UnknownOutcomeError(`Shopify answered ${response.status}`);
  if (!response.ok)
    throw new StoreRefusalError(`Shopify answered ${response.status}`, [`HTTP_${response.status}`]);
}

function post({ shop, token, send = fetch }: ShopAccess, body: string): Promise<Response> {
  return send(adminUrl(shop, `api/${apiVersion}/graphql.json`), {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Shopify-Access-Token": token },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error) => {
    throw new UnknownOutcomeError(
      `Shopify cannot be reached: ${error instanceof Error ? error.name : "failed"}`,
    );
  });
}
