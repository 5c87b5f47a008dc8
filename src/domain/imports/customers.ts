import type { ErrorDetail } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { findProfilesByEmail, findProfilesOfCustomer } from "../profiles/queries.ts";
import type { Profile } from "../profiles/tables.ts";
import type { PlannedCustomer } from "./planned/customer.ts";

/** The profile that a row's customer has already, or why the row cannot be this customer's. Undefined for a customer who is new. */
export async function profileFor(
  ctx: Ctx,
  { email_folded, store_customer_id }: PlannedCustomer,
): Promise<{ profile: Profile | undefined } | { fault: ErrorDetail }> {
  const byEmail =
    email_folded === undefined
      ? undefined
      : (await findProfilesByEmail(ctx, [email_folded])).get(email_folded);
  if (byEmail) {
    const known = byEmail.store_customer_id;
    if (known === null || store_customer_id === null || known === store_customer_id)
      return { profile: byEmail };
    return {
      fault: { path: "store_customer_id", message: "is not that of the customer with this e-mail address" },
    };
  }
  if (store_customer_id === null) return { profile: undefined };
  const [byCustomer] = await findProfilesOfCustomer(ctx, store_customer_id);
  if (!byCustomer && email_folded === undefined)
    return { fault: { path: "email", message: "is required: no customer has this store_customer_id" } };
  if (byCustomer && email_folded !== undefined)
    return { fault: { path: "email", message: "is not that of the customer with this store_customer_id" } };
  return { profile: byCustomer };
}
