import type { DeliveryMethodInput, DeliveryOption } from "./inputs.ts";

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
      pickupOption: {
        ...optionNode(pickup.pickupOption),
        location: { id: pickup.pickupOption?.locationId ?? "gid://shopify/Location/1" },
      },
    };
  const { address } = localDelivery ?? shipping ?? {};
  const shown = { address: addressNode(addressOf(address ?? {})) };
  if (!localDelivery)
    return {
      __typename: "SubscriptionDeliveryMethodShipping",
      ...shown,
      shippingOption: optionNode(shipping?.shippingOption),
    };
  const { phone = "", instructions = null } = localDelivery.localDeliveryOption ?? {};
  return {
    __typename: "SubscriptionDeliveryMethodLocalDelivery",
    ...shown,
    localDeliveryOption: { ...optionNode(localDelivery.localDeliveryOption), phone, instructions },
  };
}

function optionNode(option: DeliveryOption | null | undefined) {
  const { code = null, title = null, presentmentTitle = null, description = null } = option ?? {};
  return { code, title, presentmentTitle, description };
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
