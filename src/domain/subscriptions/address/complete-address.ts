import type { Account } from "../../../base/accounts/tables.ts";
import { type AddressField, needsPostalCode } from "../../../base/lib/places/postal-codes.ts";
import { deliveryAddressOf } from "../row-codec.ts";
import type { Subscription } from "../tables.ts";
import type { SubscriptionAddress } from "./address.ts";

/** Whether goods can be sent there: the one rule for all that asks for an address. */
export function isComplete(address: SubscriptionAddress | null): boolean {
  return missingFields(address).length === 0;
}

/** The fields that an address lacks, by the names of the API. */
export function missingFields(address: Partial<SubscriptionAddress> | null): AddressField[] {
  const { address1, city, zip, country_code } = address ?? {};
  const isWithZip = !country_code || needsPostalCode(country_code);
  const required = { address1, city, ...(isWithZip ? { zip } : {}), country_code };
  return (Object.keys(required) as AddressField[]).filter((field) => !address?.[field]?.trim());
}

export function missingFieldsOf(row: Pick<Subscription, "delivery_address">): AddressField[] {
  return missingFields(deliveryAddressOf(row));
}

/** Whether the account's setting keeps the subscription from being billed until it has an address. */
export function lacksAddress(
  { require_address }: Pick<Account, "require_address">,
  row: Pick<Subscription, "delivery_address">,
): boolean {
  return require_address === 1 && !isComplete(deliveryAddressOf(row));
}
