import type { PortalLocale } from "../../base/accounts/portal-settings.ts";
import { dayOf, day as formatDay, money } from "../../base/language/format.ts";
import type { Words } from "../../base/language/words/en.ts";
import { wordsOf } from "../../base/language/words/index.ts";
import { toMajor } from "../../base/lib/money.ts";
import type { CalendarDate, Instant } from "../../base/lib/time/dates.ts";
import type { ActorType } from "../../kit/context.ts";
import type { HistoryEntry } from "./history.ts";

/** The form in which an explanation is given: its language, the shop's clock, the currency, and who reads it. */
export type Voice = {
  words: Words;
  amount: (minor: number) => string;
  day: (date: CalendarDate) => string;
  dayOf: (instant: Instant) => string;
  /** Who has acted, as the sentences take it; empty where the service has done it by itself. */
  by: (entry: Pick<HistoryEntry, "actor_type" | "actor_name"> | undefined) => string;
};

export function voiceOf(
  locale: PortalLocale,
  { currency, timezone, reader }: { currency: string; timezone: string; reader: ActorType },
): Voice {
  const words = wordsOf(locale);
  return {
    words,
    amount: (minor) => money(locale, toMajor(minor, currency), currency),
    day: (date) => formatDay(locale, date),
    dayOf: (instant) => dayOf(locale, instant, timezone),
    by: (entry) => (entry ? phraseOf(words, entry, reader) : ""),
  };
}

/** Customers read no names of staff. */
function phraseOf(
  { why: { by } }: Words,
  { actor_type: type, actor_name: name }: Pick<HistoryEntry, "actor_type" | "actor_name">,
  reader: ActorType,
): string {
  if (type === "customer") return reader === "customer" ? by.you : by.customer;
  if (type === "admin" && name !== null && reader !== "customer") return by.named(name);
  return type === "admin" || type === "api" ? by.shop : "";
}
