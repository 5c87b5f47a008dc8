import { z } from "@hono/zod-openapi";
import { currency, displayName, shopDomain, timezone } from "../accounts/rules.ts";
import { finalActions, stores } from "../accounts/tables.ts";
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

export const AccountBody = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    shop: z.string(),
    store: z.enum(stores),
    timezone: z.string(),
    currency_code: z.string(),
    dunning_retry_days: z.array(z.int()),
    dunning_final_action: finalAction,
    payment_reminder_days_before: reminderDays,
    created_at: instant,
    updated_at: instant,
  })
  .openapi("Account");

export const AccountData = z.strictObject({ data: AccountBody }).openapi("AccountData");

const written = { type: "string" } as const;

export const AccountUpdate = z
  .strictObject({
    name: displayName.openapi({ ...written, minLength: 1, maxLength: 255 }),
    shop: shopDomain.openapi({ ...written, example: "demo-store.myshopify.com" }),
    timezone: timezone.openapi({ ...written, example: "America/New_York" }),
    currency_code: currency.openapi({ ...written, example: "USD" }),
    dunning_retry_days: retryDays,
    dunning_final_action: finalAction,
    payment_reminder_days_before: reminderDays,
  })
  .partial()
  .openapi("AccountUpdate", { example: { dunning_retry_days: [1, 3, 7] } });

export const TestClockRequest = z.strictObject({ advance_to: instantIn }).openapi("TestClockRequest");

export const TestClockData = z
  .strictObject({ data: z.strictObject({ now: instant, advancing: z.boolean() }) })
  .openapi("TestClockData");
