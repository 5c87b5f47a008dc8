import { edit, type Mutant, schema } from "./edits.ts";

const refresh = "src/domain/disputes/refresh-dispute.ts";
const reconcile = "src/domain/disputes/reconcile.ts";
const file = "test/stripe/disputes.test.ts";
const nightFile = "test/stripe/disputes-reconciled.test.ts";

/** Bugs about disputes at Stripe that random schedules find. */
export const stripeDisputeMutants: Mutant[] = [
  {
    name: "no night looks for disputes",
    what: "a dispute of which all webhooks were lost is never known, and its customer is charged again and again",
    edits: [
      edit(
        "src/domain/billing/reconcile/nightly.ts",
        "    if (ctx.store.listDisputes) looks.push(",
        '    if (job.account_id === "") looks.push(',
      ),
    ],
    rule: "what a dispute has come to is known in the end",
  },
  {
    name: "won and blocked for ever",
    what: "a subscription whose dispute was won is never billed again",
    edits: [
      edit(
        "src/domain/disputes/rules.ts",
        "if (!isOpenDispute(now) && !isLost) return false;",
        "if (!isOpenDispute(now) && !isLost) return before?.is_blocking === 1;",
      ),
    ],
    rule: "billing goes on once a dispute was won",
  },
  {
    name: "what was begun before a dispute is charged",
    what: "a charge that was begun before a dispute was known is made when it is",
    edits: [
      edit("src/domain/billing/actions/claim.ts", " AND ${subscriptions.disputed_at} IS NULL)`;", ")`;"),
      edit(
        "src/domain/disputes/block-billing.ts",
        "writes: attempt === null ? [] : withdrawAttempt(ctx, row, attempt),",
        'writes: attempt !== "" ? [] : withdrawAttempt(ctx, row, attempt),',
      ),
      edit(
        "src/domain/billing/actions/process-due.ts",
        "  if (isDisputed(row)) return undefined;\n",
        '  if (isDisputed(row) && row.id === "") return undefined;\n',
      ),
      edit(
        schema,
        "billing_retry_at IS NOT NULL OR disputed_at IS NOT NULL OR billing_blocked_reason",
        "billing_retry_at IS NOT NULL OR billing_blocked_reason",
      ),
    ],
    rule: "no charge is begun while a dispute blocks",
  },
].map((mutant) => ({ ...mutant, platform: "stripe", caughtBy: "simulator", beside: "disputes" }));

/** Bugs about payments that customers dispute at their bank. */
export const disputeMutants: Mutant[] = [
  {
    name: "billed while disputed",
    what: "a customer who disputes a payment is charged again on the next day of the schedule",
    edits: [
      edit(
        schema,
        "OR billing_retry_at IS NOT NULL OR disputed_at IS NOT NULL OR billing_blocked_reason",
        "OR billing_retry_at IS NOT NULL OR billing_blocked_reason",
      ),
      edit("src/domain/billing/actions/process-due.ts", "  if (isDisputed(row)) return undefined;\n", ""),
      edit("src/domain/billing/actions/claim.ts", " AND ${subscriptions.disputed_at} IS NULL)`;", ")`;"),
    ],
    caughtBy: {
      file,
      test: "is shown by its order, told once, and keeps the subscription from being billed",
    },
  },
  {
    name: "one won, two forgotten",
    what: "a subscription of which two payments are disputed is billed once the first of them is won",
    edits: [edit(refresh, "blocking.some(({ id }) => id !== ended.id)", "blocking.length === 0")],
    caughtBy: { file, test: "of a second payment blocks on when the first is won" },
  },
  {
    name: "told with each webhook",
    what: "a dispute is told of again by each webhook, though nothing has changed",
    edits: [edit(refresh, "  if (before && isSame(before, after)) return;\n", "")],
    caughtBy: {
      file,
      test: "is shown by its order, told once, and keeps the subscription from being billed",
    },
  },
  {
    name: "seen before its charge",
    what: "a dispute that a night saw while its charge was still to be recorded is never known",
    edits: [
      edit(
        reconcile,
        "  if (!isUnsettled && !job.is_unsettled) await markLookedAt(ctx, job);\n",
        "  await markLookedAt(ctx, job);\n",
      ),
    ],
    caughtBy: { file: nightFile, test: "looks again at one whose charge is recorded days after it was seen" },
  },
  {
    name: "no open dispute is asked about",
    what: "how a dispute went on that was opened long ago is never known if its webhooks are lost",
    edits: [
      edit(reconcile, 'findOpenDisputes(ctx, "", 1)).length > 0', 'findOpenDisputes(ctx, "", 1)).length > 1'),
    ],
    caughtBy: { file: nightFile, test: "asks about one that was opened long ago, too" },
  },
  {
    name: "lost and free",
    what: "a customer who has won a dispute is charged again without anybody's word",
    edits: [
      edit(
        "src/domain/disputes/rules.ts",
        "if (!isOpenDispute(now) && !isLost) return false;",
        "if (!isOpenDispute(now)) return false;",
      ),
    ],
    caughtBy: { file, test: "that is lost blocks until a person acts, who is never the customer" },
  },
];
