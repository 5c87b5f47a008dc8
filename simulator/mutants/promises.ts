import { billing, edit, type Mutant } from "./edits.ts";

const nextAfter = "src/domain/subscriptions/dates/next-after.ts";
const schedule = "src/domain/subscriptions/dates/schedule.ts";
const policy = "src/domain/retries/policy.ts";
const anHour = "attempts an hour are bounded";

/** Bugs that charge each cycle once, and yet not as often, or not on the days, that were agreed. */
export const promiseMutants: Mutant[] = [
  {
    name: "every other delivery is left out",
    what: "after a delivery the schedule goes on with the next but one",
    edits: [
      edit(
        nextAfter,
        "const from = isOffSchedule ? 1 : row.next_index + 1;",
        "const from = isOffSchedule ? 2 : row.next_index + 2;",
      ),
    ],
    rule: "dates move as agreed",
  },
  {
    name: "a billing between two intervals",
    what: "after a delivery the schedule counts from it in days, whatever the interval is",
    edits: [
      edit(nextAfter, "from, day: due, isBilled }", "from, day: 0, isBilled }"),
      edit(
        schedule,
        "  const next_billing_date = nextBillingDate(planned, calendar.slot, earliest);\n  return moveToOpenDays({ ...planned, next_billing_date }, calendar, earliest);",
        "  const dates = columnsOf(calculateDates(earliest, rhythm, earliest));\n  const billing = nextBillingDate(planned, calendar.slot, earliest);\n  return moveToOpenDays({ ...planned, ...dates, next_billing_date: billing && (owed > 0 ? billing : earliest) }, calendar, earliest);",
      ),
    ],
    rule: "one billing an interval",
  },
  {
    name: "a week of the slot is left out",
    what: "after a delivery in a slot the schedule goes on a week later than it can",
    edits: [
      edit(
        nextAfter,
        "toDay(earliestPlanned(calendar.slot?.day, tomorrow)));",
        "toDay(earliestPlanned(calendar.slot?.day, addDays(tomorrow, calendar.slot ? 7 : 0))));",
      ),
    ],
    rule: "one billing an interval",
  },
  {
    name: "retries come too early",
    what: "a day of dunning has twelve hours",
    edits: [edit(policy, "later(instant, days * dayMs)", "later(instant, (days * dayMs) / 2)")],
    rule: "retries on the agreed days",
  },
  {
    name: "retries are left out",
    what: "after a failed payment only the last of the agreed days is tried",
    edits: [edit(policy, "ahead.at(isFinal ? -1 : 0)", "ahead.at(-1)")],
    rule: "retries on the agreed days",
    times: 3,
  },
  {
    name: "retries after a decline for good",
    what: "an expired card is charged on every day",
    edits: [
      edit(policy, "ahead.at(isFinal ? -1 : 0)", "ahead.at(0)"),
      edit(policy, 'isFinal ? "AWAITING_CUSTOMER" : "OPEN"', '"OPEN"'),
    ],
    rule: "retries on the agreed days",
  },
  {
    name: "waits do not grow",
    what: "while the payment provider is off, billing is tried again every hour",
    edits: [
      edit(
        "src/domain/billing/waiting.ts",
        "doublingPause(pausesMs, count - 1)",
        "doublingPause(pausesMs, 0)",
      ),
    ],
    rule: "attempts a day are bounded",
  },
  {
    name: "switches have no limit",
    what: "each switch of the payment method charges at once, however many come within an hour",
    edits: [
      edit(
        "src/domain/subscriptions/bounds/hourly-limit.ts",
        "return recent.length < maxPerHour;",
        "return recent.length >= 0;",
      ),
    ],
    rule: anHour,
  },
  {
    name: "a review says nothing",
    what: "the history does not tell that an attempt came under review",
    edits: [
      edit(
        `${billing}/review-required.ts`,
        'entry: { action: "billing_review_required", metadata },',
        'entry: { action: "billing_waiting", metadata },',
      ),
    ],
    rule: "every review is reported",
    times: 2,
  },
  {
    name: "two decimals for every currency",
    what: "amounts in yen are a hundredth, in dinars ten times",
    edits: [
      edit(
        "src/base/lib/money.ts",
        "exponents.get(currency) ?? 2;",
        "(exponents.get(currency) ?? 2) * 0 + 2;",
      ),
    ],
    platform: "shopify",
  },
  {
    name: "the day of Greenwich",
    what: "a subscription is billed on the day that it is in UTC",
    edits: [
      edit("src/kit/days.ts", "dateIn(now, account.timezone);", 'dateIn(now, account.timezone && "UTC");'),
    ],
    rule: "dates move as agreed",
  },
  {
    name: "a cancel frees the attempts of all",
    what: "a withdrawn attempt takes the open one off the subscriptions of every account",
    edits: [
      edit(
        "src/domain/subscriptions/actions/end-of-billing.ts",
        '        eq(subscriptions.account_seq, p("account_seq")),\n        eq(subscriptions.id, p("id")),\n',
        "",
      ),
    ],
    rule: "accounts do not touch each other",
    times: 3,
  },
  {
    name: "allow_repeat without a limit",
    what: "whoever asks for another cycle is charged as often as they ask",
    edits: [
      edit(
        `${billing}/ship-now.ts`,
        "      requireBelowHourlyLimit(ctx, recent);",
        "      if (!request.allow_repeat) requireBelowHourlyLimit(ctx, recent);",
      ),
    ],
    rule: anHour,
  },
  {
    name: "every ship-now repeats",
    what: "a second click bills the next cycle as well",
    edits: [
      edit(`${billing}/ship-now.ts`, "if (request.allow_repeat) {", "if (request.allow_repeat !== false) {"),
    ],
    rule: "a repeated ship-now charges nothing",
  },
  {
    name: "retry-payment has no limit",
    what: "what is owed is tried as often as somebody asks",
    edits: [edit(`${billing}/retry-payment.ts`, "  requireBelowHourlyLimit(ctx, recent);\n", "")],
    rule: anHour,
  },
  {
    name: "a switch charges the old card",
    what: "after a switch of the payment method what is owed is tried with the one before",
    edits: [
      edit(
        `${billing}/payment-method.ts`,
        "tryNewMethod(ctx, { ...view, method }, known)",
        "tryNewMethod(ctx, view, known)",
      ),
    ],
    rule: "the method that was chosen last is charged",
  },
  {
    name: "a retry charges the first card",
    what: "the store is asked to charge a payment method of the customer's, and not the one that was chosen",
    edits: [
      edit(
        `${billing}/charge.ts`,
        "const { store_contract_id, store_payment_method_id } = snapshotOf(attempt);",
        'const { store_contract_id } = snapshotOf(attempt);\n  const store_payment_method_id = "pm_4";',
      ),
    ],
    rule: "the method that was chosen last is charged",
  },
];
