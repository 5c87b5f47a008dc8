const myshopifyDomain = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/;

/** Whether a normalised shop is a store's own domain at Shopify, the only kind of host that credentials may be sent to. */
export const isMyshopifyDomain = (shop: string): boolean => myshopifyDomain.test(shop);

/** An address of a store's Admin API. Throws where the shop is any other host, so that nothing secret can be sent there. */
export const adminUrl = (shop: string, path: string): string => {
  if (!isMyshopifyDomain(shop)) throw new Error(`${shop} is not a store's myshopify.com domain`);
  return `https://${shop}/admin/${path}`;
};
