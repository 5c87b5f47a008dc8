import { z } from "@hono/zod-openapi";
import { currency, timezone } from "../../base/accounts/rules.ts";
import {
  disputeActions,
  finalActions,
  foreignChargeActions,
  outOfStockActions,
  prepaidEnds,
  stores,
} from "../../base/accounts/tables.ts";
import { demoId, demoShop } from "../../base/demo.ts";
import { timezones } from "../../base/lib/time/timezones.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut } from "../../kit/http/document/fields.ts";
import { moneyIn } from "../../kit/http/document/money.ts";
import { instant, instantIn, nameIn } from "../../kit/http/document/params.ts";
import { dataOf } from "../../kit/http/list/pagination.ts";

function isAscending(days: number[]): boolean {
  return days.every((day, index) => index === 0 || day > (days[index - 1] ?? 0));
}

const retryDays = z
  .array(z.int().min(1).max(60))
  .min(1)
  .max(10)
  .refine(isAscending, "must ascend")
  .openapi({ uniqueItems: true });

const finalAction = z.enum(finalActions).openapi("DunningFinalAction", {
  description:
    "What happens to a subscription when its last retry has failed. fail: it is PAYMENT_FAILED. pause: it is PAUSED. cancel: it is CANCELLED.",
});

const reminderDays = z.int().min(0).max(60).nullable();

const outOfStockAction = z.enum(outOfStockActions).openapi("OutOfStockAction", {
  description:
    "What happens to a cycle whose goods are out of stock. retry: it is tried again later, as often as it takes. skip: the next cycle is billed instead. bill_anyway: the goods are sold all the same if the store allows it, and tried again later if not.",
});

const prepaidOnEnd = z.enum(prepaidEnds).openapi("PrepaidOnEnd", {
  description:
    "What happens to deliveries that are paid for when a subscription is cancelled. deliver: they are made on their dates. stop: no more are made.",
});

const onForeignCharge = z.enum(foreignChargeActions).openapi("OnForeignCharge", {
  description:
    "What happens when somebody else charges a subscription's contract at the store, which is an alert to the operator. wait: the cycle is not charged until a person settles the attempt under review. count: the charge pays the cycle. ignore: the cycle is charged as usual, so the customer may pay twice.",
});
const onDispute = z.enum(disputeActions).openapi("OnDispute", {
  description:
    "Whether a subscription is billed while a payment of it is disputed. block: not until the dispute is won, or a person resumes billing (`billing_blocked_reason` is `disputed`). ignore: as usual.",
});

/** The descriptions of an account's fields, in requests and responses. */
const accountTexts = {
  ...commonTexts,
  id: ["The account's id.", demoId("account", 1)],
  name: ["The merchant's name, 1 to 255 characters, not blank.", "Demo Store"],
  shop: ["The store's domain. Read only: the operator of the deployment renames an account.", demoShop],
  store: "The store platform that the account is connected to.",
  timezone: ["The IANA time zone of all calendar dates.", "America/New_York"],
  currency_code: [
    "The ISO 4217 code of all amounts. It cannot change once a plan, subscription or order is priced in it.",
    "USD",
  ],
  store_currencies: [
    "The ISO 4217 codes of the currencies in which the connected store sells, the account's first, as they were when it was connected. Null on the sandbox store, and on Stripe, which charges in any. Contracts that customers conclude in another than the account's are taken over in theirs; subscriptions created here are in the account's.",
    null,
  ],
  store_missing_scopes: [
    "The permissions that the app needs and the connected store does not give it, as the store calls them; empty if it has all. Null on stores that have no app. What depends on one does not work until the merchant gives it.",
    null,
  ],
  dunning_retry_days: [
    "Days after the first failure on which a payment is tried again: 1 to 10 ascending whole numbers from 1 to 60. [1, 3, 7] for a new account.",
    [1, 3, 7],
  ],
  dunning_final_action:
    "What happens to a subscription when its last retry has failed. `fail` for a new account.",
  payment_reminder_days_before: [
    "How many days before a billing its customer is reminded, 0 to 60. Null or 0: never. 3 for a new account.",
    3,
  ],
  out_of_stock_action: "What happens to a cycle whose goods are out of stock. `retry` for a new account.",
  prepaid_on_end:
    "What happens to deliveries that are paid for when a subscription is cancelled. `deliver` for a new account.",
  on_foreign_charge:
    "What happens when somebody else charges a subscription's contract at the store. `wait` for a new account.",
  on_dispute:
    "Whether a subscription is billed while a customer disputes one of its payments. It counts for disputes that open from then on. `block` for a new account.",
  notify_payment_update: [
    "Whether the store e-mails a customer whose payment was declined for good a link to another payment method: once for each dunning episode. At Shopify the app needs the scope `write_customers` for it. False for a new account.",
    false,
  ],
  notify_every_retry: [
    "Whether customers get the mail `payment_failed` each time a retry fails, and not the first time alone. False for a new account.",
    false,
  ],
  require_address: ["Whether billing waits for a complete delivery address. False for a new account.", false],
  support_max_discount_percent: [
    "The share of an order's goods, in percent, that staff with the role SUPPORT take off at most, by discounts and lower prices in sum: a whole number from 0 to 100. 20 for a new account.",
    20,
  ],
  support_max_refund: [
    "The most that staff with the role SUPPORT have paid back of an order, all of its refunds in sum, in major units of the account's currency. Null, as for a new account: they pay nothing back.",
    null,
  ],
} as const satisfies Record<string, FieldText>;

