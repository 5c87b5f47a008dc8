import { edit, type Mutant } from "./edits.ts";

const own = "src/domain/own-orders";

function bug(mutant: Omit<Mutant, "caughtBy">): Mutant {
  return { ...mutant, caughtBy: "simulator", beside: "refunds" };
}

/** Bugs that pay money back twice, too much, or unseen. */
export const refundMutants: Mutant[] = [
  bug({
    name: "a new key for each try of a refund",
    what: "a refund whose answer is lost is paid once more",
    edits: [edit(`${own}/make-refund.ts`, "refundKey(id) : null;", "refundKey(ctx.newId()) : null;")],
    rule: "no more is refunded than was paid",
  }),
  bug({
    name: "what is being paid back is there to be paid back",
    what: "an order is refunded as often as it is asked for before the first refund is paid",
    edits: [
      edit(
        `${own}/queries.ts`,
        "row.total - row.refunded_amount - pendingAmount",
        "row.total - row.refunded_amount + 0 * pendingAmount",
      ),
      edit(
        `${own}/refunds.ts`,
        "AND order_id = ?2 AND status = 'PENDING') >= ?3",
        "AND order_id = ?2 AND status = '') >= ?3",
      ),
    ],
    rule: "no more is refunded than was paid",
  }),
  bug({
    name: "no answer is a failed refund",
    what: "a refund that was paid is told as failed, and asked for again",
    edits: [
      edit(
        `${own}/make-refund.ts`,
        "if (error instanceof StoreRefusalError && !mayArriveLate(tries))",
        "if (error instanceof UnknownOutcomeError || (error instanceof StoreRefusalError && !mayArriveLate(tries)))",
      ),
    ],
    rule: "a refund that was paid is recorded once",
  }),
  {
    name: "ours is the store's",
    what: "a refund that staff asked for here counts as made at the store once a restore has undone it",
    edits: [edit(`${own}/record-refund.ts`, "return id === undefined ?", "return id !== key ?")],
    caughtBy: {
      file: "test/stripe/refunds-reconciled.test.ts",
      test: "leaves nothing to pay back twice where a restore has undone what staff have paid back",
    },
  },
  {
    name: "a refusal overtakes another try",
    what: "a refund is told as failed and its amount free again, while somebody else has asked for it once more, and it is paid",
    edits: [
      edit(
        `${own}/record-refund.ts`,
        'if (refusedTry !== undefined && (before?.status !== "PENDING" || before.tries !== refusedTry)) return;',
        "",
      ),
      edit(
        `${own}/record-refund.ts`,
        "refusedTry === undefined ? []",
        "refusedTry === undefined || true ? []",
      ),
    ],
    caughtBy: {
      file: "test/orders/refunds.test.ts",
      test: "a refusal frees no amount once another try has begun, which may be paid",
    },
  },
  {
    name: "a refusal overtakes its request",
    what: "a refund is told as failed while an earlier request for it is still under way, and paid",
    edits: [
      edit(
        `${own}/make-refund.ts`,
        "return tries > 1 && tries <= quietTries;",
        "return tries < 0 && tries <= quietTries;",
      ),
    ],
    caughtBy: {
      file: "test/orders/refunds.test.ts",
      test: "is no failure while an earlier request may arrive",
    },
  },
  bug({
    name: "lost refunds are not looked for",
    what: "a refund whose message is lost is never paid",
    edits: [edit("src/runtime/jobs/tick.ts", "  refunds: [refundSweep],\n", "")],
    rule: "a refund comes to its end",
  }),
  bug({
    name: "the night looks at no refunds",
    what: "what a lost webhook was about, or a restore has undone, stays to be paid back once more",
    edits: [
      edit(
        "src/domain/store-sync/look-at-refunds.ts",
        "const unknown = await findUnknown(ctx, listed.refunds);",
        "const unknown = await findUnknown(ctx, listed.refunds.slice(0, 0));",
      ),
    ],
    platform: "stripe",
    rule: "a refund that was paid is recorded once",
  }),
  {
    name: "the night's first page of refunds alone",
    what: "of many refunds whose webhooks were lost, the older ones are never recorded",
    edits: [
      edit(
        "src/domain/store-sync/look-at-refunds.ts",
        "if (next !== null || isCut) await ctx.send",
        "if (isCut) await ctx.send",
      ),
    ],
    caughtBy: { file: "test/stripe/refunds-reconciled.test.ts", test: "looks at all pages" },
  },
  {
    name: "a charge that is not answered for holds up the night",
    what: "while the store does not answer for one charge, no refund of another is recorded",
    edits: [
      edit(
        "src/domain/store-sync/look-at-refunds.ts",
        "(await lookOnItsOwn(ctx, names, () => refreshRefunds(ctx, charge_reference)))",
        "(await refreshRefunds(ctx, charge_reference))",
      ),
    ],
    caughtBy: {
      file: "test/stripe/refunds-reconciled.test.ts",
      test: "is not held up by a charge about which Stripe does not answer",
    },
  },
  {
    name: "a refund is forgotten whose charge is still to come",
    what: "a refund of a charge that is recorded days later is never recorded",
    edits: [
      edit(
        "src/domain/billing/reconcile/refunds.ts",
        "later(compared, -longestUnrecordedMs)",
        "later(compared, -longestUnrecordedMs / 1e6)",
      ),
    ],
    caughtBy: {
      file: "test/stripe/refunds-reconciled.test.ts",
      test: "looks again at one whose charge is recorded days later",
    },
  },
  bug({
    name: "revenue that was paid back",
    what: "a subscription's revenue has what was paid back of its orders",
    edits: [
      edit(`${own}/record-refund.ts`, "row.total_revenue - paidBack", "row.total_revenue - 0 * paidBack"),
    ],
    rule: "total_revenue = the orders' sum",
  }),
];
