import { sql } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { insertRow, updatesWhere } from "../../base/db/row-writes.ts";
import { raw } from "../../base/db/statement.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs, secondMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import type { MailDelivery } from "../webhook-endpoints/deliver.ts";
import { deliveryOutbox } from "../webhook-endpoints/outbox.ts";
import { recordOutcome } from "../webhook-endpoints/record.ts";
import type { Composed } from "./compose.ts";
import type { SuppressedReason } from "./facts/silence.ts";
import { kindOf } from "./kinds.ts";
import { type Mail, type MailProvider, type MailRow, mailContents, mails } from "./tables.ts";
import { outcomeUnknown } from "./unsettled.ts";

/** A mail that is being sent by whoever has its delivery's lease. */
export type Sending = MailDelivery & { mail: Mail; provider: MailProvider };

type Sent = { composed: Composed; providerId: string | null };

/** The provider has accepted it. So it is recorded even if the delivery was cancelled meanwhile. */
export async function recordSent(ctx: Ctx, sending: Sending, { composed, providerId }: Sent): Promise<null> {
  const { delivery, provider, mail } = sending;
  const now = sending.now();
  await recordOutcome(ctx, { ...sending, now, outcome: { ...answered, error: null } }, () => [
    updateUnlessBounced(keyOf(ctx, mail), {
      ...{ status: "SENT", suppressed_reason: null, last_error: null, unsettled_at: null },
      ...{ provider, provider_id: providerId, sent_at: now, attempt_count: delivery.attempt_count },
    }),
    ...(provider === "log" && !kindOf(mail.event_type)?.signsIn
      ? contentStatements(ctx, mail, composed)
      : []),
  ]);
  return null;
}

/** Since when the provider may have the mail: without another instant only what was known before the try. */
type Failure = { error: string; isFinal: boolean; unsettled_at?: Instant | null };

/** The try has failed. Without `isFinal` the next comes after the usual pause, which is returned, until all have been had. */
export function recordFailure(
  ctx: Ctx,
  sending: Sending,
  { error, isFinal, unsettled_at = sending.mail.unsettled_at }: Failure,
): Promise<Instant | null> {
  const { delivery, provider, mail } = sending;
  const outcome = { ...answered, error, isFinal };
  const about = { account_id: ctx.account.id, mail_id: mail.id, provider, tries: delivery.attempt_count };
  // A provider's own words may name the customer: they stand in the record alone.
  ctx.log("mail_not_sent", { ...about, is_final: isFinal, ...(isCode(error) && { cause: error }) });
  return recordOutcome(ctx, { ...sending, now: sending.now(), outcome }, (after) => {
    const status = after.status === "FAILED" ? "FAILED" : "PENDING";
    const last_error = status === "FAILED" && unsettled_at !== null ? outcomeUnknown : error;
    const columns = {
      status,
      last_error,
      unsettled_at,
      provider,
      ...unlessTaken(mail, unsettled_at),
    } as const;
    return [updateLeased(ctx, mail, delivery, { ...columns, attempt_count: delivery.attempt_count })];
  });
}

function isCode(error: string): boolean {
  return /^[a-z_]+$/.test(error);
}

/** Nothing is sent, and nothing will be. One that the provider may have from an earlier try has failed. */
export async function suppress(
  ctx: Ctx,
  sending: Sending,
  reason: SuppressedReason,
): Promise<Instant | null> {
  const { delivery, mail } = sending;
  if (mail.unsettled_at !== null) return recordFailure(ctx, sending, { error: reason, isFinal: true });
  const suppressed = { status: "SUPPRESSED", suppressed_reason: reason } as const;
  await commit({ db: ctx.db }, [
    updateLeased(ctx, mail, delivery, suppressed),
    deliveryOutbox.giveUp(delivery, { status: "CANCELLED" }),
  ]);
  return null;
}