/** The store platforms. */
export const storePlatform = z.enum(stores).openapi("StorePlatform", {
  description:
    "A store platform. sandbox: the built-in one, which charges nobody. shopify: a Shopify store. stripe: an account at Stripe, which has the payment methods and charges; orders are kept here.",
});

/** The settings of billing, in requests as in responses. */
const settings = {
  dunning_final_action: finalAction,
  payment_reminder_days_before: reminderDays,
  out_of_stock_action: outOfStockAction,
  prepaid_on_end: prepaidOnEnd,
  on_foreign_charge: onForeignCharge,
  on_dispute: onDispute,
  notify_payment_update: z.boolean(),
  notify_every_retry: z.boolean(),
  require_address: z.boolean(),
  support_max_discount_percent: z.int().min(0).max(100),
};

export const AccountBody = named(
  "Account",
  z.strictObject({
    id: idOut,
    name: z.string(),
    shop: z.string(),
    store: storePlatform,
    timezone: z.string(),
    currency_code: z.string(),
    store_currencies: z.array(z.string()).nullable(),
    store_missing_scopes: z.array(z.string()).nullable(),
    dunning_retry_days: z.array(z.int()),
    ...settings,
    support_max_refund: z.number().nullable(),
    created_at: instant,
    updated_at: instant,
  }),
  accountTexts,
  { description: "A merchant's store, and how its subscriptions are billed." },
);

export const AccountData = dataOf(AccountBody, "AccountData", "The account.");

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
export const AccountUpdate = named(
  "AccountUpdate",
  z
    .strictObject({
      name: nameIn,
      timezone: timezoneIn,
      currency_code: currencyIn,
      dunning_retry_days: retryDays,
      ...settings,
      support_max_refund: moneyIn.nullable(),
    })
    .partial(),
  accountTexts,
  { description: "Fields that are absent stay as they are.", example: { dunning_retry_days: [1, 3, 7] } },
);

export const TestClockRequest = named("TestClockRequest", z.strictObject({ advance_to: instantIn }), {
  advance_to: [
    "Where to move the account's time: a date-time with an offset, later than its time now and at most 400 days ahead.",
    "2030-01-15T12:00:00.000Z",
  ],
});

const TestClock = named(
  "TestClock",
  z.strictObject({ now: instant, advancing: z.boolean() }),
  {
    now: ["The account's own time: UTC.", "2026-11-20T12:00:00.000Z"],
    advancing: "Whether it is still moving to its target.",
  },
  { description: "The account's own time." },
);

export const TestClockData = dataOf(TestClock, "TestClockData", "The account's own time.");
