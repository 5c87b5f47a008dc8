import { classify } from "../../base/db/commit.ts";
import { DomainError } from "../../base/errors.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import type { MailDelivery } from "../webhook-endpoints/deliver.ts";
import { isSpent } from "../webhook-endpoints/outcome.ts";
import { giveUpGone } from "../webhook-endpoints/record.ts";
import { type Composed, composeMail } from "./compose.ts";
import { SilenceError, WaitError } from "./facts/silence.ts";
import { headersOf } from "./headers.ts";
import { openSender } from "./open-sender.ts";
import { RefusedError, ThrottledError } from "./port.ts";
import { findMail } from "./queries.ts";
import { markUnsettled, putOff, recordFailure, recordSent, type Sending, suppress } from "./record.ts";
import { mayBeSent } from "./repeatable.ts";
import { type MailSettings, mailSettingsOf } from "./settings.ts";
import type { Mail } from "./tables.ts";

/**
 * Sends a mail that is due, and records what came of it. It is composed of the records as they are now, so that it says what will happen,
 * or is not sent at all. Returns when the next try is due, if there is one.
 */
export async function deliverMail(ctx: Ctx, due: MailDelivery): Promise<Instant | null> {
  const mail = await findMail(ctx, due.delivery.event_id);
  if (mail?.status !== "PENDING") return giveUpGone(ctx, due.delivery);
  const settings = mailSettingsOf(ctx.account, due.endpoint);
  const sending: Sending = { ...due, mail, provider: settings.provider };
  if (isSpent(due.delivery) || !mayBeSent(mail, settings.provider, due.now()))
    return recordFailure(ctx, sending, { error: "could not be tried", isFinal: true });
  try {
    const composed = await composeMail(ctx, { mail, event: due.event, settings });
    return await send(ctx, sending, { settings, composed });
  } catch (error) {
    if (error instanceof SilenceError) return suppress(ctx, sending, error.reason);
    if (error instanceof WaitError) return putOff(ctx, sending, error.ms);
    if (error instanceof RefusedError)
      return recordFailure(ctx, sending, { error: error.code, isFinal: error.isFinal });
    // A database that is away fails the message, which comes again.
    if (classify(error) instanceof DomainError) throw error;
    return reportUncomposed(ctx, sending, error);
  }
}

type Ready = { settings: MailSettings; composed: Composed };

/** Throws RefusedError for what the provider is not even asked, or refuses. */
async function send(ctx: Ctx, sending: Sending, { settings, composed }: Ready): Promise<Instant | null> {
  const { mail, endpoint } = sending;
  const sender = await openSender(ctx, settings.provider, endpoint);
  const message = {
    ...headersOf(settings, composed),
    html: composed.html,
    text: composed.text,
    key: keyOf(mail),
    at: sending.now(),
  };
  const unsettled_at = await markUnsettled(ctx, sending, composed);
  if (unsettled_at === undefined) return null;
  const sent = await sender.send(message).catch((error: unknown) => ({ error }));
  if (!("error" in sent)) return recordSent(ctx, sending, { composed, providerId: sent.id });
  const { error } = sent;
  if (error instanceof ThrottledError) return putOff(ctx, sending, error.retryAfter * 1000);
  if (error instanceof RefusedError) throw error;
  const { provider } = settings;
  return recordFailure(ctx, sending, {
    error: error instanceof Error ? error.message : String(error),
    isFinal: !mayBeSent({ ...mail, provider, unsettled_at }, provider, sending.now()),
    unsettled_at,
  });
}

/** A resend is another mail to the provider, a retry is not. */
function keyOf({ id, resend_count }: Mail): string {
  return `${id}-${resend_count}`;
}

/** A mail that cannot be composed is tried again, as the cause may be mended by then. Nothing was sent. */
async function reportUncomposed(ctx: Ctx, sending: Sending, error: unknown): Promise<Instant | null> {
  ctx.log("mail_not_composed", {
    alert: true,
    account_id: ctx.account.id,
    mail_id: sending.mail.id,
    cause: String(error),
  });
  return recordFailure(ctx, sending, { error: "could not be composed", isFinal: false });
}
