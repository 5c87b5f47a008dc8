import { first, raw } from "../../src/base/db/statement.ts";
import { DomainError } from "../../src/base/errors.ts";
import { isId } from "../../src/base/lib/ids.ts";
import { toMajor } from "../../src/base/lib/money.ts";
import { type ReviewFinding, settleReview } from "../../src/domain/billing/actions/review.ts";
import { listUnderReview } from "../../src/domain/billing/queries.ts";
import type { BillingAttempt } from "../../src/domain/billing/tables.ts";
import { type Ctx, rehearse } from "../../src/kit/context.ts";
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
      const named = required(values, "attempt");
      const its = await recordsOf(db, values);
      const ctx = await ctxAtStore(its.db, its.account);
      const id = isId(named) ? named : await findReviewOf(ctx, named);
      const asked = values["dry-run"] ? rehearse(ctx) : ctx;
      const { settled } = await settleReview(asked, { id, request: finding });
      return [presentAttempt(settled)];
    },
  },
};

/** The attempt under review of the subscription with this number: it has one at most. Throws NOT_FOUND. */
async function findReviewOf(ctx: Ctx, number: string): Promise<string> {
  const subscription = await first(
    ctx.db,
    raw<{ id: string }>(
      "SELECT id FROM subscriptions WHERE account_seq = ? AND number = ?",
      ...[ctx.account.seq, Number(number.replace(/^#/, "")) || 0],
    ),
  );
  const found = (await listUnderReview(ctx)).find(
    ({ subscription_id }) => subscription_id === subscription?.id,
  );
  if (found) return found.id;
  throw new DomainError(
    "NOT_FOUND",
    `No billing attempt under review has the id or the subscription ${number}`,
  );
}

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
