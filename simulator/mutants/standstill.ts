import { billing, edit, type Mutant } from "./edits.ts";

const reviews = "test/billing/review.test.ts";
const sweeping = "test/jobs/sweep.test.ts";
const reconciling = "test/billing/reconcile.test.ts";
const required = "test/billing/review-required.test.ts";

/** Bugs in what ends a standstill: reviews, the sweep, and the comparison with the store's charges. */
export const standstillMutants: Mutant[] = [
  {
    name: "settled as asked for",
    what: "a settled review records the frozen amount, not the charged one",
    edits: [
      edit(
        `${billing}/review.ts`,
        "    ...found,\n",
        "    store_order_number: found.store_order_number ?? null,\n",
      ),
    ],
    caughtBy: { file: reviews, test: "currency_mismatch: what the store has charged is recorded" },
  },
  {
    name: "settled by both",
    what: "of two people who settle a review at once neither is told of the other",
    edits: [
      edit(
        `${billing}/review.ts`,
        "      const current = requireReviewed(now);\n",
        '      const current = now!;\n      if (current.status !== "REVIEW") return undefined;\n',
      ),
    ],
    caughtBy: { file: reviews, test: "two people at once: one settles it, the other is told" },
  },
  {
    name: "reactivated under review",
    what: "a new life begins while the old life's attempt is under review, and is never billed",
    edits: [
      edit(
        "src/domain/subscriptions/actions/restart.ts",
        "  if (isUnderReview(row)) throw underReview(row);\n",
        "",
      ),
    ],
    caughtBy: {
      file: required,
      test: "is not reactivated, which says why; once the review is settled, it is, and billed",
    },
  },
  {
    name: "answered with the old life",
    what: "a ship-now after a reactivation answers with the attempt of the life before",
    edits: [
      edit(`${billing}/ship-now.ts`, "  if (last.activation !== row.activation) throw earlierLife();\n", ""),
    ],
    caughtBy: {
      file: "test/billing/in-progress.test.ts",
      test: "a ship-now of the new life does not answer with the old life's attempt, which is still open",
    },
  },
  {
    name: "a pause hides the review",
    what: "a pause takes the reason of a review off the subscription",
    edits: [
      edit(
        "src/domain/subscriptions/lifecycle.ts",
        "  return isUnderReview(row)\n",
        '  return row.open_attempt_id === ""\n',
      ),
    ],
    caughtBy: {
      file: required,
      test: "shows why to the end, also where it waited for the merchant before, and is paused",
    },
  },
  {
    name: "the largest account first",
    what: "a page of the sweep is not shared by the accounts",
    edits: [
      edit(
        "src/kit/outbox/sweep.ts",
        "LIMIT MAX(1, CAST(? AS INTEGER) / (SELECT COUNT(*) FROM due))",
        "LIMIT CAST(? AS INTEGER)",
      ),
    ],
    caughtBy: { file: sweeping, test: "a page is shared by the accounts that have lost messages" },
  },
  {
    name: "one page a tick",
    what: "the sweep ends after its first page",
    edits: [edit("src/kit/outbox/sweep.ts", "const pagesMax = 20;", "const pagesMax = 1;")],
    caughtBy: { file: sweeping, test: "one tick finds all, page after page" },
  },
  {
    name: "one account stops the tick",
    what: "an account whose time zone is unknown keeps all the others from being found",
    edits: [
      edit(
        "src/domain/billing/due/due.ts",
        "      days.broken.push({ ...one, cause: String(error) });\n",
        "      throw error;\n",
      ),
    ],
    caughtBy: {
      file: "test/jobs/tick.test.ts",
      test: "an account whose time zone is unknown is logged as an alert, and the others are billed",
    },
  },
  {
    name: "one failure ends the tick",
    what: "what follows a part of the tick that fails is not done",
    edits: [edit("src/runtime/jobs/tick.ts", "      failures.push(error);\n", "      throw error;\n")],
    caughtBy: {
      file: "test/jobs/tick.test.ts",
      test: "a part that fails keeps none of the others from being done, and the tick fails in the end",
    },
  },
  {
    name: "reconciling charges",
    what: "an attempt that is made anew for a charge of the store is sent",
    edits: [edit(`${billing}/start.ts`, "store_reference: reference,", "store_reference: null,")],
    caughtBy: {
      file: reconciling,
      test: "an attempt that is made anew is never sent, whatever has become of its charge",
    },
  },
  {
    name: "any key is recorded",
    what: "a charge is recorded whose key is not that of the next attempt",
    edits: [
      edit(
        "src/domain/billing/reconcile/record-missing.ts",
        "      if (start.result.store_key !== charge.key) return later();\n",
        "",
      ),
    ],
    caughtBy: { file: reconciling, test: "a charge under a key that no next attempt has is reported" },
  },
  {
    name: "one way only",
    what: "a success that the store has not charged is not noticed",
    edits: [
      edit("src/domain/billing/reconcile/page.ts", "(await isMissing(ctx, attempt))", "isOpen(attempt)"),
    ],
    caughtBy: { file: reconciling, test: "a success that the store has not charged" },
  },
];
