import type { Account } from "../base/accounts/tables.ts";

type Platform = Account["store"];
type Traits = {
  /** Whether it keeps contracts; those of the others are numbered here (own-contracts.ts). */
  keepsContracts: boolean;
  /** Whether it welcomes customers and sends them receipts itself. */
  sendsMails: boolean;
  /** Whether a customer may put another card in the place of one. Elsewhere a payment method changes as its issuer renews it, and no otherwise. */
  replacesCards: boolean;
  /** Whether customers enter payment methods on the portal's pages. */
  entersMethods: boolean;
};

/** In what the platforms differ, for code that does not open the store. */
export const storeTraits: Record<Platform, Traits> = {
  sandbox: { keepsContracts: false, sendsMails: false, replacesCards: true, entersMethods: false },
  shopify: { keepsContracts: true, sendsMails: true, replacesCards: true, entersMethods: false },
  stripe: { keepsContracts: false, sendsMails: false, replacesCards: false, entersMethods: true },
};

export function storesWithoutContracts(): Platform[] {
  return (Object.keys(storeTraits) as Platform[]).filter((platform) => !storeTraits[platform].keepsContracts);
}
