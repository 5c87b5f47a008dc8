import { alwaysBillable, billing, edit, type Mutant, notWithdrawn, randomKey } from "./edits.ts";

/** Bugs about keys, the store's answers and time, which would charge a cycle twice or wrongly. */
export const chargingMutants: Mutant[] = [
  {
    name: "new key per retry",
    what: "each request to the store has a new key",
    edits: [
      edit(`${billing}/charge.ts`, "ctx.store.charge({ key, ", "ctx.store.charge({ key: ctx.newId(), "),
    ],
    rule: "never charged twice for a cycle",
  },
  {
    name: "random key",
    what: "an attempt's key is random: a restored database charges again",
    edits: [randomKey],
  },
  {
    name: "timeout is a decline",
    what: "a store that does not answer counts as a decline",
    edits: [
      edit(
        `${billing}/charge.ts`,
        'return { outcome: "unknown" };\n  });',
        'return { outcome: "declined", reference: "", code: "timeout", message: "" };\n  });',
      ),
    ],
    rule: "never charged twice for a cycle",
  },
  {
    name: "absence trusted at once",
    what: "a charge that the store has not seen yet is taken never to arrive",
    edits: [
      edit(
        `${billing}/charge.ts`,
        "return isQuiet(ctx, attempt)\n        ? recordFailure",
        "return isQuiet(ctx, attempt) || attempt\n        ? recordFailure",
      ),
    ],
    times: 6,
  },
  {
    name: "keys live for ever",
    what: "a key is sent again after the store may have forgotten it",
    edits: [
      edit(`${billing}/claim.ts`, "const keyWindowMs = 22 * hourMs;", "const keyWindowMs = 2200 * hourMs;"),
    ],
    rule: "never charged twice for a cycle",
  },
  {
    name: "live amount",
    what: "the subscription's current total is charged, not the attempt's",
    edits: [
      edit(
        `${billing}/charge.ts`,
        "  return ctx.store.charge({ key, attempt_id: attempt.id, ...of, amount, ",
        "  const [{ row: { total } }] = await getSubscriptionAnd(ctx, attempt.subscription_id, {});\n  return ctx.store.charge({ key, attempt_id: attempt.id, ...of, amount: total, ",
      ),
    ],
  },
  {
    name: "other amounts are accepted",
    what: "a charge of another amount is recorded as the attempt's",
    edits: [
      edit(
        `${billing}/record-success.ts`,
        "const amount = ownAmount(success);\n  const end",
        "const { amount } = attempt;\n  const end",
      ),
    ],
    platform: "shopify",
    rule: "order = attempt = charge",
  },
  {
    name: "sent after a cancel",
    what: "an attempt in progress is sent again after its subscription has ended",
    edits: [alwaysBillable],
  },
  {
    name: "neither withdrawn nor checked",
    what: "a cancel leaves a queued attempt, and the claim does not check whether the subscription is still billed",
    edits: [notWithdrawn, alwaysBillable],
  },
];
