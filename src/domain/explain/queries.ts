import type { PortalLocale } from "../../base/accounts/portal-settings.ts";
import { portalSettingsOf } from "../../base/accounts/portal-settings.ts";
import type { Statement } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import { preferredLocale } from "../../base/language/preferred-locale.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { readJson } from "../../kit/http/json-text.ts";
import { parseStored } from "../../kit/journal/stored-json.ts";
import type { ActivityLog } from "../../kit/journal/tables.ts";
import { findAttempt, selectLatestFailure } from "../billing/queries.ts";
import { snapshotOf } from "../billing/snapshot.ts";
import type { BillingAttempt } from "../billing/tables.ts";
import { projectWithRisks } from "../billing/upcoming/at-risk.ts";
import { prospectOf, readForProspect } from "../billing/upcoming/prospect.ts";
import { kindOf } from "../mail/kinds.ts";
import type { MailRow } from "../mail/tables.ts";
import { deliveriesOwed } from "../subscriptions/dates/index.ts";
import { getSubscriptionAnd, type SubscriptionView } from "../subscriptions/queries.ts";
import type { AttemptRows, ToldMail } from "./explain-attempt.ts";
import type { SubscriptionRows } from "./explain-subscription.ts";
import { readEntry, selectEntriesAt, selectFirstEntry, selectNewestEntries } from "./history.ts";
import { type Voice, voiceOf } from "./voice.ts";

/** The rows that explain a subscription, in one trip. Throws NOT_FOUND. */
export async function readSubscriptionRows(ctx: Ctx, id: string): Promise<SubscriptionRows> {
  const key = { account_seq: ctx.account.seq, id };
  const [view, { newest, first, failures, ...found }] = await getSubscriptionAnd(ctx, id, {
    ...readForProspect(ctx, id),
    newest: selectNewestEntries(key, ctx.now),
    first: selectFirstEntry(key),
    failures: selectLatestFailure(ctx, id),
  });
  const prospect = prospectOf(ctx, view, found);
  const upcoming = projectWithRisks(ctx, prospect, deliveriesOwed(view.row) + 1);
  const isWhole = newest.some((entry) => entry.id === first[0]?.id);
  const entries = (isWhole ? newest : [...newest, ...first]).map(readEntry);
  const firstCharge = upcoming.findIndex(({ isBilled }) => isBilled);
  return {
    prospect,
    upcoming: firstCharge === -1 ? upcoming : upcoming.slice(0, firstCharge + 1),
    entries,
    failed: failures[0],
  };
}

/** The rows that explain a billing attempt, and its subscription. Throws NOT_FOUND. */
export async function readAttemptRows(
  ctx: Ctx,
  id: string,
): Promise<AttemptRows & { view: SubscriptionView }> {
  const attempt = await findAttempt(ctx, id);
  if (!attempt) throw notFound("Billing attempt");
  const { subscription_id, settled_at, created_at } = attempt;
  const account_seq = ctx.account.seq;
  const key = { account_seq, id: subscription_id };
  const discounts = snapshotOf(attempt).discounts.map((one) => ({ id: subscription_id, at: one.applied_at }));
  const from = later(created_at, -remindedMs);
  const mailed = { from, until: settled_at ?? ctx.now };
  const [view, { newest, applied, first, ...mails }] = await getSubscriptionAnd(ctx, subscription_id, {
    newest: selectNewestEntries(key, mailed.until),
    applied: selectEntriesAt(account_seq, discounts),
    first: selectFirstEntry(key),
    own: selectMailed(key, mailed),
    ofOrder: selectMailed({ account_seq, id: attempt.order_id ?? "" }, mailed),
  }).catch((error) => {
    throw error?.code === "NOT_FOUND" ? notFound("Billing attempt") : error;
  });
  const known = new Map([...newest, ...applied, ...first].map((entry) => [entry.id, readEntry(entry)]));
  const told = [...mails.own, ...mails.ofOrder]
    .filter((mail) => isAbout(mail, attempt))
    .flatMap(({ id, event_type, sent_at }): ToldMail[] => {
      const kind = kindOf(event_type)?.name;
      return kind ? [{ mail_id: id, kind, at: sent_at }] : [];
    })
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return { view, attempt, entries: [...known.values()], told };
}

/** The language of the request, else the customer's, else the shop's; and the clock and the currency of the explanation. */
export function openVoice(
  ctx: Ctx,
  { row, profile, viewer }: SubscriptionView,
  acceptLanguage: string | undefined,
): Voice {
  const { timezone } = ctx.account;
  const own: PortalLocale | null = readJson(profile).locale;
  const locale = preferredLocale(acceptLanguage, null) ?? own ?? portalSettingsOf(ctx.account).default_locale;
  return voiceOf(locale, { currency: row.currency_code, timezone, reader: viewer });
}

/** A customer is reminded of a charge so long before it at most. */
const remindedMs = 60 * dayMs;
const mostMails = 100;

type Mailed = Pick<MailRow, "id" | "event_type"> &
  Pick<ActivityLog, "action" | "metadata" | "created_at" | "order_id"> & { sent_at: Instant };

/** The mails that were sent of a record's entries of some time, the newest of them. */
function selectMailed(
  { account_seq, id }: Parameters<typeof selectFirstEntry>[0],
  { from, until }: { from: Instant; until: Instant },
): Statement<Mailed> {
  return raw<Mailed>(
    `SELECT mails.id, mails.event_type, mails.sent_at, entry.action, entry.metadata, entry.created_at, entry.order_id
      FROM activity_logs AS entry INDEXED BY activity_logs_by_record
      CROSS JOIN mails ON mails.account_seq = entry.account_seq AND mails.id = entry.id
      WHERE entry.account_seq = ? AND entry.loggable_id = ? AND entry.created_ms BETWEEN ? AND ? AND mails.sent_at IS NOT NULL
      ORDER BY entry.created_ms DESC LIMIT ${mostMails}`,
    ...[account_seq, id, Date.parse(from), Date.parse(until)],
  );
}

/** Whether a mail's event is about the attempt: its own, that of the dunning that its failure began, its reminder or its order. */
function isAbout({ action, metadata, created_at, order_id }: Mailed, attempt: BillingAttempt): boolean {
  const { billing_attempt_id, billing_date } = parseStored(metadata) ?? {};
  if (billing_attempt_id !== undefined) return billing_attempt_id === attempt.id;
  if (action === "payment_reminder_due") return billing_date === snapshotOf(attempt).billing_date;
  if (action === "order_placed") return order_id === attempt.order_id;
  return action.startsWith("dunning_") && created_at === attempt.settled_at;
}
