import type Stripe from "stripe";
import { StoreRefusalError, UnknownOutcomeError } from "../port.ts";
import { type Cancellation, type Intent, intentSchema } from "./intents.ts";
import type { AskStripe, SentParams } from "./request.ts";
import { parseResponse } from "./responses.ts";

/** An answer about an intent shows its last charge, too, which says why that has failed. */
export const expand = ["latest_charge"];

export function pathOf({ id }: Pick<Intent, "id">): string {
  return `/v1/payment_intents/${encodeURIComponent(id)}`;
}

/** An intent as it is now. Another account at Stripe does not have it, which says nothing about it. */
export async function readIntent(ask: AskStripe, id: string): Promise<Intent> {
  const answer = await ask({ method: "GET", path: pathOf({ id }), params: { expand } }).catch((error) => {
    throw error instanceof StoreRefusalError ? new UnknownOutcomeError(error.message) : error;
  });
  return parseResponse(intentSchema, answer);
}

/**
 * Cancels an intent and returns it; as it is where Stripe does not cancel it, since it has gone on meanwhile. It has no key, because to cancel
 * twice changes nothing.
 */
export async function cancelIntent(ask: AskStripe, intent: Intent, reason?: Cancellation): Promise<Intent> {
  const params: SentParams<Stripe.PaymentIntentCancelParams> = { cancellation_reason: reason, expand };
  try {
    const canceled = await ask({ method: "POST", path: `${pathOf(intent)}/cancel`, params });
    return parseResponse(intentSchema, canceled);
  } catch (error) {
    if (!(error instanceof StoreRefusalError)) throw error;
    const now = await readIntent(ask, intent.id);
    if (now.status !== intent.status) return now;
    throw new UnknownOutcomeError(`Stripe does not cancel the payment: ${error.message}`);
  }
}
