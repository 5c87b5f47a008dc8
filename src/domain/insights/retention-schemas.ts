import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { commonTexts } from "../../kit/http/document/fields.ts";
import { moneyOut } from "../../kit/http/document/money.ts";
import { dateIn } from "../../kit/http/document/params.ts";
import { groupings } from "../cancellation/tables.ts";
import { daysMax } from "./limits.ts";

export const RetentionQuery = z.strictObject({
  from: dateIn.openapi({
    description: "The first day on which cases were opened, in the account's time zone.",
    example: "2026-11-01",
  }),
  to: dateIn.openapi({
    description: `The last day: at most ${daysMax} days, both ends among them.`,
    example: "2026-11-30",
  }),
  group_by: z.enum(groupings).default("reason").openapi({
    description:
      "What is counted apart. reason: the cancellation reason that was given, the default. offer: each offer that was shown.",
    example: "offer",
  }),
});

const count = z.int().min(0);

export const RetentionRow = named(
  "RetentionRow",
  z.strictObject({
    key: z.string().nullable(),
    shown: count,
    accepted: count,
    saved: count,
    lost: count,
    pending: count,
    cost: moneyOut,
    revenue_after: moneyOut,
    currency_code: z.string(),
  }),
  {
    key: [
      "The id of the cancellation reason, null where none was given; or the id of the offer.",
      demoId("cancellation_offer", 1),
    ],
    shown: ["How many cases that had an offer had this reason; or how many showed this offer.", 40],
    accepted: ["In how many of them an offer was accepted; or this one.", 12],
    saved: [
      "How many of these saved the subscription: a charge that began after the acceptance succeeded at full terms, and the subscription goes on.",
      7,
    ],
    lost: ["How many of these were cancelled before.", 2],
    pending: ["How many of these are neither: accepted less saved and lost.", 3],
    cost: ["The discounts that charges have really given by these offers, in major units.", 98.16],
    revenue_after: [
      "The charges that began after these acceptances and succeeded, until the subscription ended or its next offer was accepted; refunds are not deducted. In major units.",
      540.2,
    ],
    currency_code: commonTexts.currency_code,
  },
  {
    description:
      "How many customers were about to leave, and stayed. Whatever came of a case counts on the day on which it was opened.",
  },
);

export const Retention = named("Retention", z.strictObject({ data: z.array(RetentionRow) }), {
  data: "A row for each reason or offer that was met in these days, and each currency.",
});

export const RetentionCsv = z.string().openapi({
  description:
    "The rows as CSV, UTF-8 with a byte order mark, whose columns are the fields of the JSON in their order.",
  example: "key,shown,accepted,saved,lost,pending,cost,revenue_after,currency_code\r\n",
});
