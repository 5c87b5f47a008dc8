import { z } from "@hono/zod-openapi";
import { demoId } from "../../../base/demo.ts";
import { named } from "../../../kit/http/document/describe.ts";
import { idOut } from "../../../kit/http/document/fields.ts";
import { storeId } from "../../../kit/http/document/params.ts";
import { itemBodyFields, itemTexts } from "../../catalogue/schemas.ts";

const quantity = z.int().min(1).max(1_000_000);

const variantText = [
  "The variant's id in the catalogue, plain, such as 123; requests may have it as gid://shopify/ProductVariant/123 too.",
  "variant-4-large",
] as const;

export const OwnLineAdd = named(
  "OwnLineAdd",
  z.strictObject({
    store_variant_id: storeId("ProductVariant"),
    quantity: quantity.optional(),
    is_one_time: z.boolean().optional(),
  }),
  {
    store_variant_id: variantText,
    quantity: ["How many, from 1 to the shop's max_quantity. 1 by default.", 1],
    is_one_time:
      "Whether it is in the next order that is charged only, which the item has to allow (is_one_time_allowed). False by default.",
  },
  {
    description: "An item of the catalogue to add.",
    example: { store_variant_id: "variant-4-large", quantity: 1, is_one_time: true },
  },
);

export const OwnLineChange = named(
  "OwnLineUpdate",
  z.strictObject({ store_variant_id: storeId("ProductVariant").optional(), quantity: quantity.optional() }),
  {
    store_variant_id: variantText,
    quantity: [
      "How many, from 1 to the shop's max_quantity; the line's present quantity may be named in any case.",
      2,
    ],
  },
  { description: "Fields that are absent stay as they are.", example: { quantity: 2 } },
);

const LineChoice = named(
  "LineChoice",
  z.strictObject({
    line_id: idOut,
    image_url: z.string().nullable(),
    can_change_quantity: z.boolean(),
    can_swap: z.boolean(),
    can_remove: z.boolean(),
  }),
  {
    line_id: ["The id of a line of the subscription.", demoId("subscription_line", 1)],
    image_url: [
      "The picture of the item of the catalogue that the line is; null for none.",
      "https://cdn.example.com/beef-and-carrot.webp",
    ],
    can_change_quantity: "Whether its quantity can be changed now, up to max_quantity.",
    can_swap: "Whether it can be swapped now for one of the items that name it in swap_line_ids.",
    can_remove: "Whether it can be removed now.",
  },
);

const ItemChoice = named(
  "ItemChoice",
  z.strictObject({
    ...itemBodyFields,
    can_add: z.boolean(),
    can_add_one_time: z.boolean(),
    swap_line_ids: z.array(z.string()),
  }),
  {
    ...itemTexts,
    can_add: "Whether it can be added now, to be in every order.",
    can_add_one_time: "Whether it can be added now, for the next order that is charged only.",
    swap_line_ids: [
      "The lines of the subscription that can be swapped for it now.",
      [demoId("subscription_line", 1)],
    ],
  },
);

const LineChoices = named(
  "LineChoices",
  z.strictObject({
    currency_code: z.string(),
    max_quantity: z.int(),
    lines: z.array(LineChoice),
    items: z.array(ItemChoice),
  }),
  {
    currency_code: ["The ISO 4217 code of the currency of the prices.", "USD"],
    max_quantity: ["How many of one line can be asked for at most.", 10],
    lines: "The subscription's lines in their order, and what can be done with each.",
    items: "The items of the catalogue with which anything can be done now, in the shop's order.",
  },
);

export const LineChoicesData = named("LineChoicesData", z.strictObject({ data: LineChoices }), {
  data: "What the customer can change now.",
});
