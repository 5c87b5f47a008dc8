import { globalId, numberOf } from "./ids.ts";
import type { FakeStore } from "./store.ts";

/** A variant in the store's catalogue. */
export type Variant = { productId: string; title: string; variantTitle: string | null; sku: string | null };

export function isUnknown(store: FakeStore, variantId: string): boolean {
  return !/^gid:\/\/shopify\/ProductVariant\/\d+$/.test(variantId) || store.unknownVariants.has(variantId);
}

/** Every variant has a product, which the test may choose and name. */
export function variantOf(store: FakeStore, variantId: string): Variant {
  const number = numberOf(variantId);
  const some = {
    productId: globalId("Product", number),
    title: `Product ${number}`,
    variantTitle: null,
    sku: null,
  };
  return { ...some, ...store.variants.get(variantId) };
}
