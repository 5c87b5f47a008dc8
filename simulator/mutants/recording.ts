import { billing, edit, type Mutant, oneKey, oneOpen, randomKey, unguarded } from "./edits.ts";

/** Bugs in what a batch, its guards and its decision keep consistent. */
export const recordingMutants: Mutant[] = [
  {
    name: "check, then act",
    what: "a change does not check whether its record has changed since it was read",
    edits: [unguarded],
  },
  {
    name: "no guard of the start",
    what: "no revision guard, no index on open attempts and keys, and random keys",
    edits: [unguarded, oneOpen, oneKey, randomKey],
    rule: "never charged twice for a cycle",
  },
  {
    name: "order in a batch of its own",
    what: "the order is written in a batch after the success",
    edits: [
      edit(
        `${billing}/record-success.ts`,
        "    order.part,\n",
        "    { columns: order.part.columns!, result: order.part as never },\n",
      ),
      edit(
        `${billing}/record-success.ts`,
        "  if (review) await requireReview(ctx, attempt, review);",
        "  if (review && 'writes' in review) await createRecord(ctx, (review as Part).relatedEntries!, (review as Part).writes!);",
      ),
      edit(
        `${billing}/record-success.ts`,
        'import { orderOfCharge } from "../order.ts";',
        'import { createRecord } from "../../../kit/journal/write.ts";\nimport { orderOfCharge } from "../order.ts";',
      ),
    ],
  },
  {
    name: "schedule not moved",
    what: "a paid cycle leaves the dates where they are",
    edits: [
      edit(
        "src/domain/billing/after-cycle.ts",
        "return { columns: { ...columns, ...dates, status,",
        "return { columns: { ...columns, status,",
      ),
    ],
  },
  {
    name: "lives are mixed up",
    what: "a charge of an earlier life counts in the current one",
    edits: [
      edit(
        "src/domain/billing/after-cycle.ts",
        "if (row.activation !== paid.activation) return creditLateCharge(dated, prepaid_on_end, paid);",
        "",
      ),
    ],
    times: 6,
  },
  {
    name: "billed on any message",
    what: "the message decides, not the date",
    edits: [
      edit(
        `${billing}/process-due.ts`,
        "  if (!isPast(row.next_billing_date, view.today)) return undefined;\n",
        "",
      ),
    ],
  },
  {
    name: "skip while billing",
    what: "a skip moves the dates of a cycle that is being charged",
    edits: [edit("src/domain/subscriptions/actions/skip.ts", '    requireNotBilling("skip", row);\n', "")],
  },
  {
    name: "dunning outlives a cancel",
    what: "a cancel or a pause leaves the episode open",
    edits: [
      edit(
        "src/domain/subscriptions/actions/end-of-billing.ts",
        'inArray(episodes.status, ["OPEN", "AWAITING_CUSTOMER"])',
        'inArray(episodes.status, ["CLOSED"])',
      ),
    ],
  },
  {
    name: "dunning outlives a payment",
    what: "a payment leaves the episode open",
    edits: [
      edit(
        "src/domain/dunning/actions.ts",
        'writes: [updateEpisode(ctx, id, { status: "RECOVERED", closed_at: ctx.now, due_at: null })],',
        "writes: [],",
      ),
    ],
  },
  {
    name: "a merchant's failure leads to dunning",
    what: "a payment provider that is off counts as a decline",
    edits: [
      edit(
        `${billing}/consequences.ts`,
        'const isRefused = failure.failure === "customer" && ',
        "const isRefused = failure.failure !== undefined && ",
      ),
    ],
    rule: "no dunning without a decline",
    times: 3,
  },
  {
    name: "waits are not found",
    what: "billing that waits for the merchant or the store is never tried again",
    edits: [
      edit("src/domain/billing/due/due.ts", "AND s.retry_due_at <= at.now)`,", "AND s.retry_due_at < '1')`,"),
    ],
    times: 3,
  },
  {
    name: "one request, two charges",
    what: "the same ship-now minutes later starts another attempt",
    edits: [edit(`${billing}/ship-now.ts`, "const repeatMs = 10 * minuteMs;", "const repeatMs = 0;")],
  },
];
