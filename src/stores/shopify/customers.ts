import { z } from "zod";
import { gidOf, isIdOf, plainIdOf } from "../global-ids.ts";
import type { StoreCustomer } from "../port.ts";
import { readCustomer } from "./documents.ts";
import type { AskShopify } from "./request.ts";
import { parseResponse } from "./responses.ts";

/** A customer as Shopify has them; undefined if it has none with this id, which is so after a merge. */
export async function findCustomer(ask: AskShopify, id: string): Promise<StoreCustomer | undefined> {
  if (!isIdOf("Customer", id)) return undefined;
  const { customer } = parseResponse(readSchema, await ask(readCustomer, { id: gidOf("Customer", id) }));
  return customer ? customerOf(customer) : undefined;
}

export function customerOf(customer: z.output<typeof customerSchema>): StoreCustomer {
  return {
    store_customer_id: plainIdOf("Customer", customer.id),
    email: customer.defaultEmailAddress?.emailAddress ?? null,
    first_name: customer.firstName,
    last_name: customer.lastName,
    phone: customer.defaultPhoneNumber?.phoneNumber ?? null,
  };
}

const text = z.string().nullable();

/** A customer as the documents select it. */
export const customerSchema = z.object({
  id: z.string(),
  firstName: text,
  lastName: text,
  defaultEmailAddress: z.object({ emailAddress: z.string() }).nullable(),
  defaultPhoneNumber: z.object({ phoneNumber: z.string() }).nullable(),
});

const readSchema = z.object({ customer: customerSchema.nullable() });
