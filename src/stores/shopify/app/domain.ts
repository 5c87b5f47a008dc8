/** Whether a normalised shop is a store's own domain at Shopify: credentials are sent to no other kind of host. */
export function isMyshopifyDomain(shop: string): boolean {
  return myshopifyDomain.test(shop);
}

/** The origin of a store. Throws for any other host, so that no secret can be sent there. */
export function shopOrigin(shop: string): string {
  if (!isMyshopifyDomain(shop)) throw new Error(`${shop} is not a store's myshopify.com domain`);
  return `https://${shop}`;
}

/** An address of a store's Admin API. */
export function adminUrl(shop: string, path: string): string {
  return `${shopOrigin(shop)}/admin/${path}`;
}

const myshopifyDomain = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/;
