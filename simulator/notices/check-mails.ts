import { hourMs, minuteMs } from "../../src/base/lib/time/durations.ts";
import type { FinalState } from "../accounts/final-state.ts";
import { endpointsOf } from "../events/endpoints.ts";
import { instantOf, type World } from "../kernel/world.ts";
import { readEntries, readMails } from "./mail-rows.ts";
import { mailerOf, type SimulatedMailer } from "./mailer.ts";

/** Each committed entry of a kind becomes one mail, which the provider has accepted once, or of which it is known why not. */
export async function checkMails(world: World, { subscriptions }: FinalState): Promise<void> {
  const { report } = world;
  const mailer = mailerOf(world);
  const [entries, mails] = [await readEntries(world), await readMails(world)];
  checkSentReminders(world, { subscriptions, entries, mails });
  if (!mailer) return;
  const byEvent = Map.groupBy(mails, ({ id }) => id);
  for (const entry of entries.filter(({ sequence }) => (sequence ?? 0) > mailer.after)) {
    const made = byEvent.get(entry.id)?.length ?? 0;
    if (made !== (isTold(world, entry) ? 1 : 0)) report(everyEntry, `${entry.type}: ${made} mails`);
  }
  const entryOf = new Map(entries.map((entry) => [entry.id, entry]));
  const mailed = entries.filter(({ id }) => byEvent.has(id));
  for (const mail of mails) checkMail(world, mailer, mail, { entry: entryOf.get(mail.id), mailed });
}

type Entry = Awaited<ReturnType<typeof readEntries>>[number];
type Mail = Awaited<ReturnType<typeof readMails>>[number];

const everyEntry = "every entry of a kind becomes one mail";

/** The types that become mails, and for which reasons one of them may not be sent; stated apart from the code. */
const silences: Record<string, readonly string[]> = {
  "portal.login_requested": ["late", "no_customer"],
  "declaration.received": ["too_many"],
  "subscription.created": ["outdated"],
  "subscription.payment_reminder_due": ["outdated"],
  "order.placed": [],
  "order.fulfilled": [],
  "subscription.price_change_announced": ["outdated"],
  "subscription.annual_notice_due": ["outdated"],
  "payment_method.expiring": ["outdated"],
  "dunning.started": ["outdated", "store_sends"],
  "billing.failed": ["outdated", "store_sends"],
  "billing.action_required": ["outdated"],
  "dunning.exhausted": ["outdated"],
  ...Object.fromEntries(
    ["paused", "resumed", "cancelled", "reactivated", "skipped", "unskipped", "delivery_rescheduled"]
      .concat("frequency_changed", "delivery_address_changed", "lines_changed", "change_undone")
      .map((change) => [`subscription.${change}`, ["joined"]]),
  ),
};

/**
 * Another mail tells of a change: the acknowledgement of a declaration, the one about the payment that ended the subscription, that about new prices, or, of what staff has changed
 * but the status, a later one of theirs within five minutes. What the system changes is told by itself, and so is one of two changes at least.
 */
function isJoined(
  { type, actor_type, subscription_id, metadata, ...entry }: Entry,
  mailed: Entry[],
): boolean {
  const others = mailed.filter((other) => other.subscription_id === subscription_id);
  const later = others.filter(
    ({ sequence, created_at }) =>
      (sequence ?? 0) > (entry.sequence ?? 0) &&
      Date.parse(created_at) <= Date.parse(entry.created_at) + 5 * minuteMs,
  );
  const { declaration_id, reason } = JSON.parse(metadata ?? "{}");
  if (type === "subscription.cancelled" && declaration_id !== undefined) return true;
  if (reason === "Payment failed") return others.some((other) => other.type === "dunning.exhausted");
  if (type === "subscription.lines_changed" && later.some(({ type }) => type === newPrices)) return true;
  return (
    isByStaff(actor_type) &&
    isOfContents(type) &&
    later.some((other) => isByStaff(other.actor_type) && isOfContents(other.type))
  );
}

const newPrices = "subscription.price_change_announced";

function isByStaff(actor: string | null): boolean {
  return actor === "admin" || actor === "api";
}

