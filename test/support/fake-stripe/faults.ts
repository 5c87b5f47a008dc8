/** How the next requests fail. */
export type Fault = {
  /**
   * `network` and `timeout` reject. `http500` is an answer of the endpoint, which an idempotency key keeps (docs.stripe.com/api/idempotent_requests);
   * `http502` is one of a gateway before it, `http429` of the rate limiter before the idempotency layer (docs.stripe.com/error-low-level).
   * `lock_timeout` is a 429 that another request's hold of the record leads to (docs.stripe.com/rate-limits); that no key keeps it: guess.
   */
  kind: "network" | "timeout" | "http500" | "http502" | "http429" | "lock_timeout" | "malformed";
  /**
   * The fate of the request: it is not processed; it is processed and only its answer is lost (`done`); or it is under way until the
   * test calls arriveLate(), and its idempotency key is in use. A 429 and a 502 are never processed.
   */
  effect?: "none" | "done" | "late";
  /** How many requests fail; 1 by default. */
  times?: number;
  /** Only those with this operation, as `payment_intents.confirm`. */
  on?: string;
};

/** The answer that a fault leads to; throws if there is none. */
export function failed({ kind }: Fault): Response {
  switch (kind) {
    case "network":
      throw new Error("Network connection lost.");
    case "timeout":
      throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
    case "http500":
      return json(serverError, 500);
    case "http502":
      return new Response(html, { status: 502, headers: { "Content-Type": "text/html" } });
    case "http429":
      return json(rateLimited, 429, { "Stripe-Rate-Limited-Reason": "global-rate" });
    case "lock_timeout":
      return json(lockTimeout, 429, { "Stripe-Rate-Limited-Reason": "resource-specific" });
    case "malformed":
      return json('{"id":"pi_');
  }
}

/** docs.stripe.com/api/errors, `api_error`; the message: logs of public apps. */
export const serverError = {
  error: {
    type: "api_error",
    message:
      "Sorry! There was an error while talking to one of our servers. Please try again or contact us at https://support.stripe.com/.",
  },
};

/** docs.stripe.com/error-codes, `rate_limit`; the type: docs.stripe.com/error-handling has it among invalid requests. */
const rateLimited = {
  error: {
    type: "invalid_request_error",
    code: "rate_limit",
    message:
      "Request rate limit exceeded. Learn more about rate limits here https://docs.stripe.com/rate-limits.",
  },
};

/** docs.stripe.com/error-codes, `lock_timeout`. */
const lockTimeout = {
  error: {
    type: "invalid_request_error",
    code: "lock_timeout",
    message:
      "This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request. If you see this error frequently and are making multiple concurrent requests to a single object, make your requests serially or at a lower rate.",
  },
};

const html = "<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>";

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", "Request-Id": "req_fault", ...headers },
  });
}
