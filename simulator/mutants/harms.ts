import { edit, type Mutant } from "./edits.ts";

const moves = "test/operator/move-races.test.ts";
const move = "src/edges/operator/move";

/** Bugs that random schedules hardly reach; the test that is named for each states whom it harms. */
export const harmMutants: Mutant[] = [
  {
    name: "the last retry day ends what is being paid",
    what: "a customer whose new card is tried after the last retry day is cancelled, and pays in time",
    edits: [
      edit(
        "src/domain/dunning/actions.ts",
        'if (step.status === "EXHAUSTED" && !failure.triesAgain) {',
        'if (step.status === "EXHAUSTED") {',
      ),
    ],
    caughtBy: { file: "test/billing/last-retry-day.test.ts", test: "and pays, is not cancelled" },
  },
  {
    name: "the provider's failure is a decline",
    what: "customers are in dunning, and lose their subscriptions, because of the merchant's payment provider",
    edits: [
      edit(
        "src/stores/shopify/declines.ts",
        'PAYMENT_PROVIDER_ERROR: "merchant"',
        'PAYMENT_PROVIDER_ERROR: "retry"',
      ),
    ],
    caughtBy: { file: "test/shopify/failures.test.ts", test: "(payment) with PAYMENT_PROVIDER_ERROR:" },
  },
  {
    name: "left without the object's fence",
    what: "a write through a torn fence of the object is lost when the account goes to D1",
    edits: [
      edit(
        `${move}/continue-move.ts`,
        "      await commit({ db: ports.object }, [requireFence(fence)]);\n",
        "",
      ),
    ],
    caughtBy: { file: moves, test: "an object whose fence is torn is not left for D1" },
  },
  {
    name: "moved before all isolates know",
    what: "an isolate that has kept the account shows customers the copy that nobody writes to any more",
    edits: [edit(`${move}/state.ts`, "export const noticeMs = 35_000;", "export const noticeMs = 5_000;")],
    caughtBy: { file: moves, test: "shows no customer what they had before their change" },
  },
  {
    name: "the old copy goes at once",
    what: "a request that was begun before the account moved finds none of its records",
    edits: [
      edit(
        `${move}/finish-leaving.ts`,
        "waitMs(since, ports.now, leavingMs);",
        "waitMs(since, ports.now, 0);",
      ),
    ],
    caughtBy: { file: moves, test: "finds its records until it has ended" },
  },
  {
    name: "two calls of a move",
    what: "a call that was overtaken moves the account without what was written since it compared",
    edits: [
      edit(
        `${move}/continue-move.ts`,
        "isNull(accounts.moving) : eq(accounts.moving, moving));",
        "isNull(accounts.moving) : sql`1 = 1`);",
      ),
    ],
    caughtBy: { file: moves, test: "a call of a move that is overtaken by another moves nothing" },
  },
];
