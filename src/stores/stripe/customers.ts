import type Stripe from "stripe";
import { z } from "zod";
import type { StoreCustomer, StoreProfile } from "../port.ts";
import { type Ask, createOnce, readIfAny, type Sent } from "./request.ts";
import { parseResponse } from "./responses.ts";

/** The customer of a profile, made if there is none: https://docs.stripe.com/api/customers/create */
export async function ensureCustomer(ask: Ask, accountId: string, profile: StoreProfile): Promise<string> {
  if (profile.store_customer_id !== null) return profile.store_customer_id;
  const { id, email, phone_number } = profile;
  const name = [profile.first_name, profile.last_name].filter((part) => part !== null).join(" ");
  const params: Sent<Stripe.CustomerCreateParams> = {
    email,
    name: name || undefined,
    phone: phone_number ?? undefined,
    metadata: { account_id: accountId, profile_id: id },
  };
  const key = `customer:${accountId}:${id}`;
  return parseResponse(namedSchema, await createOnce(ask, { path: "/v1/customers", params, key })).id;
}

/** A customer as Stripe has them; undefined if it has none with this id, or has deleted them. */
export async function findCustomer(ask: Ask, id: string): Promise<StoreCustomer | undefined> {
  const found = await readIfAny(ask, `/v1/customers/${encodeURIComponent(id)}`);
  if (found === undefined) return undefined;
  const customer = parseResponse(customerSchema, found);
  if (customer.deleted) return undefined;
  const { email = null, name = null, phone = null } = customer;
  return { store_customer_id: id, email, first_name: name, last_name: null, phone };
}

const text = z.string().nullable();
const namedSchema = z.object({ id: z.string() });
const customerSchema = z.object({
  id: z.string(),
  deleted: z.boolean().optional(),
  email: text.optional(),
  name: text.optional(),
  phone: text.optional(),
});
