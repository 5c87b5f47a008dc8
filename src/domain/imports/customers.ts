import type { ErrorDetail } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { findProfilesByEmail, findProfilesOfCustomers } from "../profiles/queries.ts";
import type { Profile } from "../profiles/tables.ts";
import type { PlannedCustomer } from "./planned/customer.ts";

/** The profiles that customers of rows have already, by folded e-mail address and by the customer's id at the store. */
type KnownCustomers = { byEmail: Map<string, Profile>; byCustomer: Map<string, Profile> };

/** Reads the profiles of customers together. The store's ids are looked up only of those whose e-mail address is new, or not said. */
export async function readCustomers(ctx: Ctx, customers: PlannedCustomer[]): Promise<KnownCustomers> {
  const emails = distinct(customers.map(({ email_folded }) => email_folded));
  const byEmail = emails.length > 0 ? await findProfilesByEmail(ctx, emails) : new Map<string, Profile>();
  const others = customers.filter(({ email_folded }) => !byEmail.has(email_folded ?? ""));
  const ids = distinct(others.map(({ store_customer_id }) => store_customer_id));
  return { byEmail, byCustomer: ids.length > 0 ? await findProfilesOfCustomers(ctx, ids) : new Map() };
}

/** The profile that a row's customer has already, or why the row cannot be this customer's. Undefined for a customer who is new. */
export function profileIn(
  { byEmail, byCustomer }: KnownCustomers,
  { email_folded, store_customer_id }: PlannedCustomer,
): { profile: Profile | undefined } | { fault: ErrorDetail } {
  const withEmail = byEmail.get(email_folded ?? "");
  if (withEmail) {
    const known = withEmail.store_customer_id;
    if (known === null || store_customer_id === null || known === store_customer_id)
      return { profile: withEmail };
    return {
      fault: { path: "store_customer_id", message: "is not that of the customer with this e-mail address" },
    };
  }
  if (store_customer_id === null) return { profile: undefined };
  const customer = byCustomer.get(store_customer_id);
  if (!customer && email_folded === undefined)
    return { fault: { path: "email", message: "is required: no customer has this store_customer_id" } };
  if (customer && email_folded !== undefined)
    return { fault: { path: "email", message: "is not that of the customer with this store_customer_id" } };
  return { profile: customer };
}

function distinct(texts: (string | null | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => typeof text === "string"))];
}
