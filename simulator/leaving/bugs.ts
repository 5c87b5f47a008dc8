import { guardCooldown, selectAcceptedCount } from "../../src/domain/cancellation/queries.ts";
import { takeOffer } from "../../src/domain/cancellation/take-offer.ts";
import { endOffers } from "../../src/domain/subscriptions/actions/end-offers.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs in what keeps customers who are about to leave. */
export const leavingBugs: SeededBug[] = [
  bug({
    name: "an effect without its acceptance",
    what: "the case stays open behind the effect of its offer, which is given again",
    rule: "an offer's effect has its acceptance",
    replaces: [
      replace(
        takeOffer,
        (original) =>
          (ctx, { id }, offer) =>
            original(ctx, { id }, offer),
      ),
    ],
  }),
  bug({
    name: "no cooldown",
    what: "whoever has accepted an offer is shown and given the next one at once",
    rule: "one offer within the cooldown",
    replaces: [
      replace(
        selectAcceptedCount,
        (original) => (ctx, id, flow) => original(ctx, id, { ...flow, cooldown_days: 0 }),
      ),
      replace(
        guardCooldown,
        (original) => (ctx, id, flow) => original(ctx, id, { ...flow, cooldown_days: 0 }),
      ),
    ],
  }),
  bug({
    name: "a lost customer is nobody's",
    what: "a cancellation says nothing of the offer that had been accepted before it",
    rule: "outcomes of offers are told",
    replaces: [
      replace(endOffers, (original) => (...left) => ({ ...original(...left), ownEntries: [] })),
    ],
  }),
  bug({
    name: "retention counts no outcomes",
    what: "the counters of a day know nothing of customers who stayed, or left after all",
    rule: "retention is counted as it was",
    drops: ["cancellation_cases_count_update"],
  }),
];

function bug(stated: SeededBug): SeededBug {
  return { ...stated, beside: "leaving" };
}
