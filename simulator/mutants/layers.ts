import {
  anySettlement,
  billing,
  dropIndex,
  edit,
  type Mutant,
  notWithdrawn,
  oneKey,
  oneOpen,
  unfenced,
  withoutLease,
} from "./edits.ts";

const layers = "test/billing/layers.test.ts";

/** Layers with another behind them: without one nothing goes wrong, so a test of its own proves each. */
export const layerMutants: Mutant[] = [
  {
    name: "no index on what is open",
    what: "the revision guards it too",
    edits: [oneOpen],
    caughtBy: { file: layers, test: "one attempt of a subscription is open" },
  },
  {
    name: "no index on successes",
    what: "the claim and the revision guard it too",
    edits: [dropIndex("billing_attempts_one_success")],
    caughtBy: { file: layers, test: "one attempt at a cycle succeeds" },
  },
  {
    name: "no index on keys",
    what: "the key is derived from the cycle and the number",
    edits: [oneKey],
    caughtBy: { file: layers, test: "a store key is used once" },
  },
  {
    name: "no index on orders of an attempt",
    what: "an attempt is settled once",
    edits: [dropIndex("orders_of_attempt")],
    caughtBy: { file: layers, test: "an attempt has one order" },
  },
  {
    name: "no lease",
    what: "two consumers ask the store at once, with the same key",
    edits: [withoutLease],
    caughtBy: { file: layers, test: "no second claim is possible until the lease ends" },
  },
  {
    name: "settle without guard",
    what: "every settlement changes the revision",
    edits: [anySettlement],
    caughtBy: { file: layers, test: "the batch of a settlement fails if another claim holds the lease" },
  },
  {
    name: "success without fence",
    what: "the guard of the settlement names the claim too",
    edits: [unfenced],
    caughtBy: { file: layers, test: "a claim that has lost its lease does not write" },
  },
  {
    name: "waits without fence",
    what: "a consumer that lost its claim only postpones the next try",
    edits: [edit(`${billing}/wait.ts`, "{ account_seq, id, claims }, {", "{ account_seq, id }, {")],
    caughtBy: { file: layers, test: "a claim that has lost its lease postpones nothing" },
  },
  {
    name: "cancel does not withdraw",
    what: "the claim checks whether the subscription is still billed",
    edits: [notWithdrawn],
    caughtBy: { file: layers, test: "cancelling withdraws an attempt that has not been sent" },
  },
  {
    name: "never charged, but takes a number",
    what: "it matters only after a restore to before it (about two in ten thousand schedules)",
    edits: [
      edit(`${billing}/record-failure.ts`, 'code === notCharged.code ? "CANCELLED" : "FAILED"', '"FAILED"'),
    ],
    caughtBy: { file: layers, test: "an attempt that the store has never seen frees its number" },
  },
  {
    name: "never charged, and the number grows at once",
    what: "the same, when the batch that ends it tries another payment method (one in thirteen thousand schedules)",
    edits: [edit(`${billing}/start.ts`, " || before.id === withdrawn ? 0 : 1", " ? 0 : 1")],
    caughtBy: {
      file: layers,
      test: "the number of an attempt that the store has never seen goes to the next attempt, with another payment method",
    },
  },
  {
    name: "acknowledged before the work",
    what: "the sweep sends it again",
    edits: [
      edit(
        "src/runtime/jobs/batch.ts",
        "const { isDone, statements } = await work(message);",
        "message.ack();\n      const { isDone, statements } = await work(message);",
      ),
    ],
    caughtBy: { file: layers, test: "a message is acknowledged only after its work is done" },
  },
];
