import type Stripe from "stripe";
import { z } from "zod";
import type { PaymentMethodSetup, StorePaymentMethod, StoreProfile } from "../port/payment-methods.ts";
import { ensureCustomer } from "./customers.ts";
import { findPaymentMethod } from "./payment-methods.ts";
import { type AskStripe, readIfAny, type SentParams } from "./request.ts";
import { parseResponse, referenceSchema } from "./responses.ts";

type Setting = { ask: AskStripe; accountId: string; profile: StoreProfile };

/** Begins to enter a payment method for later charges: https://docs.stripe.com/payments/save-and-reuse */
export async function beginSetup({
  ask,
  accountId,
  profile,
}: Setting): Promise<Omit<PaymentMethodSetup, "publishable_key">> {
  const params: SentParams<Stripe.SetupIntentCreateParams> = {
    customer: await ensureCustomer(ask, accountId, profile),
    usage: "off_session",
    automatic_payment_methods: { enabled: true },
    metadata: { account_id: accountId, profile_id: profile.id },
  };
  const made = await ask({ method: "POST", path: "/v1/setup_intents", params });
  return parseResponse(begunSchema, made);
}

/** Begins it on a page of Stripe's, which asks for no script here: https://docs.stripe.com/payments/checkout/save-and-reuse */
export async function beginPage(
  { ask, accountId, profile }: Setting,
  { done, left, currency }: { done: string; left: string; currency: string },
): Promise<string> {
  const metadata = { account_id: accountId, profile_id: profile.id };
  const params: SentParams<Stripe.Checkout.SessionCreateParams> = {
    mode: "setup",
    currency: currency.toLowerCase(),
    customer: await ensureCustomer(ask, accountId, profile),
    success_url: done,
    cancel_url: left,
    metadata,
    setup_intent_data: { metadata },
  };
  const made = await ask({ method: "POST", path: "/v1/checkout/sessions", params });
  return parseResponse(pageSchema, made).url;
}

/** The payment method that a profile's customer has entered; undefined if they have not, or it was another's. */
export async function finishSetup(
  { ask, accountId, profile }: Setting,
  id: string,
  now: string,
): Promise<StorePaymentMethod | undefined> {
  const setup = await findSetup(ask, id);
  if (setup?.status !== "succeeded" || setup.payment_method === null) return undefined;
  const { account_id, profile_id } = setup.metadata;
  if (account_id !== accountId || profile_id !== profile.id) return undefined;
  return findPaymentMethod(ask, setup.payment_method, now);
}

const begunSchema = z.object({ id: z.string(), client_secret: z.string() });
const pageSchema = z.object({ url: z.string() });
const setupSchema = z.object({
  status: z.string(),
  payment_method: referenceSchema,
  metadata: z.record(z.string(), z.string()),
});
const sessionSchema = z.object({ setup_intent: setupSchema.nullable() });

/** A setup by its own id, or by that of the page on which it was. */
async function findSetup(ask: AskStripe, id: string): Promise<z.output<typeof setupSchema> | undefined> {
  if (/^seti_\w{1,250}$/.test(id)) {
    const found = await readIfAny(ask, `/v1/setup_intents/${id}`);
    return found === undefined ? undefined : parseResponse(setupSchema, found);
  }
  if (!/^cs_\w{1,250}$/.test(id)) return undefined;
  const found = await readIfAny(ask, `/v1/checkout/sessions/${id}`, { expand: ["setup_intent"] });
  return found === undefined ? undefined : (parseResponse(sessionSchema, found).setup_intent ?? undefined);
}
