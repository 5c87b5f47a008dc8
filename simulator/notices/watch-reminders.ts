import { defaultSettings } from "../../src/base/accounts/settings.ts";
import { plusDays } from "../accounts/calendar.ts";
import { changesOf, type Seen } from "../accounts/seen.ts";
import { todayOf } from "../accounts/today.ts";
import { invocationMsMax } from "../kernel/pass-time.ts";
import type { World } from "../kernel/world.ts";

/** States that a customer is reminded of the billing that comes next, within the days before it, and of none that is not to come. */
export function watchReminders(world: World): void {
  for (const { before, now } of changesOf(world).rows) if (before) checkReminder(world, before, now);
}

function checkReminder(world: World, before: Seen, now: Seen): void {
  const { report } = world;
  const date = now.last_payment_reminder_billing_date;
  if (date === null || date === before.last_payment_reminder_billing_date) return;
  const todays = [todayOf(world), todayOf(world, invocationMsMax)];
  const isTimely = (today: string) => days !== null && date > today && date <= plusDays(today, days);
  if (!todays.some(isTimely)) report(rule, `on ${todays[0]} of the billing of ${date}`);
  const isPaused = now.status === "PAUSED" && now.pause_until !== null && date > now.pause_until;
  const next = isPaused ? now.restart_billing_date : now.status === "ACTIVE" ? now.next_billing_date : null;
  if (date !== next || now.dunning_episode_id !== null)
    report(rule, `of ${date}, where ${now.status} is billed on ${next}`);
}

/** So many days before a billing every account of the simulator reminds of it. */
const days = defaultSettings.payment_reminder_days_before;

const rule = "customers are reminded of what comes";
