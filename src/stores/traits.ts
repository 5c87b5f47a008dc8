import type { Account } from "../base/accounts/tables.ts";

type Platform = Account["store"];
type Traits = {
  /** Whether it keeps contracts; those of the others are numbered here (own-contracts.ts). */
  keepsContracts: boolean;
  /** Whether it welcomes customers and sends them receipts itself. */
  sendsMails: boolean;
  /** Whether a customer may put another card in the place of one. Elsewhere a payment method changes as its issuer renews it, and no otherwise. */
  replacesCards: boolean;
  /** Whether it knows which payment methods customers have. The sandbox takes any. */
  keepsMethods: boolean;
  /** Whether customers enter payment methods on the portal's pages. */
  entersMethods: boolean;
  /** Whether it refuses an address whose province its own list does not have. */
  checksProvinces: boolean;
};

/** In what the platforms differ, for code that does not open the store. */
export const storeTraits: Record<Platform, Traits> = {
  sandbox: {
    keepsContracts: false,
    sendsMails: false,
    replacesCards: true,
    keepsMethods: false,
    entersMethods: false,
    checksProvinces: false,
  },
  shopify: {
    keepsContracts: true,
    sendsMails: true,
    replacesCards: true,
    keepsMethods: true,
    entersMethods: false,
    checksProvinces: true,
  },
  stripe: {
    keepsContracts: false,
    sendsMails: false,
    replacesCards: false,
    keepsMethods: true,
    entersMethods: true,
    checksProvinces: false,
  },
};

export function storesWithoutContracts(): Platform[] {
  return (Object.keys(storeTraits) as Platform[]).filter((platform) => !storeTraits[platform].keepsContracts);
}
