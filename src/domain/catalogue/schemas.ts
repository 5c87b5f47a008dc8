import { z } from "@hono/zod-openapi";
import { demoPlanIds } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { productIdText, storeIdText } from "../../kit/http/document/fields.ts";
import { pictureUrl } from "../../kit/http/document/https-url.ts";
import { moneyIn, moneyOut } from "../../kit/http/document/money.ts";
import { orNull, storeId, text } from "../../kit/http/document/params.ts";
import { maxItems } from "./tables.ts";

const maxTitle = 255;

/** The descriptions of an item's fields, in requests and responses. */
export const itemTexts = {
  store_product_id: productIdText,
  store_variant_id: storeIdText(
    "The variant's id at the connected store, 1 to 255 characters. It is the item's key: a catalogue has each variant once",
    "ProductVariant",
    "variant-1-small",
  ),
  product_title: ["The product's name as customers see it, 1 to 255 characters.", "Beef and carrot, 1.5 kg"],
  variant_title: ["The variant's name, at most 255 characters; null for none.", "Small"],
  image_url: [
    "The https address of its picture, without user and fragment. Null for none. The demo store's are files of the local server.",
    "https://cdn.example.com/beef-and-carrot.webp",
  ],
  price: [
    "What one costs before the discount of the line's plan: major units of the account's currency, 0 or more. A line that customers add or swap takes it.",
    29.95,
  ],
  selling_plan_ids: [
    "The selling plans whose lines it can stand on, at most 50. Empty: every plan that pays for one delivery at a time. Prepaid plans have to be named: the price then is that of all deliveries that one charge pays for.",
    [demoPlanIds.monthly],
  ],
  is_one_time_allowed: "Whether customers may have it in the next order only. False by default.",
} as const satisfies Record<string, FieldText>;

export const itemBodyFields = {
  store_product_id: z.string(),
  store_variant_id: z.string(),
  product_title: z.string(),
  variant_title: z.string().nullable(),
  image_url: z.string().nullable(),
  price: moneyOut,
};

export const CatalogueItemBody = named(
  "CatalogueItem",
  z.strictObject({
    ...itemBodyFields,
    selling_plan_ids: z.array(z.string()),
    is_one_time_allowed: z.boolean(),
  }),
  itemTexts,
  { description: "Something that customers may put into their subscriptions." },
);

const CatalogueItemIn = named(
  "CatalogueItemIn",
  z.strictObject({
    store_product_id: storeId("Product"),
    store_variant_id: storeId("ProductVariant"),
    product_title: text({ min: 1, max: maxTitle }),
    variant_title: text({ max: maxTitle }).nullable().optional(),
    image_url: orNull(pictureUrl).optional(),
    price: moneyIn,
    selling_plan_ids: z.array(storeId("SellingPlan")).max(50).optional(),
    is_one_time_allowed: z.boolean().optional(),
  }),
  itemTexts,
  { description: "Something that customers may put into their subscriptions." },
);

const CatalogueBody = named("Catalogue", z.strictObject({ items: z.array(CatalogueItemBody) }), {
  items: "What customers may choose among, in the merchant's order.",
});

export const CatalogueData = named("CatalogueData", z.strictObject({ data: CatalogueBody }), {
  data: "The catalogue.",
});

export const CatalogueUpdate = named(
  "CatalogueUpdate",
  z.strictObject({ items: z.array(CatalogueItemIn).max(maxItems).superRefine(requireEachOnce) }),
  {
    items:
      "The whole catalogue in the order in which customers see it, at most 500 items. Items that are not in it are removed.",
  },
  {
    example: {
      items: [
        {
          store_product_id: "product-1",
          store_variant_id: "variant-1-small",
          product_title: "Beef and carrot, 1.5 kg",
          variant_title: "Small",
          price: 29.95,
          selling_plan_ids: [demoPlanIds.monthly],
          is_one_time_allowed: true,
        },
      ],
    },
  },
);

function requireEachOnce(items: { store_variant_id: string }[], c: z.RefinementCtx): void {
  const known = new Set<string>();
  for (const [index, { store_variant_id }] of items.entries()) {
    if (known.has(store_variant_id))
      c.addIssue({
        code: "custom",
        path: [index, "store_variant_id"],
        message: "is in the catalogue more than once",
      });
    known.add(store_variant_id);
  }
}
