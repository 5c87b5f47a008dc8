import { carriedOutOf } from "../../src/domain/declarations/carried-out.ts";
import { declarationSweep } from "../../src/domain/declarations/outbox.ts";
import { isBeyondLimit, selectReturn } from "../../src/domain/declarations/queries.ts";
import { hasReachedEnd } from "../../src/domain/subscriptions/bounds/agreed-end.ts";
import { replace, type SeededBug, sweepNothing } from "../seeded-bug.ts";

/** Bugs in what becomes of cancellations and withdrawals that are declared without signing in. */
export const declarationBugs: SeededBug[] = [
  bug({
    name: "an agreed end never comes",
    what: "the day from which on a customer has left passes, and billing goes on",
    rule: "no charge is begun once a cancellation has taken effect",
    replaces: [replace(hasReachedEnd, () => () => false)],
  }),
  bug({
    name: "every declaration is one too many",
    what: "no acknowledgement is sent to whoever has declared something",
    rule: "a declaration is acknowledged once",
    replaces: [replace(isBeyondLimit, () => async () => true)],
  }),
  bug({
    name: "a declaration whose message was lost",
    what: "nobody looks for what a cancellation is about if its message was lost",
    rule: "nothing that was confirmed is lost",
    replaces: [sweepNothing(declarationSweep)],
  }),
  bug({
    name: "a cancellation from before ends what came back",
    what: "a cancellation whose job comes late ends a subscription that its customer has started again since",
    rule: "a subscription that came back is not ended by what was declared before",
    replaces: [replace(selectReturn, (original) => (ctx, of) => original(ctx, { ...of, id: "nothing" }))],
  }),
  bug({
    name: "an end that outlives its declaration",
    what: "the subscription comes back, and ends on the day that somebody else has declared",
    rule: "a declaration that is taken back leaves no end",
    replaces: [
      replace(carriedOutOf, (original) => (row) => {
        const found = original(row);
        return found && { ...found, before: { ...found.before, ends_on: "2099-01-01" } };
      }),
    ],
  }),
];

function bug(stated: SeededBug): SeededBug {
  return { ...stated, beside: "declarations" };
}
