import type { FinalState } from "./final-state.ts";
import { keyMs } from "./mail-network.ts";
import { readEntries, readMails } from "./mail-rows.ts";
import type { SimulatedMailer } from "./mailer.ts";
import { instantOf, type World } from "./world.ts";

/** Each committed entry of a kind becomes one mail, which the provider has accepted once, or of which it is known why not. */
export async function checkMails(world: World, { subscriptions }: FinalState): Promise<void> {
  const { mailer, report } = world;
  const [entries, mails] = [await readEntries(world), await readMails(world)];
  checkSentReminders(world, { subscriptions, entries, mails });
  if (!mailer) return;
  const byEvent = Map.groupBy(mails, ({ event_id }) => event_id);
  for (const entry of entries.filter(({ sequence }) => (sequence ?? 0) > mailer.after)) {
    const made = byEvent.get(entry.id)?.length ?? 0;
    if (made !== (isTold(world, entry) ? 1 : 0)) report(everyEntry, `${entry.type}: ${made} mails`);
  }
  for (const mail of mails) checkMail(world, mailer, mail);
}

type Entry = Awaited<ReturnType<typeof readEntries>>[number];
type Mail = Awaited<ReturnType<typeof readMails>>[number];

const everyEntry = "every entry of a kind becomes one mail";

/** The types that become mails, and for which reasons one of them may not be sent; stated apart from the code. */
const silences: Record<string, readonly string[]> = {
  "portal.login_requested": ["late", "no_customer"],
  "subscription.created": ["outdated"],
  "subscription.payment_reminder_due": ["outdated"],
  "order.placed": [],
  "order.fulfilled": [],
  "subscription.price_change_announced": ["outdated"],
  "payment_method.expiring": ["outdated"],
  "dunning.started": ["outdated", "store_sends"],
  "billing.failed": ["outdated", "store_sends"],
  "billing.action_required": ["outdated"],
  "dunning.exhausted": ["outdated"],
  ...Object.fromEntries(
    ["paused", "resumed", "skipped", "unskipped", "delivery_rescheduled", "frequency_changed"]
      .concat("delivery_address_changed", "lines_changed", "cancelled", "reactivated")
      .map((change) => [`subscription.${change}`, ["joined"]]),
  ),
};

/** A further failure of a payment is told where the account says so; what the system itself changes as what staff does. */
function isTold({ account }: World, { type, metadata }: Entry): boolean {
  if (type !== "billing.failed") return type in silences;
  return account.notify_every_retry === 1 && "dunning_episode_id" in JSON.parse(metadata ?? "{}");
}

function checkMail(world: World, mailer: SimulatedMailer, mail: Mail): void {
  const { report, restores } = world;
  const { id, event_type: type, status, suppressed_reason: reason } = mail;
  const times = mailer.accepted.get(id) ?? [];
  if (status === "SENT" && times.length === 0) report("a mail that is sent was accepted", type);
  if (restores === 0 && isRepeated(mailer, type, times)) report("no mail comes twice", type);
  if (status === "SUPPRESSED" && !silences[type]?.includes(reason ?? ""))
    report(everyEntry, `${type} is not sent: ${reason}`);
  if (status === "FAILED" && !isGivenUp(mailer, mail))
    report("no mail is lost", `${type}: ${mail.last_error}`);
  if (status === "PENDING" && (mail.next_attempt_at ?? "") <= instantOf(world))
    report("no mail is lost", `${type} is due`);
}

/** Sign-in links, reminders and new prices are repeated where the provider cannot tell a repetition. A key is known for a day. */
function isRepeated({ provider }: SimulatedMailer, type: string, times: number[]): boolean {
  if (provider === "postmark") return times.length > 1 && !repeatable.includes(type);
  return times.some((at, nth) => nth > 0 && at - times[nth - 1]! < keyMs);
}

const repeatable = [
  "portal.login_requested",
  "subscription.payment_reminder_due",
  "subscription.price_change_announced",
];
const triesMax = 10;

/** It has had all its tries; or nobody knows whether it was sent, and it is none that may come twice. */
function isGivenUp({ provider }: SimulatedMailer, { event_type, attempt_count }: Mail): boolean {
  if (provider === "postmark" && !repeatable.includes(event_type)) return true;
  return (attempt_count ?? 0) >= triesMax;
}

type Known = { subscriptions: FinalState["subscriptions"]; entries: Entry[]; mails: Mail[] };

/** A subscription says that its customer was reminded only where the provider, or an endpoint, has accepted it. */
function checkSentReminders(
  { mailer, endpoints, report }: World,
  { subscriptions, entries, mails }: Known,
): void {
  const mailed = new Set(mails.filter(({ id }) => mailer?.accepted.has(id)).map(({ event_id }) => event_id));
  const isAccepted = (event: string) => mailed.has(event) || endpoints.some((one) => one.accepted.has(event));
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
      report("a reminder counts as sent once it was accepted", `of ${date}`);
  }
}
