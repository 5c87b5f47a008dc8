/** A store domain in the one form it is stored and looked up in: lower case, without scheme and trailing slash. */
export function normalizeShop(shop: string): string {
  return shop
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "");
}

/** Whether a normalised text is a host name (RFC 1123 §2.1) with at least two labels, and no IP address: those end in a number. */
export function isShop(shop: string): boolean {
  return (
    shop.length <= 253 &&
    /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/.test(shop) &&
    !/\.(\d+|0x[0-9a-f]*)$/.test(shop)
  );
}
