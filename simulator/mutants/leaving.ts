import { edit, type Mutant } from "./edits.ts";

const queries = "src/domain/cancellation/queries.ts";
const accept = "src/domain/cancellation/actions/accept.ts";
const takeOffer = "src/domain/cancellation/take-offer.ts";
const [fitting, outcomes] = ["test/cancellation/fitting.test.ts", "test/cancellation/outcomes.test.ts"];

function bug(mutant: Omit<Mutant, "caughtBy">): Mutant {
  return { ...mutant, caughtBy: "simulator", beside: "leaving" };
}

/** Bugs in what keeps customers who are about to leave. */
export const leavingMutants: Mutant[] = [
  bug({
    name: "an effect without its acceptance",
    what: "the case stays open behind the effect of its offer, which is given again",
    edits: [
      edit(
        accept,
        "updateRow(cases, { account_seq: ctx.account.seq, id }, accepted),",
        "...(row.revision % 2 ? [updateRow(cases, { account_seq: ctx.account.seq, id }, accepted)] : []),",
      ),
    ],
    rule: "an offer's effect has its acceptance",
  }),
  bug({
    name: "no cooldown",
    what: "whoever has accepted an offer is shown and given the next one at once",
    edits: [
      edit(
        queries,
        "Date.parse(now) - cooldown_days * dayMs",
        "Date.parse(now) - (cooldown_days / 100) * dayMs",
      ),
    ],
    rule: "one offer within the cooldown",
  }),
  bug({
    name: "a lost customer is nobody's",
    what: "a cancellation says nothing of the offer that had been accepted before it",
    edits: [
      edit(
        "src/domain/subscriptions/actions/end-offers.ts",
        "ownEntries: lost.map(",
        "ownEntries: lost.slice(1e3).map(",
      ),
    ],
    rule: "outcomes of offers are told",
  }),
  bug({
    name: "retention counts no losses",
    what: "the counters of a day know nothing of customers who left after all",
    edits: [
      edit(
        "migrations/0001_schema.sql",
        "(NEW.outcome IS 'LOST') - (OLD.outcome IS 'LOST'), NEW.cost",
        "0, NEW.cost",
      ),
    ],
    rule: "retention is counted as it was",
  }),
  {
    name: "an offer in another currency",
    what: "somebody who pays in yen is given 5 of the shop's dollars, as 5 yen or as 500",
    edits: [
      edit(
        takeOffer,
        "if (isPriced && row.currency_code !== ctx.account.currency_code)",
        'if (isPriced && row.currency_code === "")',
      ),
    ],
    caughtBy: { file: fitting, test: "offered to nobody who pays in another" },
  },
  {
    name: "several deliveries for the price of one",
    what: "a prepaid subscription is swapped to a product at the price of a single delivery",
    edits: [
      edit(
        "src/domain/cancellation/offers.ts",
        "deliveriesPerBilling === 1 ||",
        "deliveriesPerBilling >= 1 ||",
      ),
    ],
    caughtBy: { file: fitting, test: "is not offered where a charge pays for several" },
  },
  {
    name: "what is paid for is swapped",
    what: "a customer has deliveries that are paid for changed to a product of another price",
    edits: [
      edit(
        takeOffer,
        'ctx.actor.type === "customer" && deliveriesOwed(row) > 0',
        'ctx.actor.type === "admin" && deliveriesOwed(row) > 0',
      ),
    ],
    caughtBy: { file: fitting, test: "a customer swaps nothing that is paid for" },
  },
  {
    name: "saved by a charge of before the pause",
    what: "an offer counts as one that has kept a customer who has paused instead",
    edits: [
      edit(
        "src/domain/billing/accepted-offers.ts",
        ' && row.status !== "PAUSED" && !isReduced',
        " && !isReduced",
      ),
    ],
    caughtBy: { file: fitting, test: "while its subscription is paused has saved nobody" },
  },
  {
    name: "the cost of every discount",
    what: "an offer seems to cost what other discounts take off, too",
    edits: [
      edit(
        "src/domain/billing/accepted-offers.ts",
        "return totalWith(others) - totalWith(discounts);",
        "return totalWith(others.slice(0, 0)) - totalWith(discounts);",
      ),
    ],
    caughtBy: { file: fitting, test: "nothing of what others take off" },
  },
  {
    name: "swapped for nothing",
    what: "a product that is offered without a price of its own is given away",
    edits: [
      edit(
        takeOffer,
        "const priced = price === undefined || price === null ? {} : { price };",
        "const priced = { price: price ?? 0 };",
      ),
    ],
    caughtBy: { file: fitting, test: "without a price of its own is at that of the line" },
  },
  {
    name: "each offer has all that is charged",
    what: "a merchant believes that two offers have kept the same customer's money",
    edits: [
      edit(
        "src/domain/billing/accepted-offers.ts",
        "revenue: offer === latest ? amount : 0,",
        "revenue: amount,",
      ),
    ],
    caughtBy: { file: outcomes, test: "counts for the offer that was accepted last" },
  },
  {
    name: "a pause of another length",
    what: "a customer who has accepted a pause of thirty days is charged on another day than was offered",
    edits: [
      edit(
        takeOffer,
        "addDays(todayOf(ctx), offer.terms.max_days)",
        "addDays(todayOf(ctx), offer.terms.max_days - 1)",
      ),
    ],
    caughtBy: {
      file: "test/cancellation/cases.test.ts",
      test: "PAUSE does what it says in one batch with its acceptance",
    },
  },
];
