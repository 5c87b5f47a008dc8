import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import { dateIn, dateOut, instant, int64, queryList } from "../../kit/http/document/params.ts";
import { daysMax, forecastDates, groupings } from "./cells.ts";
import { horizons } from "./horizon.ts";

const HorizonName = z.enum(horizons).openapi("ForecastHorizon", {
  description:
    "How far a forecast looks. next: the next delivery of each subscription, from its stored dates. projected: every delivery of the days, as the latest forecast that was taken has found them.",
});

export const ForecastQuery = z.strictObject({
  from: dateIn.openapi({ description: "The first day: at most ten years ahead.", example: "2026-11-23" }),
  to: dateIn.openapi({
    description: `The last day: at most ${daysMax} days, both ends among them.`,
    example: "2026-11-29",
  }),
  by: z.enum(forecastDates).default("production_date").openapi({
    description:
      "The date that counts. production_date: the day on which goods are packed, which is that of the delivery where there is no packing day. delivery_date: the day of the delivery. billing_date: the day on which it is ordered.",
    example: "production_date",
  }),
  group_by: queryList(groupings)
    .optional()
    .openapi({
      description: `What is counted apart: ${groupings.join(", ")}, divided by commas; variant by default. Without variant all goods are summed up.`,
      example: "variant,slot",
    }),
  horizon: HorizonName.optional().openapi({
    description:
      "By default next where the days end before any subscription can be delivered twice, counted from today by the shortest interval of the account; projected otherwise.",
    example: "next",
  }),
});

export const ForecastRequest = named(
  "ForecastRequest",
  z.strictObject({ from: dateIn, to: dateIn }),
  {
    from: ["The first day: at most ten years ahead.", "2026-11-23"],
    to: [`The last day: at most ${daysMax} days, both ends among them.`, "2027-01-17"],
  },
  { example: { from: "2026-11-23", to: "2027-01-17" } },
);

export const GoodsCell = named(
  "GoodsCell",
  z.strictObject({
    date: dateOut,
    store_variant_id: z.string().nullable(),
    product_title: z.string().nullable(),
    variant_title: z.string().nullable(),
    sku: z.string().nullable(),
    delivery_slot_id: idOut.nullable().optional(),
    selling_plan_id: z.string().nullable().optional(),
    entity_type: z.string().nullable().optional(),
    packed: z.int(),
    planned: z.int(),
    at_risk: z.int(),
    quantity: z.int(),
  }),
  {
    date: ["The calendar date, in the account's time zone.", "2026-11-24"],
    store_variant_id: ["The variant's id at the store; null where variants are not counted apart.", "7001"],
    product_title: ["The product's name.", "Dog food"],
    variant_title: ["The variant's name; null where it has none.", "2 kg"],
    sku: ["The variant's SKU; null where it has none, or is known as an item of boxes alone.", "DOG-2"],
    delivery_slot_id: [
      "The delivery slot; null for deliveries without one. Present where slots are counted apart.",
      demoId("delivery_slot", 1),
    ],
    selling_plan_id: ["The selling plan. Present where plans are counted apart.", "plan-weekly"],
    entity_type: [
      "The type of the entity that the goods are for; null for none. Present where types are counted apart.",
      "dog",
    ],
    packed: ["How many are in orders that are placed, paid for and not fulfilled.", 12],
    planned: ["How many are in deliveries that are not ordered yet, and will be.", 40],
    at_risk: [
      "How many are in deliveries that may not come: of subscriptions in dunning, blocked or waiting, or whose card expires before it is charged.",
      3,
    ],
    quantity: ["All of them: packed, planned and at_risk.", 55],
  },
  {
    description:
      "How many of one product a day needs. The items of a box count as goods, and the box itself as well.",
  },
);

const ForecastMeta = named(
  "ForecastMeta",
  z.strictObject({ as_of: instant, sequence: int64, horizon: HorizonName, complete: z.boolean() }),
  {
    as_of: [
      "The moment that the forecast is of: now, or when a projected one was begun. UTC, in the account's own time.",
      "2026-11-20T12:00:00.000Z",
    ],
    sequence: [
      "The sequence of the account's last event at that moment: what has changed since is in listEvents after it.",
      1042,
    ],
    horizon: "How far the forecast looks.",
    complete:
      "Whether every subscription is counted; false while a projected forecast is still being taken, and where one could not be counted.",
  },
  { description: "What the forecast stands for." },
);

export const GoodsForecast = named(
  "GoodsForecast",
  z.strictObject({ data: z.array(GoodsCell), meta: ForecastMeta }),
  { data: "The goods, by date, then by variant.", meta: "What the forecast stands for." },
);

export const CsvText = z.string().openapi({
  description: "The goods as CSV, UTF-8 with a byte order mark: a header, then a line for each cell.",
  example: "date,store_variant_id,product_title,variant_title,sku,packed,planned,at_risk,quantity\r\n",
});
