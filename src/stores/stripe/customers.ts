import type Stripe from "stripe";
import { z } from "zod";
import type { StoreProfile } from "../port/payment-methods.ts";
import { type AskStripe, createOnce, readIfAny, type SentParams } from "./request.ts";
import { parseResponse } from "./responses.ts";

/** The customer of a profile, made if Stripe has none, as another account there has not: https://docs.stripe.com/api/customers/create */
export async function ensureCustomer(
  ask: AskStripe,
  accountId: string,
  profile: StoreProfile,
): Promise<string> {
  const { id, email, phone_number, store_customer_id: known } = profile;
  if (known !== null && (await hasCustomer(ask, known))) return known;
  const name = [profile.first_name, profile.last_name].filter((part) => part !== null).join(" ");
  const params: SentParams<Stripe.CustomerCreateParams> = {
    email,
    name: name || undefined,
    phone: phone_number ?? undefined,
    metadata: { account_id: accountId, profile_id: id },
  };
  const key = ["customer", accountId, id, ...(known === null ? [] : [known])].join(":");
  return parseResponse(namedSchema, await createOnce(ask, { path: "/v1/customers", params, key })).id;
}

const namedSchema = z.object({ id: z.string() });

/** Whether Stripe has the customer still: one who was deleted is answered as such. */
export async function hasCustomer(ask: AskStripe, id: string): Promise<boolean> {
  const found = await readIfAny(ask, `/v1/customers/${encodeURIComponent(id)}`);
  return found !== undefined && parseResponse(presentSchema, found).deleted !== true;
}

const presentSchema = z.object({ deleted: z.boolean().optional() });
