import { takeAttempt } from "../../src/domain/billing/actions/claim.ts";
import { reconcileDisputes } from "../../src/domain/disputes/reconcile.ts";
import { isBlocking, isOpenDispute } from "../../src/domain/disputes/rules.ts";
import { withdrawalStatements } from "../../src/domain/subscriptions/actions/end-of-billing.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs about disputes at Stripe. */
export const disputeBugs: SeededBug[] = [
  bug({
    name: "no night looks for disputes",
    what: "a dispute of which all webhooks were lost is never known, and its customer is charged again and again",
    rule: "what a dispute has come to is known in the end",
    replaces: [replace(reconcileDisputes, () => async () => {})],
  }),
  bug({
    name: "won and blocked for ever",
    what: "a subscription whose dispute was won is never billed again",
    rule: "billing goes on once a dispute was won",
    replaces: [
      replace(isBlocking, (original) => (account, before, now) => {
        return isOpenDispute(now) ? original(account, before, now) : before?.is_blocking === 1;
      }),
    ],
  }),
  bug({
    name: "what was begun before a dispute is charged",
    what: "a charge that was begun before a dispute was known is made when it is",
    rule: "no charge is begun while a dispute blocks",
    replaces: [
      replace(withdrawalStatements, () => () => []),
      replace(takeAttempt, (original) => async (ctx, id) => {
        const claimed = await original(ctx, id);
        return claimed && { ...claimed, sends: true };
      }),
    ],
  }),
];

function bug(stated: SeededBug): SeededBug {
  return { ...stated, platform: "stripe", beside: "disputes" };
}
