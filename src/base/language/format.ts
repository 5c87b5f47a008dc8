import type { PortalLocale } from "../accounts/portal-settings.ts";
import { exponentOf } from "../lib/money.ts";
import { dateIn } from "../lib/time/dates.ts";
import { ttlCache } from "../lib/ttl-cache.ts";

/**
 * An amount in major units, as the customer's language writes it, with the decimals in which it is charged: those of ISO 4217. The languages'
 * own data round some currencies, such as HUF, to whole units. Less than nothing has a minus, and no hyphen.
 */
export function money(locale: PortalLocale, amount: number, currency: string): string {
  const decimals = exponentOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const make = () => new Intl.NumberFormat(locale, { style: "currency", currency, ...digits });
  return makeOnce(amounts, `${locale} ${currency}`, make).format(amount).replace("-", "−");
}

/** Values divided by commas and "or". */
export function alternatives(locale: PortalLocale, values: string[]): string {
  return new Intl.ListFormat(locale, { type: "disjunction" }).format(values);
}

/** Values divided by commas and "and". */
export function enumerate(locale: PortalLocale, values: string[]): string {
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(values);
}

/** A calendar date with its day of the week. */
export function day(locale: PortalLocale, date: string): string {
  const format = {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  } as const;
  return writeDate(locale, format, new Date(`${date}T00:00:00Z`));
}

/** A calendar date without its year. */
export function shortDay(locale: PortalLocale, date: string): string {
  const format = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" } as const;
  return writeDate(locale, format, new Date(`${date}T00:00:00Z`));
}

/** A day of a month, as a sentence has it. */
export function dayOfMonth(locale: PortalLocale, date: string): string {
  const format = { day: "numeric", month: "long", timeZone: "UTC" } as const;
  return writeDate(locale, format, new Date(`${date}T00:00:00Z`));
}

/** The month and the year of a date. */
export function monthOf(locale: PortalLocale, date: string): string {
  const format = { month: "long", year: "numeric", timeZone: "UTC" } as const;
  return writeDate(locale, format, new Date(`${date}T00:00:00Z`));
}

/** The parts of a date on a calendar's sheet. */
export function sheet(locale: PortalLocale, date: string): { day: string; month: string; weekday: string } {
  const at = new Date(`${date}T00:00:00Z`);
  const part = (format: Intl.DateTimeFormatOptions) => writeDate(locale, { ...format, timeZone: "UTC" }, at);
  return {
    day: part({ day: "numeric" }),
    month: part({ month: "short" }),
    weekday: part({ weekday: "long" }),
  };
}

/** The date of an instant in the shop's time zone, with its day of the week. */
export function dayOf(locale: PortalLocale, instant: string, timeZone: string): string {
  return day(locale, dateIn(instant, timeZone));
}

/** An instant by the clock of the shop, with its time zone. */
export function moment(locale: PortalLocale, instant: string, timeZone: string): string {
  const format = {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  } as const;
  return writeDate(locale, format, new Date(instant));
}

/** The time of day of an instant by the clock of the shop. */
export function clock(locale: PortalLocale, instant: string, timeZone: string): string {
  return writeDate(locale, { hour: "numeric", minute: "2-digit", timeZone }, new Date(instant));
}

/** French has an ordinal for the first of a month, which the language's own data lack. */
function writeDate(locale: PortalLocale, options: Intl.DateTimeFormatOptions, at: Date): string {
  const text = dateFormat(locale, options).format(at);
  return locale === "fr" ? text.replace(/(?<!\d)1 (?=\p{L})/u, "1er ") : text;
}

function dateFormat(locale: PortalLocale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const make = () => new Intl.DateTimeFormat(locale, options);
  return makeOnce(dates, `${locale} ${JSON.stringify(options)}`, make);
}

/** A format is made once: that takes fifty times as long as using it. */
function makeOnce<Format>(formats: Formats<Format>, key: string, make: () => Format): Format {
  const known = formats.get(key, 0);
  if (known) return known;
  const format = make();
  formats.set(key, format, 0);
  return format;
}

type Formats<Format> = ReturnType<typeof ttlCache<Format>>;
const formatsMax = 500;
const amounts = ttlCache<Intl.NumberFormat>(Number.POSITIVE_INFINITY, formatsMax);
const dates = ttlCache<Intl.DateTimeFormat>(Number.POSITIVE_INFINITY, formatsMax);
