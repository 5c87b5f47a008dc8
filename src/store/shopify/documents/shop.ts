export const readShop = `query Shop {
  shop { myshopifyDomain currencyCode ianaTimezone }
}`;
