import { z } from "@hono/zod-openapi";
import { demoId, demoPlanIds } from "../../../base/demo.ts";
import { type FieldText, named } from "../../../kit/http/document/describe.ts";
import { idOut, productIdText, storeIdText } from "../../../kit/http/document/fields.ts";
import { moneyIn, moneyOut } from "../../../kit/http/document/money.ts";
import { idIn, idInPath, maxText, nullableText, storeId, text } from "../../../kit/http/document/params.ts";
import { itemFields, lineFields } from "../../orders/content-schemas.ts";

/** The descriptions of the fields of a box's contents, in requests and responses. */
const selectionItemTexts = {
  slot_id: [
    "Which place of the box the item fills, in the merchant's own terms, 1 to 255 characters.",
    "slot-1",
  ],
  store_product_id: productIdText,
  store_variant_id: storeIdText(
    "The variant's id at the connected store, 1 to 255 characters",
    "ProductVariant",
    "variant-1-small",
  ),
  product_title: ["The product's name, 1 to 10,000 characters.", "Beef and carrot"],
  variant_title: ["The variant's name, at most 10,000 characters; null for none.", "Small"],
  quantity: ["How many of it are in each box, 1 to 1,000,000.", 2],
  price: [
    "The price of one, for information: major units of the currency. The line's price is charged.",
    6.65,
  ],
} as const satisfies Record<string, FieldText>;

/** The descriptions of a line's fields, in requests and responses. */
const lineTexts = {
  id: ["The line's id.", demoId("subscription_line", 1)],
  store_product_id: productIdText,
  store_variant_id: storeIdText(
    "The variant's id at the connected store, 1 to 255 characters",
    "ProductVariant",
    "variant-1-large",
  ),
  subscription_variant_id: [
    "The id of a variant that is sold on subscription only, at most 255 characters; null for none.",
    null,
  ],
  product_title: ["The product's name, 1 to 10,000 characters.", "Beef and carrot, 1.5 kg"],
  variant_title: ["The variant's name, at most 10,000 characters; null for none.", "Large"],
  sku: ["The merchant's stock-keeping unit, at most 10,000 characters; null for none.", "FOOD-1-L"],
  selling_plan_id: [
    "The id of the selling plan. The line keeps the plan's discount and shipping as they are when it is added.",
    demoPlanIds.monthly,
  ],
  selling_plan_name: ["The plan's name when the line was added.", "Every month"],
  entity_id: ["The id of the entity that the line is for; null for none.", demoId("entity", 1)],
  price: ["The price of one before discounts: major units of the currency, 0 or more.", 39.95],
  quantity: ["How many are in each delivery, 1 to 1,000,000.", 1],
  selection_items: "What a customer has put into a box, at most 100 items; null for a plain product.",
  is_one_time: "Whether the line is in the next order only. False by default.",
  line_total: ["price × quantity, before discounts: major units of the currency.", 39.95],
  discount_amount: [
    "What the plan's discount and discounts on lines take off it: major units of the currency.",
    4,
  ],
} as const satisfies Record<string, FieldText>;

const SelectionItemBody = named(
  "SubscriptionSelectionItem",
  z.strictObject({ ...itemFields, price: moneyOut }),
  selectionItemTexts,
  { description: "An item of a box that is sold as one line." },
);

export const LineBody = named(
  "SubscriptionLine",
  z.strictObject({
    id: idOut,
    ...lineFields,
    selection_items: z.array(SelectionItemBody).nullable(),
  }),
  lineTexts,
  { description: "A product that a subscription delivers." },
);

const title = text({ min: 1, max: maxText });
const quantity = z.int().min(1).max(1_000_000).openapi({ example: 1 });

const SelectionItem = named(
  "SelectionItem",
  z.strictObject({
    slot_id: text({ min: 1, max: 255 }),
    store_product_id: storeId("Product"),
    store_variant_id: storeId("ProductVariant"),
    product_title: title,
    variant_title: nullableText(maxText).optional(),
    quantity,
    price: moneyIn,
  }),
  selectionItemTexts,
  { description: "An item of a box that is sold as one line." },
);

const requestedFields = {
  store_product_id: storeId("Product"),
  store_variant_id: storeId("ProductVariant"),
  product_title: title,
  selling_plan_id: storeId("SellingPlan"),
  price: moneyIn,
  quantity,
};
const optionalLineFields = {
  variant_title: nullableText(maxText).optional(),
  sku: nullableText(maxText).optional(),
  subscription_variant_id: nullableText(255).optional(),
  selection_items: z.array(SelectionItem).max(100).nullable().optional(),
};
export const exampleLine = {
  store_product_id: "product-1",
  store_variant_id: "variant-1",
  product_title: "Beef and carrot, 1.5 kg",
  selling_plan_id: demoPlanIds.monthly,
  price: 39.95,
  quantity: 1,
};

export const NewLine = named(
  "SubscriptionLineCreate",
  z.strictObject({ ...requestedFields, ...optionalLineFields, entity_id: idIn.nullable().optional() }),
  {
    ...lineTexts,
    selling_plan_id: ["The id of an active selling plan of the account.", demoPlanIds.monthly],
    entity_id: [
      "The id of an entity of the profile that the line is for. Null or absent: none.",
      demoId("entity", 1),
    ],
  },
  { description: "A product to deliver.", example: exampleLine },
);

export const AddedLine = named(
  "SubscriptionLineAdd",
  z.strictObject({ ...NewLine.shape, is_one_time: z.boolean().optional() }),
  {
    ...lineTexts,
    selling_plan_id: ["The id of an active selling plan of the account.", demoPlanIds.monthly],
    entity_id: [
      "The subscription's own entity, or absent: all lines of a subscription are for one. Null where it has none.",
      demoId("entity", 1),
    ],
  },
  { description: "A product to add.", example: { ...exampleLine, is_one_time: true } },
);

export const LineChange = named(
  "SubscriptionLineUpdate",
  z.strictObject({ ...z.object(requestedFields).partial().shape, ...optionalLineFields }),
  {
    ...lineTexts,
    selling_plan_id: [
      "The id of an active selling plan, whose discount and shipping the line takes. The subscription's intervals stay.",
      demoPlanIds.monthly,
    ],
  },
  {
    description: "Fields that are absent stay as they are; null clears one.",
    example: { quantity: 2 },
  },
);

export const linePath = z.object({
  id: idInPath("id", "subscription", demoId("subscription", 1)),
  lineId: idInPath("lineId", "line", demoId("subscription_line", 1)),
});
