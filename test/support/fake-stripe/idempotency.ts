import { StripeError } from "./errors.ts";
import type { FakeAccount } from "./store.ts";

/** An answer that a request with an idempotency key has had. */
export type Answer = { status: number; body: string };
export type Saved = Answer & { endpoint: string; params: string; at: number; requestId: string };

/** Keys are removed once they are at least 24 hours old (docs.stripe.com/api/idempotent_requests). */
const keptMs = 24 * 3_600_000;

type Keyed = { key: string; endpoint: string; params: string; requestId: string };

/**
 * The answer that was saved for a key. The same key with other parameters, or at another endpoint, is refused, and one whose first request
 * is still under way is a conflict (docs.stripe.com/api/idempotent_requests; the messages: logs of public apps; that the conflict's type is
 * idempotency_error: guess).
 */
export function findSaved(account: FakeAccount, { key, endpoint, params }: Keyed): Saved | undefined {
  if (key.length > 255) throw refusal(400, "Idempotency keys can have up to 255 characters.");
  if (account.inFlight.has(key))
    throw refusal(
      409,
      `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      "idempotency_key_in_use",
    );
  const saved = account.idempotency.get(key);
  if (!saved || account.nowMs() - saved.at >= keptMs) return undefined;
  if (saved.endpoint !== endpoint)
    throw refusal(
      400,
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${saved.endpoint}' vs '${endpoint}'). Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  if (saved.params !== params)
    throw refusal(
      400,
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  return saved;
}

export function saveAnswer(account: FakeAccount, { key, ...of }: Keyed, answer: Answer): void {
  account.idempotency.set(key, { ...of, ...answer, at: account.nowMs() });
}

function refusal(status: number, message: string, code?: string): StripeError {
  return new StripeError(
    status,
    { type: "idempotency_error", message, ...(code ? { code } : {}) },
    { isBefore: true },
  );
}
