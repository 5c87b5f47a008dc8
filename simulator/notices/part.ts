import { finalStateOf } from "../accounts/final-state.ts";
import { checkNoneWaits } from "../events/check-deliveries.ts";
import { readNextDelivery } from "../events/endpoint-rows.ts";
import type { Part } from "../kernel/world.ts";
import { checkMails } from "./check-mails.ts";
import { checkReminders } from "./check-reminders.ts";
import { askForLink, eraseVisitor } from "./mail-customers.ts";
import { providers } from "./mail-network.ts";
import { mailerOf } from "./mailer.ts";
import { watchReminders } from "./watch-reminders.ts";

/** Customers are written to, and reminded of what comes. */
export const notices: Part = {
  acts: [
    {
      name: "ask for a link",
      weight: ({ worlds }) => (worlds.some(mailerOf) ? 4 : 0),
      act: async ({ worlds }) => {
        for (const one of worlds) await askForLink(one);
      },
    },
    {
      name: "erase a customer",
      weight: ({ worlds }) => (worlds.some((one) => mailerOf(one) && !mailerOf(one)?.erased) ? 1 : 0),
      act: async ({ worlds }) => {
        for (const one of worlds) await eraseVisitor(one);
      },
    },
  ],
  watch: watchReminders,
  peer: providers,
  dueAt: ["SELECT MIN(next_action_at) FROM customer_notices WHERE account_seq = ?1"],
  dueOn: [
    `SELECT date(MIN(s.remind_of), '-' || a.payment_reminder_days_before || ' days')
      FROM subscriptions AS s JOIN accounts AS a ON a.seq = s.account_seq WHERE s.account_seq = ?1 AND s.remind_of > ?2
        AND (s.ends_on IS NULL OR s.remind_of < s.ends_on)`,
  ],
  findNext: async (world) => (mailerOf(world) ? readNextDelivery(world) : undefined),
  async rest({ worlds }) {
    for (const one of worlds) if (mailerOf(one)) await checkNoneWaits(one);
  },
  async checkAccount(world) {
    const state = await finalStateOf(world);
    checkReminders(world, state);
    await checkMails(world, state);
  },
};
