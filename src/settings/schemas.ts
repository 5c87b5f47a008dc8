import { z } from "@hono/zod-openapi";
import { currency, displayName, timezone } from "../accounts/rules.ts";
import { finalActions, outOfStockActions, prepaidEnds, stores } from "../accounts/tables.ts";
import { instant, instantIn } from "../http/params.ts";

const isAscending = (days: number[]): boolean =>
  days.every((day, index) => index === 0 || day > (days[index - 1] ?? 0));

const retryDays = z
  .array(z.int().min(1).max(60))
  .min(1)
  .max(10)
  .refine(isAscending, "must ascend")
  .openapi({
    description: "Days after the first failure on which a payment is tried again.",
    example: [1, 3, 7],
  });

const finalAction = z.enum(finalActions).openapi("DunningFinalAction", {
  description: "What becomes of a subscription once its retries have run out.",
});

const reminderDays = z.int().min(0).max(60).nullable().openapi({
  description: "Days before a billing on which its customer is reminded; null or 0 for never.",
  example: 3,
});

const outOfStockAction = z.enum(outOfStockActions).openapi("OutOfStockAction", {
  description:
    "What becomes of a cycle that cannot be billed because its goods are out of stock: `retry` tries it again later, as often as it takes; `skip` goes on to the next cycle; `bill_anyway` sells them all the same, where the store allows it, else tries again later.",
});

const prepaidOnEnd = z.enum(prepaidEnds).openapi("PrepaidOnEnd", {
  description:
    "What becomes of deliveries that are paid for when a subscription is cancelled: they are made at their dates (deliver), or not any more (stop).",
});

export const AccountBody = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    shop: z.string().openapi({
      description: "The store's domain. Read only: the operator of the deployment renames an account.",
    }),
    store: z.enum(stores),
    timezone: z.string(),
    currency_code: z.string(),
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

const written = { type: "string" } as const;

export const AccountUpdate = z
  .strictObject({
    name: displayName.openapi({ ...written, minLength: 1, maxLength: 255 }),
    timezone: timezone.openapi({ ...written, example: "America/New_York" }),
    currency_code: currency.openapi({ ...written, example: "USD" }),
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
  .strictObject({ data: z.strictObject({ now: instant, advancing: z.boolean() }) })
  .openapi("TestClockData");