/** Whether a change is one that is told together with others: of anything but the status. */
function isOfContents(type: string): boolean {
  return (
    silences[type]?.includes("joined") === true &&
    !ofStatus.some((change) => type === `subscription.${change}`)
  );
}

const ofStatus = ["paused", "resumed", "cancelled", "reactivated"];

/** A further failure of a payment is told where the account says so; what the system itself changes as what staff does. */
function isTold({ account }: World, { type, metadata }: Entry): boolean {
  if (type !== "billing.failed") return type in silences;
  return account.notify_every_retry === 1 && "dunning_episode_id" in JSON.parse(metadata ?? "{}");
}

/** The entry of a mail, and those that have mails. */
type Entries = { entry: Entry | undefined; mailed: Entry[] };

function checkMail(world: World, mailer: SimulatedMailer, mail: Mail, { entry, mailed }: Entries): void {
  const { report, restores } = world;
  const { id, event_type: type, status, suppressed_reason: reason } = mail;
  const times = mailer.accepted.get(id) ?? [];
  if (status === "SENT" && times.length === 0) report("a mail that is sent was accepted", type);
  if (restores === 0 && isRepeated(mailer, type, times)) report("no mail comes twice", type);
  const isSilent =
    silences[type]?.includes(reason ?? "") && (reason !== "joined" || (entry && isJoined(entry, mailed)));
  if (status === "SUPPRESSED" && !isSilent) report(everyEntry, `${type} is not sent: ${reason}`);
  if (status === "FAILED" && !isGivenUp(world, mailer, mail))
    report("no mail is lost", `${type}: ${mail.last_error}`);
  if (status === "PENDING" && (mail.next_attempt_at ?? "") <= instantOf(world))
    report("no mail is lost", `${type} is due`);
}

/** Sign-in links, acknowledgements, reminders and new prices are repeated where the provider cannot tell a repetition. */
function isRepeated({ provider }: SimulatedMailer, type: string, times: number[]): boolean {
  return times.length > 1 && !(provider === "postmark" && repeatable.includes(type));
}

const repeatable = [
  "declaration.received",
  "portal.login_requested",
  "subscription.payment_reminder_due",
  "subscription.price_change_announced",
  "subscription.annual_notice_due",
];
const triesMax = 10;

/**
 * It has had all its tries; or nobody knows whether it was sent, and it is none that may come twice, its key may be forgotten, or it is of
 * no use any more. The mailer may have died between the note of a try and the try.
 */
function isGivenUp(
  { clock }: World,
  { provider, asked }: SimulatedMailer,
  { id, event_type, attempt_count, last_error, unsettled_at }: Mail,
): boolean {
  if ((attempt_count ?? 0) >= triesMax) return true;
  const triedAt = asked.get(id) ?? (unsettled_at === null ? undefined : Date.parse(unsettled_at));
  if (!last_error?.startsWith("the outcome is unknown") || triedAt === undefined) return false;
  if (provider === "postmark" && !repeatable.includes(event_type)) return true;
  const isForgotten = provider === "resend" && clock - triedAt >= 23 * hourMs;
  return isForgotten || (silences[event_type]?.length ?? 0) > 0;
}

type Known = { subscriptions: FinalState["subscriptions"]; entries: Entry[]; mails: Mail[] };

/** A subscription says that its customer was reminded only where the provider, or an endpoint, has accepted it. */
function checkSentReminders(world: World, { subscriptions, entries, mails }: Known): void {
  const mailer = mailerOf(world);
  const mailed = new Set(mails.filter(({ id }) => mailer?.accepted.has(id)).map(({ id }) => id));
  const isAccepted = (event: string) =>
    mailed.has(event) || endpointsOf(world).some((one) => one.accepted.has(event));
  for (const row of subscriptions) {
    if (row.last_payment_reminder_sent_at === null) continue;
    const date = row.last_payment_reminder_billing_date;
    const reminders = entries.filter(
      ({ type, subscription_id, metadata }) =>
        type === "subscription.payment_reminder_due" &&
        subscription_id === row.id &&
        JSON.parse(metadata ?? "{}").billing_date === date,
    );
    if (!reminders.some(({ id }) => isAccepted(id)))
      world.report("a reminder counts as sent once it was accepted", `of ${date}`);
  }
}
