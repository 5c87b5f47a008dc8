import { z } from "zod";
import type { BrowserScript, PaymentConfirmation } from "../port/payment-methods.ts";
import { intentSchema, isChallenge } from "./intents.ts";
import { type AskStripe, readIfAny } from "./request.ts";
import { parseResponse } from "./responses.ts";

/**
 * Stripe.js, and the origins that a page's policy has to allow for it: https://docs.stripe.com/security/guide#content-security-policy. A
 * stand-in on this machine serves a script of its own.
 */
export function browserScript(standIn: string | undefined): BrowserScript {
  if (standIn !== undefined)
    return { src: `${standIn}/v3/`, scripts: [standIn], frames: [standIn], connections: [standIn] };
  return {
    src: "https://js.stripe.com/v3/",
    scripts: ["https://js.stripe.com", "https://*.js.stripe.com"],
    frames: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
    connections: ["https://api.stripe.com"],
  };
}

const confirmableSchema = intentSchema.extend({
  client_secret: z.string(),
  last_payment_error: intentSchema.shape.last_payment_error
    .unwrap()
    .extend({ payment_method: z.object({ id: z.string() }).nullish() })
    .nullable(),
});

/** With what the customer's browser confirms an intent; undefined for one that waits for no customer. */
export async function findConfirmation(
  ask: AskStripe,
  reference: string,
): Promise<Omit<PaymentConfirmation, "publishable_key"> | undefined> {
  const found = await readIfAny(ask, `/v1/payment_intents/${encodeURIComponent(reference)}`);
  if (found === undefined) return undefined;
  const intent = parseResponse(confirmableSchema, found);
  if (!isChallenge(intent)) return undefined;
  const payment_method = intent.payment_method ?? intent.last_payment_error?.payment_method?.id;
  if (payment_method === undefined) return undefined;
  return { client_secret: intent.client_secret, payment_method };
}
