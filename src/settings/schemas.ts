import { z } from "@hono/zod-openapi";
import { currency, displayName, timezone } from "../accounts/rules.ts";
import { finalActions, outOfStockActions, prepaidEnds, stores } from "../accounts/tables.ts";
import { instant, instantIn } from "../http/params.ts";
import { timezones } from "../lib/timezones.ts";

const isAscending = (days: number[]): boolean =>
  days.every((day, index) => index === 0 || day > (days[index - 1] ?? 0));

const retryDays = z
  .array(z.int().min(1).max(60))
  .min(1)
  .max(10)
  .refine(isAscending, "must ascend")
  .openapi({
    uniqueItems: true,
    description:
      "Days after the first failure on which a payment is tried again: 1 to 10 ascending whole numbers from 1 to 60.",
    example: [1, 3, 7],
  });

const finalAction = z.enum(finalActions).openapi("DunningFinalAction", {
  description:
    "What happens to a subscription when its last retry has failed: `fail` (PAYMENT_FAILED), `pause` or `cancel`.",
});

const reminderDays = z.int().min(0).max(60).nullable().openapi({
  description: "How many days before a billing its customer is reminded, from 0 to 60. Null or 0: never.",
  example: 3,
});

const outOfStockAction = z.enum(outOfStockActions).openapi("OutOfStockAction", {
  description:
    "What happens to a cycle that cannot be billed because its goods are out of stock: `retry` tries it again later, as often as it takes; `skip` goes on to the next cycle; `bill_anyway` sells them all the same if the store allows it, and tries again later if not.",
});

const prepaidOnEnd = z.enum(prepaidEnds).openapi("PrepaidOnEnd", {
  description:
    "What happens to deliveries that are paid for when a subscription is cancelled: `deliver` makes them on their dates, `stop` makes no more.",
});

export const AccountBody = z
  .strictObject({
    id: z.string().openapi({ description: "The account's id." }),
    name: z.string().openapi({ description: "The merchant's name." }),
    shop: z.string().openapi({
      description: "The store's domain. Read only: the operator of the deployment renames an account.",
    }),
    store: z
      .enum(stores)
      .openapi({ description: "The store platform: Shopify, or the built-in sandbox store." }),
    timezone: z
      .string()
      .openapi({ description: "The IANA time zone of all calendar dates.", example: "America/New_York" }),
    currency_code: z.string().openapi({ description: "The ISO 4217 code of all amounts.", example: "USD" }),
    dunning_retry_days: z.array(z.int()),
    dunning_final_action: finalAction,
    payment_reminder_days_before: reminderDays,
    out_of_stock_action: outOfStockAction,
    prepaid_on_end: prepaidOnEnd,
    created_at: instant,
    updated_at: instant,
  })
  .openapi("Account");

export const AccountData = z.strictObject({ data: AccountBody }).openapi("AccountData");

/** The document lists the names that are accepted; aliases and other cases are read too. */
const timezoneIn = timezone.openapi("TimeZone", {
  type: "string",
  enum: timezones(),
  description: "A time zone of the IANA database. Aliases such as US/Eastern are read too.",
  example: "America/New_York",
});
const currencyIn = currency.openapi("Currency", {
  type: "string",
  enum: Intl.supportedValuesOf("currency"),
  description: "A currency of ISO 4217.",
  example: "USD",
});
const name = displayName.openapi({
  type: "string",
  minLength: 1,
  maxLength: 255,
  pattern: "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$",
});

export const AccountUpdate = z
  .strictObject({
    name,
    timezone: timezoneIn,
    currency_code: currencyIn,
    dunning_retry_days: retryDays,
    dunning_final_action: finalAction,
    payment_reminder_days_before: reminderDays,
    out_of_stock_action: outOfStockAction,
    prepaid_on_end: prepaidOnEnd,
  })
  .partial()
  .openapi("AccountUpdate", { example: { dunning_retry_days: [1, 3, 7] } });

export const TestClockRequest = z.strictObject({ advance_to: instantIn }).openapi("TestClockRequest");

export const TestClockData = z
  .strictObject({
    data: z.strictObject({
      now: instant,
      advancing: z.boolean().openapi({ description: "Whether it is still moving to its target." }),
    }),
  })
  .openapi("TestClockData");
