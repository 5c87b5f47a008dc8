import { edit, type Mutant } from "./edits.ts";

const own = "src/domain/own-orders";

function bug(mutant: Mutant): Mutant {
  return { ...mutant, beside: "refunds" };
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
  bug({
    name: "revenue that was paid back",
    what: "a subscription's revenue has what was paid back of its orders",
    edits: [
      edit(`${own}/record-refund.ts`, "row.total_revenue - paidBack", "row.total_revenue - 0 * paidBack"),
    ],
    rule: "total_revenue = the orders' sum",
  }),
];
