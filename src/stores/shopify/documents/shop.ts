/** The shop, and what the app may do there. */
export const readInstallation = `query Installation {
  shop { myshopifyDomain currencyCode ianaTimezone enabledPresentmentCurrencies }
  currentAppInstallation { accessScopes { handle } }
}`;

export const readShop = `query Shop {
  shop { myshopifyDomain currencyCode ianaTimezone }
}`;
