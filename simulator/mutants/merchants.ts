import { billing, edit, type Mutant } from "./edits.ts";

const [promised, limits, slots] = ["promised-prices", "undo-limits", "slot-moves"].map(
  (name) => `test/bulk/${name}.test.ts`,
) as [string, string, string];
const [cards, terms] = ["test/imports/cards.test.ts", "test/imports/terms.test.ts"];
const bound = "test/imports/no-charge-before.test.ts";
const charges = "src/domain/imports/formats/charges.test.ts";
const prices = "src/domain/bulk/price-change.ts";
const undo = "src/domain/subscriptions/undo/requirements.ts";

/**
 * Bugs in what merchants do to many subscriptions at once: bulk jobs, taking them back, and imports. Each needs a state that random
 * schedules hardly reach, so that a test of its own proves it.
 */
export const merchantMutants: Mutant[] = [
  {
    name: "a rise that is not called off",
    what: "a customer is charged a price that the merchant has taken back before it began",
    edits: [
      edit(
        prices,
        "return now === price && price_changes.length === 0;",
        "return now === price || price_changes.at(-1)?.price === price;",
      ),
    ],
    caughtBy: { file: promised, test: "is called off by the price that the line has" },
  },
  {
    name: "a price a billing late",
    what: "the billing of the day that is named is at the old price",
    edits: [edit(prices, "({ billing }) => billing >= day", "({ billing }) => billing > day")],
    caughtBy: { file: promised, test: "begins with the billing of the very day that is named" },
  },
  {
    name: "the price of another product",
    what: "a product that replaces another is charged at what was promised for that one",
    edits: [
      edit(
        prices,
        "return { ...withoutPromises(line), ...to, ...own };",
        "return { ...line, ...to, ...own };",
      ),
    ],
    caughtBy: { file: promised, test: "charged at none of the prices that were promised for that" },
  },
  {
    name: "a change that another was before is taken back",
    what: "undoing a job resumes who has paused at the moment at which the job would have",
    edits: [
      edit(
        "src/domain/subscriptions/actions/change-subscription.ts",
        "    if (ctx.jobRow) ctx.jobRow.change = undefined;\n",
        "",
      ),
    ],
    caughtBy: { file: limits, test: "leaves a pause that its customer has asked for at the same moment" },
  },
  {
    name: "a slot is moved from where nobody is",
    what: "subscriptions of other slots are moved too",
    edits: [
      edit(
        "src/domain/bulk/row-actions.ts",
        "if (row.delivery_slot_id !== from_slot_id)",
        "if (row.delivery_slot_id === null)",
      ),
    ],
    caughtBy: { file: slots, test: "who is not in the slot that is named stays where they are" },
  },
  {
    name: "a slot is moved by a date of before",
    what: "a date that a customer has just chosen is overwritten by one that follows from the former",
    edits: [edit("src/domain/bulk/row-actions.ts", "    revision: row.revision,\n", "")],
    caughtBy: { file: slots, test: "a delivery that its customer moves at the same moment" },
  },
  {
    name: "a date that has passed is put back",
    what: "taking a job back charges customers at once, for a delivery that nobody can make",
    edits: [edit(undo, "date >= madeOn && date < today", 'date >= madeOn && date < "2000"')],
    caughtBy: { file: limits, test: "puts no date back that has passed" },
  },
  {
    name: "dates are put back beneath a billing",
    what: "taking a job back moves the delivery that a charge under way pays for",
    edits: [
      edit(undo, "if (moves && !endsBilling) requireNotBilling(", "if (endsBilling) requireNotBilling("),
    ],
    caughtBy: { file: limits, test: "moves no date while a billing is under way" },
  },
  {
    name: "an undone cancellation begins another life",
    what: "taking a cancellation back makes a plan of three payments one of five",
    edits: [
      edit(
        "src/domain/subscriptions/undo/life.ts",
        "columns: notToday(ctx, row, restored),\n    writes",
        "columns: { ...notToday(ctx, row, restored), current_billing_cycle: 1 },\n    writes",
      ),
    ],
    caughtBy: { file: "test/undo/undo.test.ts", test: "of a plan of three payments leaves the one" },
  },
  {
    name: "a promise is lost with what is taken back",
    what: "taking back a price drops another one that was promised since",
    edits: [
      edit(
        "src/domain/subscriptions/undo/restore-contents.ts",
        "isPriced ? [...new Set([...written, ...priceFields])] : written",
        "written",
      ),
    ],
    caughtBy: { file: limits, test: "leaves a line that has been promised another price since" },
  },
  {
    name: "more of a gift is taken away",
    what: "taking a line back removes what a customer has ordered more of",
    edits: [
      edit(
        "src/domain/subscriptions/undo/elements.ts",
        "return isSame(now ?? null, to) ? from : undefined;",
        "return now ? from : undefined;",
      ),
    ],
    caughtBy: { file: limits, test: "leaves a line of one order that somebody has changed since" },
  },
  {
    name: "moved in with the card of another",
    what: "an import has somebody pay for the subscriptions of another customer",
    edits: [
      edit(
        "src/domain/imports/payment.ts",
        'if (known !== null) return isSameStoreId("Customer", known, store_customer_id);',
        "if (known !== null) return true;",
      ),
    ],
    caughtBy: { file: cards, test: "no customer is moved in with the card of another" },
  },
  {
    name: "moved in with the card of another address",
    what: "an import that names customers by e-mail address has somebody pay for another",
    edits: [
      edit(
        "src/domain/imports/payment.ts",
        "emailKey(store_customer_email) === email",
        'store_customer_email !== ""',
      ),
    ],
    caughtBy: { file: cards, test: "no customer is moved in with the card of another" },
  },
  {
    name: "closed days charge before charge_from",
    what: "customers are charged here and by the former system, as closed days bring a charge forward",
    edits: [
      edit(
        "src/domain/subscriptions/dates/open-dates.ts",
        "[chargeableFrom(row, calendar.today), day, ",
        "[addDays(calendar.today, 1), day, ",
      ),
    ],
    caughtBy: { file: terms, test: "closed days put it on no earlier one" },
  },
  {
    name: "ship-now before charge_from",
    what: "a customer ships now, and is charged here and by the former system",
    edits: [
      edit(
        "src/domain/billing/actions/start.ts",
        "if (!sent && !earlier) requireChargeable(row, today);",
        "if (sent && earlier) requireChargeable(row, today);",
      ),
    ],
    caughtBy: { file: bound, test: "ship-now is 409 and names the day" },
  },
  {
    name: "a date before charge_from",
    what: "a customer who chooses a day before charge_from is told that it is taken, and it is another",
    edits: [
      edit(
        "src/domain/subscriptions/actions/change-subscription.ts",
        "if (moves) requireChargeableOn(",
        "if (!moves) requireChargeableOn(",
      ),
    ],
    caughtBy: { file: bound, test: "of a slot whose charge is before its delivery" },
  },
  {
    name: "a discount that is over goes on for ever",
    what: "a discount that has given its last cycle elsewhere takes something off each charge here",
    edits: [
      edit("src/domain/imports/planned/discounts.ts", "reduction === 0 || left === 0", "reduction === 0"),
      edit(
        "src/domain/imports/planned/discounts.ts",
        "recurring_cycle_limit: left ?? null",
        "recurring_cycle_limit: left || null",
      ),
    ],
    caughtBy: { file: terms, test: "gives none here" },
  },
  {
    name: "released by another import",
    what: "subscriptions are charged though the import that has moved them in still holds them",
    edits: [
      edit(
        "src/domain/imports/release.ts",
        "AND its.ref = asked.value AND its.job_id = ?4`",
        "AND its.ref = asked.value AND ?4 = ?4`",
      ),
    ],
    caughtBy: { file: terms, test: "releases what it has moved in itself" },
  },
  {
    name: "rows that contradict each other are moved in",
    what: "a customer is charged on the day of one row though another row names a later one",
    edits: [
      edit(
        "src/domain/imports/subscription-lines.ts",
        "if (shared[name] !== undefined && shared[name] !== value) different.add(name);",
        "if (shared[name] === undefined && value === name) different.add(name);",
      ),
    ],
    caughtBy: { file: terms, test: "contradict each other about its next charge" },
  },
  {
    name: "a swap at the other product's promise",
    what: "a customer who swaps a product is charged the higher price that was promised for the former",
    edits: [
      edit(
        "src/domain/subscriptions/actions/own-lines.ts",
        "return { ...withoutPromises(line), price };",
        "return { ...line, price };",
      ),
    ],
    caughtBy: { file: "test/portal/promised-prices.test.ts", test: "rises by no promise of the other" },
  },
  {
    name: "removed after the cut-off",
    what: "a customer takes a product out of a delivery that is packed already",
    edits: [
      edit(
        "src/domain/subscriptions/actions/own-lines.ts",
        'const options = { dryRun, needs: "can_remove", beforeCutoff: changeOfLines } as const;',
        'const options = { dryRun, needs: "can_remove" } as const;',
      ),
    ],
    caughtBy: { file: "test/portal/own-lines.test.ts", test: "from the cut-off of the next delivery on" },
  },
  {
    name: "a prepaid subscription of Recharge",
    what: "customers who have paid for three deliveries get one",
    edits: [
      edit(
        "src/domain/imports/formats/recharge/subscription.ts",
        "delivery_interval_count: order.count ?? charge.count",
        "delivery_interval_count: charge.count ?? order.count",
      ),
    ],
    caughtBy: { file: charges, test: "delivers as often as it is said to between two charges" },
  },
  {
    name: "revived by being moved in",
    what: "who has left a shop at Recharge is charged again",
    edits: [
      edit(
        "src/domain/imports/formats/recharge/subscription.ts",
        'upper === "EXPIRED" || upper === "INACTIVE" ? "CANCELLED" : upper',
        'upper === "EXPIRED" || upper === "INACTIVE" ? "ACTIVE" : upper',
      ),
    ],
    caughtBy: { file: charges, test: "that has ended is charged no more" },
  },
  {
    name: "the customer's other method",
    what: "a subscription of Stripe is charged to another card than the one that was chosen for it",
    edits: [
      edit(
        "src/domain/imports/formats/stripe/subscription.ts",
        "    idOf(default_payment_method) ??",
        '    idOf(memberAt(customer, "invoice_settings", "default_payment_method")) ?? idOf(default_payment_method) ??',
      ),
    ],
    caughtBy: { file: charges, test: "is paid with its own method" },
  },
  {
    name: "charged while a payment is owed",
    what: "who is in dunning elsewhere is moved in as active, and charged though past due was to be paused",
    edits: [
      edit(
        "src/domain/imports/formats/shopify.ts",
        'status === "FAILED" ? "PAST_DUE" : status',
        'status === "FAILED" ? "ACTIVE" : status',
      ),
    ],
    caughtBy: { file: charges, test: "whose payment has failed is past due" },
  },
  {
    name: "paid by the app of before",
    what: "a cycle waits for a person, as the app that had the contract before has charged an earlier one",
    edits: [
      edit(
        `${billing}/foreign-charge.ts`,
        "        sql`${subscriptions.created_at} <= charge.value ->> 'created_at'`,\n",
        "",
      ),
    ],
    caughtBy: { file: "test/webhooks/former-charges.test.ts", test: "before its subscription was here" },
  },
];
