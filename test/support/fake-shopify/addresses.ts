import type { DeliveryMethodInput } from "./inputs.ts";

export type Address = {
  address1: string | null;
  address2: string | null;
  city: string | null;
  company: string | null;
  countryCode: string | null;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  province: string | null;
  provinceCode: string | null;
  zip: string | null;
};

/** MailingAddressInput, and the fields of an address that a test sets. */
export type AddressInput = { [Part in keyof Address]?: string | null };

export function addressOf(input: AddressInput): Address {
  return {
    address1: input.address1 ?? null,
    address2: input.address2 ?? null,
    city: input.city ?? null,
    company: input.company ?? null,
    countryCode: input.countryCode ?? null,
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    phone: input.phone ?? null,
    province: input.province ?? provinces[`${input.countryCode}-${input.provinceCode}`] ?? null,
    provinceCode: input.provinceCode ?? null,
    zip: input.zip ?? null,
  };
}

export function addressNode({ countryCode, ...address }: Address) {
  return {
    ...address,
    country: countryCode === null ? null : countries.of(countryCode),
    countryCodeV2: countryCode,
  };
}

/** The delivery method: one of three kinds, as the input has one of three fields. */
export function deliveryMethodNode({ shipping, localDelivery, pickup }: DeliveryMethodInput) {
  if (pickup)
    return {
      __typename: "SubscriptionDeliveryMethodPickup",
      pickupOption: { code: pickup.pickupOption?.code ?? null },
    };
  const __typename = `SubscriptionDeliveryMethod${localDelivery ? "LocalDelivery" : "Shipping"}`;
  const { address } = localDelivery ?? shipping ?? {};
  return { __typename, address: addressNode(addressOf(address ?? {})) };
}

/** The names of some provinces: an address with a code is shown with the name too. */
const provinces: Record<string, string> = {
  "AU-NSW": "New South Wales",
  "CA-ON": "Ontario",
  "CA-QC": "Quebec",
  "US-CA": "California",
  "US-NY": "New York",
};

const countries = new Intl.DisplayNames("en", { type: "region" });
