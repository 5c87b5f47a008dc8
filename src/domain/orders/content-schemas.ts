import { z } from "@hono/zod-openapi";
import { demoId, demoPlanIds } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { addressTexts, idOut } from "../../kit/http/document/fields.ts";
import { moneyOut } from "../../kit/http/document/money.ts";

/** The address that goods are delivered to. */
export const AddressOut = named(
  "SubscriptionAddress",
  z.strictObject({
    address1: z.string(),
    city: z.string(),
    zip: z.string(),
    country: z.string(),
    country_code: z.string(),
    address2: z.string().optional(),
    phone: z.string().optional(),
    first_name: z.string().optional(),
    last_name: z.string().optional(),
    company: z.string().optional(),
    province: z.string().optional(),
    province_code: z.string().optional(),
  }),
  addressTexts,
  {
    description:
      "Where a subscription or an order is delivered: a copy, which later changes of saved addresses do not reach.",
  },
);

/** An item of a box, of a subscription or an order. */
export const itemFields = {
  slot_id: z.string(),
  store_product_id: z.string(),
  store_variant_id: z.string(),
  product_title: z.string(),
  variant_title: z.string().nullable(),
  quantity: z.int(),
};

/** The product of a line, of a subscription or an order, and what it comes to. */
export const lineFields = {
  store_product_id: z.string(),
  store_variant_id: z.string(),
  subscription_variant_id: z.string().nullable(),
  product_title: z.string(),
  variant_title: z.string().nullable(),
  sku: z.string().nullable(),
  selling_plan_id: z.string(),
  selling_plan_name: z.string(),
  entity_id: idOut.nullable(),
  quantity: z.int(),
  price: moneyOut,
  line_total: moneyOut,
  discount_amount: moneyOut,
  is_one_time: z.boolean(),
};

const OrderSelectionItem = named(
  "OrderSelectionItem",
  z.strictObject(itemFields),
  {
    slot_id: ["Which place of the box the item fills, in the merchant's own terms.", "slot-1"],
    store_product_id: ["The product's id at the connected store.", "product-1"],
    store_variant_id: ["The variant's id at the connected store.", "variant-1-small"],
    product_title: ["The product's name.", "Beef and carrot"],
    variant_title: ["The variant's name; null for none.", "Small"],
    quantity: ["How many of it are in each box.", 2],
  },
  { description: "An item of a box that is packed as one line." },
);

export const OrderLineBody = named(
  "OrderLine",
  z.strictObject({
    subscription_line_id: idOut,
    ...lineFields,
    selection_items: z.array(OrderSelectionItem).nullable(),
  }),
  {
    subscription_line_id: ["The id of the subscription's line.", demoId("subscription_line", 1)],
    store_product_id: ["The product's id at the connected store.", "product-1"],
    store_variant_id: ["The variant's id at the connected store.", "variant-1-large"],
    subscription_variant_id: ["The id of a variant that is sold on subscription only; null for none.", null],
    product_title: ["The product's name.", "Beef and carrot, 1.5 kg"],
    variant_title: ["The variant's name; null for none.", "Large"],
    sku: ["The merchant's stock-keeping unit; null for none.", "FOOD-1-L"],
    selling_plan_id: ["The id of the selling plan.", demoPlanIds.monthly],
    selling_plan_name: ["The plan's name when the line was added.", "Every month"],
    entity_id: ["The id of the entity that the line is for; null for none.", demoId("entity", 1)],
    quantity: ["How many are packed.", 1],
    price: [
      "The price of one before discounts: major units of the order's currency. 0 in a delivery that was paid for before.",
      39.95,
    ],
    line_total: ["price × quantity, before discounts: major units of the order's currency.", 39.95],
    discount_amount: [
      "What the plan's discount and discounts on lines take off it: major units of the order's currency.",
      4,
    ],
    is_one_time: "Whether the line is in this order only.",
    selection_items: "What a customer has put into a box; null for a plain product.",
  },
  { description: "A product that an order delivers, as it was when the order was placed." },
);
