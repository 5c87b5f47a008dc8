import type { Ctx } from "../../../kit/context.ts";
import { challengeEnd } from "../../billing/challenge.ts";
import type { EventRow } from "../../events/queries.ts";
import type { MailFacts } from "../render/facts.ts";
import { SilenceError } from "./silence.ts";
import { factsOfSubscription, readWithAttempt } from "./subscription.ts";

/** A payment that waits for its customer, where the store has it confirmed now; silence once it is confirmed or its time is over. */
export async function prepareConfirmPayment(
  ctx: Ctx,
  event: EventRow,
): Promise<MailFacts["confirm_payment"]> {
  const { prospect, attempt } = await readWithAttempt(ctx, event.loggable_id);
  const expires_at = attempt ? challengeEnd(attempt) : null;
  const url = attempt?.next_action_url ?? null;
  if (!attempt || url === null || expires_at === null || expires_at <= ctx.now)
    throw new SilenceError("outdated");
  return {
    ...factsOfSubscription(ctx, prospect),
    amount: attempt.amount,
    currency_code: attempt.currency_code,
    confirm_url: url,
    expires_at,
  };
}
