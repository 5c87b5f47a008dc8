import { emailKey } from "../../../base/lib/email-address.ts";
import { plainId } from "../../../stores/ids.ts";
import { type RemoteMethod, remoteGateways } from "../../../stores/port/remote-methods.ts";
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
    email_folded: email === undefined ? undefined : emailKey(email),
    store_customer_id: customer === undefined ? null : plainId("Customer", customer),
    first_name: reader.text("first_name") ?? null,
    last_name: reader.text("last_name") ?? null,
    phone_number: reader.text("phone_number") ?? null,
  };
}

/** The payment method that a provider keeps for the customer; the store makes none beside one that it has. */
export function remoteIn(reader: SubscriptionReader): RemoteMethod | null {
  const gateway = reader.oneOf("remote_gateway", remoteGateways);
  const customer_id = reader.text("remote_customer_id", 255)?.trim();
  const payment_method_id = reader.text("remote_payment_method_id", 255)?.trim();
  const { values } = reader;
  if ([values.remote_gateway, customer_id, payment_method_id].every((value) => value === undefined))
    return null;
  reader.required("remote_gateway", gateway);
  reader.required("remote_customer_id", customer_id);
  reader.required("remote_payment_method_id", payment_method_id);
  if (values.store_payment_method_id !== undefined)
    reader.refuse("remote_gateway", "must be absent where there is a store_payment_method_id");
  if (gateway === undefined || customer_id === undefined || payment_method_id === undefined) return null;
  return { gateway, customer_id, payment_method_id };
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
