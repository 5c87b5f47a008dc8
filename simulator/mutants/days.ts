import { billing, edit, type Mutant } from "./edits.ts";

const reminders = "src/domain/billing/due/reminders.ts";
const reader = "src/domain/imports/field-reader.ts";
const terms = "test/imports/terms.test.ts";
const onTheDay = {
  file: "test/billing/reminders.test.ts",
  test: "which comes too late to be stopped: by the account's",
};

/** Bugs by which something is done or told on another day than the one that counts. */
export const dayMutants: Mutant[] = [
  {
    name: "reminded on the day of the charge",
    what: "a customer is reminded of a charge that is made at the same moment",
    edits: [edit(reminders, "remind_of > ?2 AND", "remind_of >= ?2 AND")],
    caughtBy: { ...onTheDay, test: `${onTheDay.test} days` },
  },
  {
    name: "reminded by a rule on the day of the charge",
    what: "a customer whose interval has a rule is reminded of a charge that is made at the same moment",
    edits: [edit(reminders, "AND charge_on > ?2 ORDER", "AND charge_on >= ?2 ORDER")],
    caughtBy: { ...onTheDay, test: `${onTheDay.test} rule` },
  },
  {
    name: "a reminder beside its charge",
    what: "a mail tells until when a charge can be stopped once that moment has passed",
    edits: [
      edit(
        "src/domain/mail/kinds/upcoming-charge.ts",
        "charge.billing <= view.today",
        "charge.billing < view.today",
      ),
    ],
    caughtBy: { file: "test/mail/outdated.test.ts", test: "when it can no longer be stopped" },
  },
  {
    name: "a paused charge in a mail",
    what: "a customer whose subscription was paused is told of a charge that does not come",
    edits: [
      edit(
        "src/domain/mail/kinds/changed.ts",
        "next_charge_date: nextDatesOf(prospect).charge,",
        "next_charge_date: row.next_billing_date,",
      ),
    ],
    caughtBy: { file: "test/mail/changes.test.ts", test: "and none of a paused subscription" },
  },
  {
    name: "retries count from a switch",
    what: "a customer who chooses another card after a decline for good is charged on other days than those that were told",
    edits: [
      edit(
        "src/domain/dunning/actions.ts",
        "nextStep({ from: episode.retries_from, retryDays }, false, ctx.now);",
        "nextStep({ from: ctx.now, retryDays }, false, ctx.now);",
      ),
    ],
    caughtBy: { file: "test/billing/switches.test.ts", test: "not from the switch" },
  },
  {
    name: "a charge after the last cycle waits",
    what: "somebody has to settle a charge for a cycle that a subscription does not have",
    edits: [
      edit(
        `${billing}/foreign-charge.ts`,
        "return !isOver(row) && !isBeyondLastCycle(row);",
        "return !isOver(row);",
      ),
    ],
    caughtBy: {
      file: "test/webhooks/foreign-charges.test.ts",
      test: "delivers what its last billing paid for",
    },
  },
  {
    name: "a charge of who has expired waits",
    what: "somebody has to settle a charge of a subscription that is over",
    edits: [
      edit(
        `${billing}/foreign-charge.ts`,
        "return !isOver(row) && !isBeyondLastCycle(row);",
        'return row.status !== "CANCELLED" && (isOver(row) || !isBeyondLastCycle(row));',
      ),
    ],
    caughtBy: { file: "test/webhooks/foreign-charges.test.ts", test: "a subscription that has expired" },
  },
  {
    name: "charged from Greenwich's tomorrow",
    what: "a merchant in the West cannot let charges begin tomorrow in the evening, and one in the East can let them begin today",
    edits: [
      edit("src/domain/imports/create.ts", "addDays(todayOf(ctx), 1)", "addDays(ctx.now.slice(0, 10), 1)"),
    ],
    caughtBy: { file: terms, test: "from the account's tomorrow on" },
  },
  {
    name: "charges on Greenwich's day",
    what: "a subscription is moved in with its charge a day late, as its file names an instant of the evening before",
    edits: [edit(reader, "parseDate(value, timezone)", 'parseDate(value, timezone && "UTC")')],
    caughtBy: { file: terms, test: "dates and times of a row are the account's own" },
  },
  {
    name: "times of Greenwich",
    what: "a time without an offset is read as one of another zone than the shop's",
    edits: [edit(reader, "parseInstantIn(value, timezone)", 'parseInstantIn(value, timezone && "UTC")')],
    caughtBy: { file: terms, test: "dates and times of a row are the account's own" },
  },
  {
    name: "days of Greenwich",
    what: "a day without a time begins on the evening before",
    edits: [edit(reader, "startOfDay(day, timezone)", 'startOfDay(day, timezone && "UTC")')],
    caughtBy: { file: terms, test: "dates and times of a row are the account's own" },
  },
  {
    name: "a past order of the next day",
    what: "an order that is moved in was billed on another day than the shop's books say",
    edits: [
      edit(
        "src/domain/imports/write-order.ts",
        "dateIn(planned.ordered_at, ctx.account.timezone)",
        'dateIn(planned.ordered_at, ctx.account.timezone && "UTC")',
      ),
    ],
    caughtBy: { file: terms, test: "a past order was billed on the account's day" },
  },
  {
    name: "an order of two counts for one",
    what: "the order of two subscriptions counts as the revenue of the one that it was known to be of first",
    edits: [
      edit(
        "src/domain/store-sync/orders.ts",
        "const difference = revenueOf(updated, ids) - revenueOf(row, before);",
        "const difference = revenueOf(updated, before.length > 0 ? before : ids) - revenueOf(row, before);",
      ),
    ],
    caughtBy: { file: "test/webhooks/known-orders.test.ts", test: "once it is known to be of both" },
  },
  {
    name: "a card is over in its last month",
    what: "a customer of Stripe's is asked for another card a month before theirs expires",
    edits: [
      edit(
        "src/stores/stripe/payment-methods.ts",
        "return now.slice(0, 7) > `",
        "return now.slice(0, 7) >= `",
      ),
    ],
    caughtBy: {
      file: "test/stripe/payment-methods.test.ts",
      test: "is good until the end of its last month",
    },
  },
  {
    name: "nothing is told on the last day",
    what: "a customer is not told that their card expires today, after an outage",
    edits: [
      edit(
        "src/domain/billing/due/expiring-methods.ts",
        "WHERE method.expires_on >= ?3 AND",
        "WHERE method.expires_on > ?3 AND",
      ),
    ],
    caughtBy: { file: "test/mail/expiring-methods.test.ts", test: "is told on its last day" },
  },
  {
    name: "the days of another setting",
    what: "customers in dunning are tried on other days than those that they were told, as the merchant has changed the setting",
    edits: [
      edit(
        "src/domain/dunning/actions.ts",
        "const retryDays: number[] = JSON.parse(episode.retry_days);\n  const retries_from",
        "const retryDays = retryDaysOf(ctx.account);\n  const retries_from",
      ),
    ],
    caughtBy: { file: "test/billing/dunning.test.ts", test: "the setting is the one of the first failure" },
  },
];
