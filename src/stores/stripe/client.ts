import { z } from "zod";
import { type Env, isDeployed } from "../../base/env.ts";
import { AccessDeniedError, StoreRefusalError, StoreThrottledError, UnknownOutcomeError } from "../port.ts";
import { encodeForm } from "./form.ts";

/** The version that requests and answers have the form of: https://docs.stripe.com/api/versioning */
export const apiVersion = "2026-10-28.endive";

/** The access to an account at Stripe: with a secret or a restricted key, where, if not at Stripe itself, and by what instead of `fetch`. */
type StripeAccess = { secretKey: string; apiUrl?: string | undefined; send?: typeof fetch };

/** A stand-in for Stripe's API, where this is no deployment and one is named. */
export function apiUrlOf({ ENVIRONMENT, STRIPE_API_URL }: Pick<Env, "ENVIRONMENT" | "STRIPE_API_URL">) {
  return isDeployed(ENVIRONMENT) ? undefined : STRIPE_API_URL;
}

export type StripeRequest = {
  method: "GET" | "POST" | "DELETE";
  path: string;
  params?: object;
  /** The Idempotency-Key of a POST: https://docs.stripe.com/api/idempotent_requests */
  key?: string;
};

/**
 * The answer of an earlier request with the key, which has failed: Stripe keeps it for a day, even one of 500, and says nothing about now.
 * An earlier request with other parameters is another one, too.
 */
export class StoredFailureError extends UnknownOutcomeError {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/**
 * Sends a request to Stripe's API. Throws StoreThrottledError if it was not processed because of others, StoreRefusalError if it was
 * refused, StoredFailureError for what an earlier one with its key has failed by, UnknownOutcomeError if there is no clear answer.
 */
export async function requestStripe(connection: StripeAccess, request: StripeRequest): Promise<unknown> {
  const response = await sendRequest(connection, request);
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw errorOf(response, body);
  if (body === undefined) throw new UnknownOutcomeError("Stripe's answer cannot be read");
  return body;
}

/** Longer than Stripe takes to answer, and much shorter than the lease of a claim. */
const timeoutMs = 20_000;

const stripeUrl = "https://api.stripe.com";

function sendRequest(connection: StripeAccess, request: StripeRequest): Promise<Response> {
  const { secretKey, apiUrl = stripeUrl, send = fetch } = connection;
  const { method, path, params = {}, key } = request;
  const form = encodeForm(params);
  const isPost = method === "POST";
  const query = isPost || form.size === 0 ? "" : `?${form}`;
  return send(`${apiUrl}${path}${query}`, {
    method,
    headers: {
      Authorization: `Bearer ${secretKey}`,
      "Stripe-Version": apiVersion,
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
    },
    ...(isPost ? { body: form } : {}),
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error) => {
    throw new UnknownOutcomeError(
      `Stripe cannot be reached: ${error instanceof Error ? error.name : "failed"}`,
    );
  });
}

const text = z.string().nullish();
const errorSchema = z.object({
  error: z.object({ type: text, code: text, decline_code: text, message: text }),
});
type StripeError = z.output<typeof errorSchema>["error"];

/** The meaning of Stripe's codes of HTTP: https://docs.stripe.com/api/errors, https://docs.stripe.com/error-low-level */
function errorOf(response: Response, body: unknown): Error {
  const { status, headers } = response;
  const error: StripeError = errorSchema.safeParse(body).data?.error ?? {};
  const message = error.message ?? `Stripe answered ${status}`;
  if (status === 429 || error.code === "lock_timeout")
    return new StoreThrottledError(message, Number(headers.get("Retry-After")) || throttledSeconds);
  if (status === 409) return new UnknownOutcomeError(message);
  const isStored = headers.get("Idempotent-Replayed") === "true";
  if (isStored || error.type === "idempotency_error") return new StoredFailureError(message, status);
  if (status >= 500 || status === dependencyFailed) return new UnknownOutcomeError(message);
  return status === 403
    ? new AccessDeniedError(message, codesOf(status, error))
    : new StoreRefusalError(message, codesOf(status, error));
}

const throttledSeconds = 2;
/** Something beyond Stripe has failed, which says nothing of what it has done. */
const dependencyFailed = 424;

/** The reason of a card's issuer before Stripe's own code, which only says that there is one. */
function codesOf(status: number, { decline_code, code, type }: StripeError): string[] {
  const named = [decline_code, code, type].filter((found) => found != null);
  return [...named, `HTTP_${status}`];
}
