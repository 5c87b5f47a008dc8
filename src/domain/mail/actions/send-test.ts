import { commit } from "../../../base/db/commit.ts";
import { guard, isGuard } from "../../../base/db/guard.ts";
import { insertRow } from "../../../base/db/row-writes.ts";
import { DomainError } from "../../../base/errors.ts";
import { deliverEventJob } from "../../../base/job.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { hourMs, secondMs } from "../../../base/lib/time/durations.ts";
import { type Ctx, keepCreated } from "../../../kit/context.ts";
import { newDelivery } from "../../webhook-endpoints/outbox.ts";
import { eventDeliveries } from "../../webhook-endpoints/tables.ts";
import { testMailType } from "../kinds.ts";
import { requireMailEndpoint } from "../queries.ts";
import { type Mail, type MailRow, mails } from "../tables.ts";

/**
 * Sends an example to an address, also before mails are switched on. Throws INVALID_STATE without a provider, RATE_LIMITED for the
 * eleventh within an hour of real time.
 */
export async function sendTestMail(ctx: Ctx, to: string): Promise<Mail> {
  const endpoint = await requireMailEndpoint(ctx);
  const delivery = newDelivery(ctx, endpoint, { id: ctx.newId(), type: testMailType, sequence: null });
  const mail: MailRow = {
    account_seq: ctx.account.seq,
    id: delivery.event_id,
    event_type: testMailType,
    profile_id: null,
    sequence: null,
    recipient: to,
    is_masked: 0,
    subject: null,
    status: "PENDING",
    suppressed_reason: null,
    last_error: null,
    provider: null,
    provider_id: null,
    attempt_count: 0,
    resend_count: 0,
    unsettled_at: null,
    sent_at: null,
    created_at: ctx.realNow,
  };
  keepCreated(ctx, { mail: mail.id });
  await commit(ctx, [
    guardBelowLimit(ctx),
    insertRow(eventDeliveries, delivery),
    insertRow(mails, mail),
  ]).catch((error) => {
    throw isGuard(error) ? tooMany() : error;
  });
  await ctx.send([deliverEventJob(ctx.account.id, endpoint.id)]);
  return { ...mail, subscription_id: null, order_id: null };
}

const perHour = 10;

/** Counted within the batch, so that requests at one time do not pass it together. */
function guardBelowLimit({ account, realNow }: Ctx) {
  return guard(
    `(SELECT COUNT(*) FROM mails INDEXED BY mails_tests
      WHERE account_seq = ? AND event_type = 'mail.test' AND created_at > ?) >= CAST(? AS INTEGER)`,
    [account.seq, later(realNow, -hourMs), perHour],
  );
}

function tooMany(): DomainError {
  const message = `At most ${perHour} test mails an hour can be sent`;
  return new DomainError("RATE_LIMITED", message, undefined, hourMs / secondMs);
}
