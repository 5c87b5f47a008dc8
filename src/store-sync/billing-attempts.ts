import { chargeAttempt } from "../billing/actions/charge.ts";
import type { Ctx } from "../context.ts";
import { first } from "../db/statement.ts";
import type { Outcome } from "../job.ts";

/** Asks what came of the billing attempt under a key, as polling does, only at once; other apps' keys are not ours. */
export const refreshAttempt = async (ctx: Ctx, key: string): Promise<Outcome> => {
  const attempt = await first<{ id: string }>(ctx.db, {
    sql: "SELECT id FROM billing_attempts WHERE store_key = ? AND account_id = ? AND status <> 'CANCELLED' AND is_refused = 0",
    params: [key, ctx.account.id],
  });
  if (attempt) await chargeAttempt(ctx, attempt.id);
  return "done";
};
