import { commit } from "../../../base/db/commit.ts";
import { guard, isGuard } from "../../../base/db/guard.ts";
import type { Statement } from "../../../base/db/port.ts";
import { retryOnConflict, StaleError } from "../../../base/db/retry-on-conflict.ts";
import { insertRow, updateRow } from "../../../base/db/row-writes.ts";
import { DomainError } from "../../../base/errors.ts";
import { deliverEventJob } from "../../../base/job.ts";
import type { Ctx } from "../../../kit/context.ts";
import { guardEnabled } from "../../webhook-endpoints/enabled.ts";
import { newDelivery } from "../../webhook-endpoints/outbox.ts";
import { eventDeliveries } from "../../webhook-endpoints/tables.ts";
import { kindOf } from "../kinds.ts";
import { getMail, requireMailEndpoint } from "../queries.ts";
import { type Mail, mails } from "../tables.ts";

/**
 * Sends a mail again at once, as another mail to the provider, composed anew and with all tries. Its delivery is made anew where that was
 * deleted after a month. Throws INVALID_STATE for a mail that signs somebody in or waits already, and where mails are switched off.
 */
export async function resendMail(ctx: Ctx, id: string): Promise<Mail> {
  const { again, endpoint } = await retryOnConflict(async () => {
    const endpoint = await requireMailEndpoint(ctx);
    const mail = await getMail(ctx, id);
    requireResendable(mail, endpoint.is_enabled === 1);
    const { event_type: type, sequence } = mail;
    const delivery = newDelivery(ctx, endpoint, { id, type, sequence });
    const waiting = {
      status: "PENDING",
      suppressed_reason: null,
      last_error: null,
      unsettled_at: null,
    } as const;
    const columns = { ...waiting, attempt_count: 0, resend_count: mail.resend_count + 1 };
    const { account_seq } = mail;
    await commit(ctx, [
      guardUnchanged(mail),
      guardEnabled(ctx, endpoint.id),
      updateRow(mails, { account_seq, id }, columns),
      updateDue(insertRow(eventDeliveries, delivery)),
    ]).catch((error) => {
      throw isGuard(error) ? new StaleError() : error;
    });
    return { again: { ...mail, ...columns }, endpoint };
  });
  await ctx.send([deliverEventJob(ctx.account.id, endpoint.id)]);
  return again;
}

function requireResendable({ event_type, status }: Mail, isEnabled: boolean): void {
  if (kindOf(event_type)?.signsIn)
    throw refusal("A link that signs in is sent once: the customer asks for another");
  if (!isEnabled) throw refusal("Mails are switched off; switch them on first");
  if (status === "PENDING") throw refusal("The mail is still to be sent");
}

function refusal(message: string): DomainError {
  return new DomainError("INVALID_STATE", message);
}

function guardUnchanged({ account_seq, id, status, resend_count }: Mail): Statement {
  return guard(
    `NOT EXISTS (SELECT 1 FROM mails
      WHERE account_seq = ? AND id = ? AND status = ? AND resend_count = CAST(? AS INTEGER))`,
    [account_seq, id, status, resend_count],
  );
}

/** A delivery that is still there is due again. */
function updateDue({ sql, params }: Statement): Statement {
  const makeDue = "status = 'PENDING', attempt_count = 0, next_attempt_at = excluded.next_attempt_at";
  return { sql: `${sql} ON CONFLICT DO UPDATE SET ${makeDue}, lease_until = NULL`, params };
}
