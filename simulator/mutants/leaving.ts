import { edit, type Mutant } from "./edits.ts";

const queries = "src/domain/cancellation/queries.ts";
const accept = "src/domain/cancellation/actions/accept.ts";

function bug(mutant: Mutant): Mutant {
  return { ...mutant, beside: "leaving" };
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
];
