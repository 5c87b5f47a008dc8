import { globalId, numberOf } from "./ids.ts";
import type { FakeStore } from "./store.ts";

/** A variant in the store's catalogue. */
export type Variant = { productId: string; title: string; variantTitle: string | null; sku: string | null };

export const isUnknown = (store: FakeStore, variantId: string): boolean =>
  !/^gid:\/\/shopify\/ProductVariant\/\d+$/.test(variantId) || store.unknownVariants.has(variantId);

/** Every variant has a product, which the test may choose and name. */
export const variantOf = (store: FakeStore, variantId: string): Variant => {
  const number = numberOf(variantId);
  const some = {
    productId: globalId("Product", number),
    title: `Product ${number}`,
    variantTitle: null,
    sku: null,
  };
  return { ...some, ...store.variants.get(variantId) };
};
