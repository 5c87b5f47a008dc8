import { commit } from "../../src/base/db/commit.ts";
import { later } from "../../src/base/lib/time/dates.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
import { findAccountsDue } from "../../src/domain/billing/due/due.ts";
import { remind, updateReminderAccepted } from "../../src/domain/billing/due/reminders.ts";
import { noticeSweep, takeNotice } from "../../src/domain/dunning/notices.ts";
import { composeMail } from "../../src/domain/mail/compose.ts";
import { openCredentials } from "../../src/domain/mail/credentials.ts";
import { SilenceError } from "../../src/domain/mail/facts/silence.ts";
import { loginLink } from "../../src/domain/mail/kinds/login-link.ts";
import { openSender } from "../../src/domain/mail/open-sender.ts";
import type { MailSender } from "../../src/domain/mail/port.ts";
import { recordFailure } from "../../src/domain/mail/record.ts";
import { erasePersonalData } from "../../src/domain/privacy/erase-personal-data.ts";
import { replace, type SeededBug, sweepNothing } from "../seeded-bug.ts";

/** Has providers of mails be asked for something else. */
function sendOther(other: (send: MailSender["send"]) => MailSender["send"]) {
  return replace(openSender, (original) => async (...opened) => {
    const sender = await original(...opened);
    return { ...sender, send: other((mail) => sender.send(mail)) };
  });
}

/** Bugs in the mails to customers: sent twice, too late, to nobody's address, or not at all. */
const mails: SeededBug[] = [
  {
    name: "a new key for each try of a mail",
    what: "a mail whose answer was lost is another mail to a provider with keys",
    rule: "no mail comes twice",
    replaces: [sendOther((send) => (mail) => send({ ...mail, key: `${mail.key}${Date.parse(mail.at)}` }))],
  },
  {
    name: "a key of no event",
    what: "a mail is sent under a key that is not made of its event",
    rule: "no mail before its commit",
    replaces: [sendOther((send) => (mail) => send({ ...mail, key: `mail-${mail.key}` }))],
  },
  {
    name: "no answer is an acceptance",
    what: "a mail of which the provider says nothing counts as sent",
    rule: "a mail that is sent was accepted",
    replaces: [sendOther((send) => (mail) => send(mail).catch(() => ({ id: null })))],
  },
  {
    name: "a mail has one try",
    what: "a mail that its provider does not take at once is given up",
    rule: "no mail is lost",
    replaces: [
      replace(recordFailure, (original) => (ctx, sending, failure) => {
        return original(ctx, sending, { ...failure, isFinal: true });
      }),
    ],
  },
  {
    name: "nobody's credentials",
    what: "mails are handed over without the account's own credentials",
    rule: "mails are sent by their account",
    replaces: [
      replace(openCredentials, () => async () => ({ api_key: "another's", server_token: "another's" })),
    ],
    times: 3,
  },
  {
    name: "orders without a mail",
    what: "an order counts as too old to be told of",
    rule: "every entry of a kind becomes one mail",
    replaces: [
      replace(composeMail, (original) => (ctx, composition) => {
        if (composition.event?.type === "order.placed") throw new SilenceError("outdated");
        return original(ctx, composition);
      }),
    ],
  },
  {
    name: "a sign-in link that comes late",
    what: "a link that its customer waited for is sent once the provider is back, a day later",
    rule: "a sign-in link comes in time",
    replaces: [
      replace(loginLink, (original) => ({
        ...original,
        prepare: (ctx, event, known) => original.prepare({ ...ctx, now: event.created_at }, event, known),
      })),
    ],
  },
  {
    name: "an address that outlives its customer",
    what: "a customer who was erased is written to all the same",
    rule: "nobody who was erased is written to",
    replaces: [replace(erasePersonalData, () => async () => true)],
  },
];

/** Bugs that remind customers too early, of nothing, or not at all, and in what the store is to write to them. */
const reminders: SeededBug[] = [
  {
    name: "a reminder that counts before it is sent",
    what: "a subscription says that its customer was reminded though nobody has sent the mail",
    rule: "a reminder counts as sent once it was accepted",
    replaces: [
      replace(remind, (original) => async (ctx) => {
        const due = await original(ctx);
        const sent = due.map(({ id, billing_date }) => {
          return updateReminderAccepted(ctx, { loggable_id: id, metadata: JSON.stringify({ billing_date }) });
        });
        if (sent.length > 0) await commit({ db: ctx.db }, sent);
        return due;
      }),
    ],
  },
  {
    name: "reminded a day too early",
    what: "a customer is reminded on one day more before the billing than the merchant has set",
    rule: "customers are reminded of what comes",
    replaces: [
      replace(findAccountsDue, (original) => (db, realNow, log) => original(db, later(realNow, dayMs), log)),
      replace(remind, (original) => (ctx) => original({ ...ctx, now: later(ctx.now, dayMs) })),
    ],
  },
  {
    name: "nobody is reminded",
    what: "cron finds no reminders that are due",
    rule: "reminders once for each date",
    replaces: [replace(remind, () => async () => [])],
  },
  {
    name: "notices are not looked for",
    what: "a customer whose card was declined for good is not asked for another if a message is lost",
    rule: "every notice is sent",
    replaces: [sweepNothing(noticeSweep)],
    platform: "shopify",
    times: 4,
  },
  {
    name: "a notice is nobody's",
    what: "the store is asked to write to a customer by everybody who has the message",
    rule: "a customer is told once",
    replaces: [replace(takeNotice, () => async () => true)],
    platform: "shopify",
    times: 4,
  },
];

export const noticeBugs: SeededBug[] = [...mails, ...reminders];
