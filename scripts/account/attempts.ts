import { listUnderReview, settleReview } from "../../src/billing/actions/review.ts";
import type { BillingAttempt } from "../../src/billing/tables.ts";
import { toMajor } from "../../src/lib/money.ts";
import { accountOf, type Commands, required, UsageError } from "./command.ts";
import { ctxFor } from "./context.ts";

export const attemptCommands: Commands = {
  "attempt list": {
    takes: ["shop", "account"],
    async run(db, values) {
      const attempts = await listUnderReview(ctxFor(db, await accountOf(db, values)));
      return attempts.map(presentAttempt);
    },
  },
  "attempt settle": {
    takes: ["shop", "account", "attempt", "charged", "not-charged"],
    async run(db, values) {
      const { charged, "not-charged": notCharged = false } = values;
      if ((charged === undefined) !== notCharged)
        throw new UsageError("either --charged or --not-charged is required");
      const id = required(values, "attempt");
      const ctx = ctxFor(db, await accountOf(db, values));
      return [presentAttempt(await settleReview(ctx, id, charged ?? null))];
    },
  },
};

function presentAttempt({ id, subscription_id, cycle, attempt_number, status, ...row }: BillingAttempt) {
  return {
    attempt_id: id,
    subscription_id,
    cycle,
    attempt_number,
    status,
    amount: toMajor(row.amount, row.currency_code),
    currency_code: row.currency_code,
    store_key: row.store_key,
    error_code: row.error_code,
    requested_at: row.requested_at,
  };
}
