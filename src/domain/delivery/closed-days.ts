import type { Account } from "../../base/accounts/tables.ts";
import { type CalendarDate, type Day, toDate, toDay } from "../../base/lib/time/calendar.ts";
import type { closedRules } from "./tables.ts";

/** The kinds of dates that closed days can be for. */
export const closedKinds = ["delivery", "production", "billing"] as const;
export type ClosedKind = (typeof closedKinds)[number];
export type ClosedRule = (typeof closedRules)[number];

/** Days on which the store is closed, both ends included. It is all slots where it names none. */
export type ClosedDay = {
  id: string;
  from: CalendarDate;
  to: CalendarDate;
  applies_to: ClosedKind[];
  slot_ids: string[];
  rule: ClosedRule;
  label: string;
};

/** The closed days of an account in the order of their creation, as its row holds them. The same text gives the same list. */
export function closedDaysOf({ closed_days: text }: Pick<Account, "closed_days">): ClosedDay[] {
  if (!text) return none;
  if (text !== lastParsed.text) lastParsed = { text, days: JSON.parse(text) };
  return lastParsed.days;
}

/** The closed days that speak for a day, for dates of a kind, in a slot or without one: the first created of those that cover it. */
export function closureOn(
  closed: ClosedDay[],
  { kind, slotId }: { kind: ClosedKind; slotId: string | undefined },
  day: Day,
): ClosedDay | undefined {
  if (closed.length === 0) return undefined;
  const date = toDate(day);
  return closed.find(
    (one) => one.from <= date && date <= one.to && one.applies_to.includes(kind) && concerns(one, slotId),
  );
}

/** Whether closed days are those of a slot, or of subscriptions without one. */
export function concerns({ slot_ids }: Pick<ClosedDay, "slot_ids">, slotId: string | undefined): boolean {
  return slot_ids.length === 0 || (slotId !== undefined && slot_ids.includes(slotId));
}

/** Each day that is listed, once, in order. */
export function listDays(closed: Pick<ClosedDay, "from" | "to">[]): Day[] {
  const days = new Set<Day>();
  for (const { from, to } of closed) for (let day = toDay(from); day <= toDay(to); day++) days.add(day);
  return [...days].sort((a, b) => a - b);
}

const none: ClosedDay[] = [];

/** The account whose days were asked for last: jobs and requests ask for one account's again and again. */
let lastParsed: { text: string | null; days: ClosedDay[] } = { text: null, days: none };
