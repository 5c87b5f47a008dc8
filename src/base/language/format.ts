import type { PortalLocale } from "../accounts/portal-settings.ts";

/** An amount in major units, as the customer's language writes it. */
export function money(locale: PortalLocale, amount: number, currency: string): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount);
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
  return new Intl.DateTimeFormat(locale, format).format(new Date(`${date}T00:00:00Z`));
}

/** A calendar date without its year. */
export function shortDay(locale: PortalLocale, date: string): string {
  const format = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(locale, format).format(new Date(`${date}T00:00:00Z`));
}

/** The month and the year of a date. */
export function monthOf(locale: PortalLocale, date: string): string {
  const format = { month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(locale, format).format(new Date(`${date}T00:00:00Z`));
}

/** The parts of a date on a calendar's sheet. */
export function sheet(locale: PortalLocale, date: string): { day: string; month: string; weekday: string } {
  const at = new Date(`${date}T00:00:00Z`);
  const part = (format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...format, timeZone: "UTC" }).format(at);
  return {
    day: part({ day: "numeric" }),
    month: part({ month: "short" }),
    weekday: part({ weekday: "long" }),
  };
}

/** The date of an instant in the shop's time zone. */
export function dayOf(locale: PortalLocale, instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone }).format(new Date(instant));
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
  return new Intl.DateTimeFormat(locale, format).format(new Date(instant));
}
