import { toMajor } from "../../src/base/lib/money.ts";
import { type ReviewFinding, settleReview } from "../../src/domain/billing/actions/review.ts";
import { listUnderReview } from "../../src/domain/billing/queries.ts";
import type { BillingAttempt } from "../../src/domain/billing/tables.ts";
import { rehearse } from "../../src/kit/context.ts";
import { type Commands, recordsOf, required } from "./command.ts";
import { ctxAtStore, ctxFor } from "./context.ts";
import { UsageError, type Values } from "./options.ts";

export const attemptCommands: Commands = {
  "attempt list": {
    takes: ["shop", "account"],
    async run(db, values) {
      const its = await recordsOf(db, values);
      const attempts = await listUnderReview(await ctxFor(its.db, its.account));
      return attempts.map(presentAttempt);
    },
  },
  "attempt settle": {
    takes: ["shop", "account", "attempt", "charged", "amount", "not-charged", "dry-run"],
    async run(db, values) {
      const finding = findingOf(values);
      const id = required(values, "attempt");
      const its = await recordsOf(db, values);
      const ctx = await ctxAtStore(its.db, its.account);
      const asked = values["dry-run"] ? rehearse(ctx) : ctx;
      const { settled } = await settleReview(asked, { id, request: finding });
      return [presentAttempt(settled)];
    },
  },
};

function findingOf({ charged, amount, "not-charged": notCharged = false }: Values): ReviewFinding {
  if ((charged === undefined) !== notCharged)
    throw new UsageError("either --charged or --not-charged is required");
  if (charged === undefined) {
    if (amount !== undefined) throw new UsageError("--amount goes with --charged");
    return { charged: false };
  }
  if (amount === undefined) return { charged: true, store_order_id: charged };
  if (!/^\d+(\.\d+)?$/.test(amount)) throw new UsageError("--amount must be a number, such as 12.50");
  return { charged: true, store_order_id: charged, amount: Number(amount) };
}

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
