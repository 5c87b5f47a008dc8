/** A promise to users, with the rules of the simulator and the tests that state it: files without their endings, or folders. */
export type StatedPromise = { promise: string; rules: string[]; tests: string[] };

/** Every promise, by what it is about. docs/change/proofs.md is made of them (`npm run docs`). */
export const promises: Record<string, StatedPromise[]> = {
  Money: [
    {
      promise: "A cycle is charged once, whatever crashes, is lost, repeated or restored",
      rules: ["never charged twice for a cycle"],
      tests: ["test/domain/billing/crash-points", "test/edges/operator"],
    },
    {
      promise: "What was charged is what was agreed, ordered and shown before",
      rules: ["amount charged = attempt amount", "order = attempt = charge"],
      tests: ["test/domain/billing/upcoming-happens"],
    },
    {
      promise: "Every charge has its order, and every order was paid for",
      rules: ["an order for every charge", "deliveries made = paid for"],
      tests: ["test/edges/webhooks"],
    },
    {
      promise: "What was shown is what is done, or nothing",
      rules: [],
      tests: ["test/contract/previews", "test/domain/subscriptions/previews", "test/domain/bulk/previews"],
    },
    {
      promise: "No outage is a decline; the merchant's fault is never the customer's",
      rules: ["no dunning without a decline"],
      tests: ["test/stores/shopify/failures", "test/stores/stripe", "test/domain/billing/waiting"],
    },
    {
      promise: "A refund is paid once, never more than was paid",
      rules: ["no more is refunded than was paid"],
      tests: ["test/domain/orders", "test/stores/port"],
    },
    {
      promise:
        "Nothing is charged after a cancellation, before `no_charge_before`, while disputed, or to a method that is gone",
      rules: [
        "no charge is begun while a dispute blocks",
        "no charge is begun once a cancellation has taken effect",
      ],
      tests: ["test/domain/subscriptions", "test/stores/stripe"],
    },
    {
      promise: "Amounts are exact in every currency",
      rules: [],
      tests: ["src/base/lib/money", "src/domain/subscriptions/lines", "test/scale/bytes.node"],
    },
  ],
  Dates: [
    {
      promise: "Dates move only by a delivery, a request or a closed day, and the 31st stays the 31st",
      rules: ["dates move as agreed", "one billing an interval"],
      tests: ["src/domain/subscriptions/dates"],
    },
    {
      promise: "What `upcoming` and the forecast of goods say is what happens",
      rules: [],
      tests: ["test/domain/billing/upcoming-happens", "test/domain/goods/proof"],
    },
    {
      promise: "Nothing is done on a closed day, and opened days put dates back",
      rules: ["nothing is done for a closed day", "opened days put each date back"],
      tests: [],
    },
    {
      promise: "A slot takes no more deliveries than it has room for",
      rules: ["a delivery takes one place"],
      tests: ["test/domain/delivery"],
    },
    {
      promise: "Undo restores what was, or refuses",
      rules: ["what is undone is as before", "undoing a job keeps what customers did"],
      tests: ["test/domain/subscriptions/undo"],
    },
  ],
  "History and others' data": [
    {
      promise: "Every change has its entry, in the same batch",
      rules: ["history exactly per change", "the history names who acted"],
      tests: ["test/contract"],
    },
    {
      promise: "A request with a key takes effect once and is answered the same",
      rules: ["a key has one effect", "a key has one answer"],
      tests: ["test/contract"],
    },
    {
      promise: "No account reads or changes another's records",
      rules: ["accounts do not touch each other"],
      tests: ["test/contract", "test/edges/mcp"],
    },
    {
      promise: "A customer reaches their own records alone",
      rules: [],
      tests: ["test/domain/subscriptions/customers", "test/edges/portal"],
    },
    {
      promise: "Readers of lists, the stream and exports miss nothing",
      rules: ["a reader misses nothing and sees nothing twice"],
      tests: ["test/scale", "test/domain/exports/round-trip"],
    },
    {
      promise: "An account moves, is deleted and imported whole",
      rules: ["an account moves whole", "a deleted account leaves nothing"],
      tests: ["test/edges/operator"],
    },
  ],
  "Others are told": [
    {
      promise: "Each endpoint that asks for an event accepts it at least once",
      rules: ["every event is delivered"],
      tests: ["test/domain/webhook-endpoints"],
    },
    {
      promise: "What is declared without signing in is never lost",
      rules: [
        "nothing that was confirmed is lost",
        "a declaration is acknowledged once",
        "a declaration that is taken back leaves no end",
        "a subscription that came back is not ended by what was declared before",
      ],
      tests: ["test/domain/declarations"],
    },
    {
      promise: "Each mail is sent once, with what is so when it is sent",
      rules: ["every entry of a kind becomes one mail", "no mail comes twice"],
      tests: ["test/domain/mail"],
    },
    {
      promise: "A contract at the store is what its subscription wants",
      rules: ["the store has a plan as it is", "a contract is read right before its charge"],
      tests: ["test/stores/shopify", "test/stores/port"],
    },
    {
      promise: "A file is moved in whole, or its rows are named",
      rules: ["a ref is moved in once", "nothing is charged before charge_from"],
      tests: ["test/domain/imports"],
    },
  ],
  "One row never stops the others": [
    {
      promise: "A row that breaks is named, and the others are worked on",
      rules: ["a row that breaks holds up no other"],
      tests: ["test/runtime/jobs/poisoned-rows", "test/runtime/jobs/tick", "test/scale"],
    },
  ],
};
