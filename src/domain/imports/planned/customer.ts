import { fold } from "../../../base/lib/text.ts";
import { plainId } from "../../../stores/ids.ts";
import { ProfileCreate } from "../../profiles/schemas.ts";
import type { SubscriptionReader } from "./surroundings.ts";

/** The customer that a row names. Without an e-mail address it is the one with the store's id. */
export type PlannedCustomer = {
  email: string | undefined;
  email_folded: string | undefined;
  store_customer_id: string | null;
  first_name: string | null;
  last_name: string | null;
  phone_number: string | null;
};

export type PlannedEntity = { ref: string; entity_type: string; name: string };

export function customerIn(reader: SubscriptionReader): PlannedCustomer {
  const customer = reader.text("store_customer_id", 255)?.trim();
  const email = reader.values.email?.trim();
  if (email === undefined && customer === undefined) reader.refuse("email", "is required");
  if (email !== undefined && !ProfileCreate.shape.email.safeParse(email).success)
    reader.refuse("email", "must be an e-mail address");
  return {
    email,
    email_folded: email === undefined ? undefined : fold(email),
    store_customer_id: customer === undefined ? null : plainId("Customer", customer),
    first_name: reader.text("first_name") ?? null,
    last_name: reader.text("last_name") ?? null,
    phone_number: reader.text("phone_number") ?? null,
  };
}

export function entityIn(reader: SubscriptionReader): PlannedEntity | undefined {
  const ref = reader.text("entity_ref", 255);
  const entity_type = reader.text("entity_type", 100);
  const name = reader.text("entity_name", 255);
  if (ref === undefined) return undefined;
  if (entity_type === undefined) reader.refuse("entity_type", "is required with entity_ref");
  if (name === undefined) reader.refuse("entity_name", "is required with entity_ref");
  return { ref, entity_type: entity_type ?? "", name: name ?? "" };
}
