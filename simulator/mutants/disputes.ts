import { edit, type Mutant, schema } from "./edits.ts";

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
].map((mutant) => ({ ...mutant, platform: "stripe", beside: "disputes" }));
