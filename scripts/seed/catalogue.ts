import { insertRows } from "../../src/base/db/bulk.ts";
import type { Value } from "../../src/base/db/port.ts";
import { demoPlanIds } from "../../src/base/demo.ts";
import { demoAccountSeq } from "./account.ts";
import type { Part } from "./part.ts";
import { recipes } from "./subscriptions.ts";

const common = {
  account_seq: demoAccountSeq,
  selling_plan_ids: "[]",
  is_one_time_allowed: 0,
};

/** The bags that subscriptions have at the demo store's prices, a smaller one of each, and treats, which go into any single order. */
const items: Record<string, Value>[] = [
  ...recipes.map((recipe, index) => ({
    ...common,
    ...pictureOf(recipe),
    store_product_id: `product-${index + 1}`,
    store_variant_id: `variant-${index + 1}-large`,
    product_title: `${recipe}, 1.5 kg`,
    variant_title: "Large",
    price: 1995 + index * 500,
  })),
  ...recipes.map((recipe, index) => ({
    ...common,
    ...pictureOf(recipe),
    store_product_id: `product-${index + 1}`,
    store_variant_id: `variant-${index + 1}-medium`,
    product_title: `${recipe}, 1 kg`,
    variant_title: "Medium",
    price: 1495 + index * 350,
    selling_plan_ids: JSON.stringify([demoPlanIds.weekly, demoPlanIds.fortnightly, demoPlanIds.monthly]),
  })),
  {
    ...common,
    store_product_id: "product-6",
    store_variant_id: "variant-6",
    product_title: "Dental chews",
    ...pictureOf("Dental chews"),
    variant_title: null,
    price: 650,
    is_one_time_allowed: 1,
  },
  {
    ...common,
    store_product_id: "product-7",
    store_variant_id: "variant-7",
    product_title: "Training treats",
    ...pictureOf("Training treats"),
    variant_title: null,
    price: 495,
    is_one_time_allowed: 1,
  },
];

/** A drawing among the files of public/. */
function pictureOf(product: string) {
  return { image_url: `/assets/demo/${product.toLowerCase().replaceAll(" ", "-")}.svg` };
}

export const cataloguePart: Part = () =>
  insertRows(
    "catalogue_items",
    items.map((item, position) => ({ ...item, position })),
  );