/** It is tried again after a while, which counts as no try. Returns when. */
export async function putOff(ctx: Ctx, { delivery, mail, now }: Sending, ms: number): Promise<Instant> {
  const next = later(now(), Math.min(Math.max(ms, secondMs), dayMs));
  await commit({ db: ctx.db }, [
    updateLeased(ctx, mail, delivery, {
      unsettled_at: mail.unsettled_at,
      ...unlessTaken(mail, mail.unsettled_at),
    }),
    deliveryOutbox.later(delivery, next, { attempt_count: delivery.attempt_count - 1 }),
  ]);
  return next;
}

/**
 * Notes that the provider is about to be asked, and for whom, before it is: should the sender die, nobody knows whether it was. A customer
 * who is erased meanwhile is not named again. Returns since when the provider may have the mail; undefined if somebody else has it by now.
 */
export async function markUnsettled(
  ctx: Ctx,
  sending: Sending,
  { to: recipient, subject }: Composed,
): Promise<Instant | undefined> {
  const { delivery, mail, provider } = sending;
  const unsettled_at = mail.unsettled_at ?? sending.now();
  const mark = updateLeased(ctx, mail, delivery, { unsettled_at, provider, recipient, subject });
  const [marked] = await commit({ db: ctx.db }, [mark]);
  return marked.rows.length === 1 ? unsettled_at : undefined;
}

/** The recipient and the subject as they were before a try that the provider has not taken. */
function unlessTaken({ recipient, subject }: Mail, unsettled_at: Instant | null): Partial<MailRow> {
  return unsettled_at === null ? { recipient, subject } : {};
}

const answered = { status: null, retry_after: null, duration_ms: 0 };

function keyOf({ account }: Ctx, { id }: Mail): Partial<MailRow> {
  return { account_seq: account.seq, id };
}

const updateUnlessBounced = updatesWhere(mails, () => sql`${mails.status} NOT IN ('BOUNCED', 'COMPLAINED')`);

/** Changes a mail that waits, while whoever has taken its delivery still has that; returns its row if so. */
function updateLeased(ctx: Ctx, mail: Mail, delivery: Sending["delivery"], set: Partial<MailRow>): Statement {
  const { endpoint_id, attempt_count: tries, lease_until: leased_until } = delivery;
  return updateWhileLeased(keyOf(ctx, mail), set, { endpoint_id, tries, leased_until });
}

type Lease = { endpoint_id: string; tries: number; leased_until: Instant | null };

/**
 * A sender whose lease has ended would else take back that another has begun to send. It is asked before the delivery is settled, which ends
 * the lease.
 */
const updateWhileLeased = updatesWhere<Lease>(
  mails,
  (p) => sql`${mails.status} = 'PENDING' AND EXISTS (SELECT 1 FROM event_deliveries AS delivery
    WHERE delivery.account_seq = ${mails.account_seq} AND delivery.event_id = ${mails.id}
    AND delivery.endpoint_id = ${p("endpoint_id")} AND delivery.status = 'PENDING'
    AND delivery.attempt_count = ${p("tries")} AND delivery.lease_until = ${p("leased_until")})`,
  { returnsRows: true },
);

/** The number of rendered mails that an account keeps. */
const contentsMax = 100;

/** The content of a mail, in the place of the oldest. The builder has no insert that replaces a row. */
function contentStatements(ctx: Ctx, { id: mail_id }: Mail, { html, text }: Composed): Statement[] {
  const { account, realNow: created_at } = ctx;
  return [
    raw("DELETE FROM mail_contents WHERE account_seq = ? AND mail_id = ?", account.seq, mail_id),
    insertRow(mailContents, { account_seq: account.seq, mail_id, html, text, created_at }),
    raw(
      `DELETE FROM mail_contents WHERE account_seq = ?1 AND mail_id IN (SELECT mail_id FROM mail_contents
        WHERE account_seq = ?1 ORDER BY created_at DESC, mail_id DESC LIMIT -1 OFFSET ?2)`,
      ...[account.seq, contentsMax],
    ),
  ];
}
