import { dayMs } from "./durations.ts";

/** `yyyy-MM-dd`, a day of the calendar without time or zone. */
export type CalendarDate = string;
/** A day of the calendar: the number of days since 1 January 1970. */
export type Day = number;

/** The day of a date. */
export function toDay(date: CalendarDate): Day {
  if (date.length !== "2026-11-20".length) return Math.floor(Date.parse(date) / dayMs);
  return countDays(
    100 * twoDigitsAt(date, 0) + twoDigitsAt(date, 2),
    twoDigitsAt(date, 5),
    twoDigitsAt(date, 8),
  );
}

/** The date of a day. Throws RangeError for what is no day. */
export function toDate(day: Day): CalendarDate {
  if (!(day >= firstDay && day <= lastDay)) return toLongDate(day);
  const { year, month, dayOfMonth } = splitDay(day);
  return `${twoDigits[Math.trunc(year / 100)]}${twoDigits[year % 100]}-${twoDigits[month]}-${twoDigits[dayOfMonth]}`;
}

/** So many days later, or earlier. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return toDate(toDay(date) + days);
}

/** ISO 8601: 1 = Monday … 7 = Sunday. */
export function dayOfWeek(date: CalendarDate): number {
  return weekdayOf(toDay(date));
}

/** The earlier of two dates. */
export function earlierOf(a: CalendarDate, b: CalendarDate): CalendarDate {
  return a < b ? a : b;
}

/** The later of two dates. */
export function laterOf(a: CalendarDate, b: CalendarDate): CalendarDate {
  return earlierOf(a, b) === a ? b : a;
}

/** ISO 8601: 1 = Monday … 7 = Sunday. */
export function weekdayOf(day: Day): number {
  return modulo(day + 3, 7) + 1;
}

/** The day of a later or earlier month that has the same number, or the given one, or that month's last day. */
export function addMonths(day: Day, months: number, number?: number | null): Day {
  const { year, month, dayOfMonth } = splitDay(day);
  const sum = month - 1 + months;
  const [toYear, toMonth] = [year + Math.floor(sum / 12), modulo(sum, 12) + 1];
  return countDays(toYear, toMonth, Math.min(number ?? dayOfMonth, daysInMonth(toYear, toMonth)));
}

/** The number of a day in its month, from 1 on. */
export function dayOfMonth(date: CalendarDate): number {
  return splitDay(toDay(date)).dayOfMonth;
}

/** The number of days that a month has, from 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The days of 0000-01-01 and 9999-12-31: dates beyond them are longer. */
const firstDay = -719_528;
export const lastDay = 2_932_896;

export const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));

const [daysInFourYears, daysInCentury, daysInFourCenturies] = [1_461, 36_524, 146_097];

/** From 1 March of the year 0 to 1 January 1970. */
const marchToEpoch = 719_468;

/**
 * The calendar repeats itself after four centuries. Within them, years are counted from March, so that a leap day is the last of its
 * year, and five months from March, as from August, have 153 days.
 */
function countDays(year: number, month: number, dayOfMonth: number): Day {
  const marchYear = month > 2 ? year : year - 1;
  const fourCenturies = Math.floor(marchYear / 400);
  const yearOfThem = marchYear - fourCenturies * 400;
  const marchMonth = month > 2 ? month - 3 : month + 9;
  const dayOfYear = Math.trunc((153 * marchMonth + 2) / 5) + dayOfMonth - 1;
  const leapDays = Math.trunc(yearOfThem / 4) - Math.trunc(yearOfThem / 100);
  return fourCenturies * daysInFourCenturies + yearOfThem * 365 + leapDays + dayOfYear - marchToEpoch;
}

function splitDay(day: Day): { year: number; month: number; dayOfMonth: number } {
  const sinceMarch = day + marchToEpoch;
  const fourCenturies = Math.floor(sinceMarch / daysInFourCenturies);
  const dayOfThem = sinceMarch - fourCenturies * daysInFourCenturies;
  const leapDays =
    Math.trunc(dayOfThem / (daysInFourYears - 1)) -
    Math.trunc(dayOfThem / daysInCentury) +
    Math.trunc(dayOfThem / (daysInFourCenturies - 1));
  const yearOfThem = Math.trunc((dayOfThem - leapDays) / 365);
  const dayOfYear =
    dayOfThem - (365 * yearOfThem + Math.trunc(yearOfThem / 4) - Math.trunc(yearOfThem / 100));
  const marchMonth = Math.trunc((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: fourCenturies * 400 + yearOfThem + (month > 2 ? 0 : 1),
    month,
    dayOfMonth: dayOfYear - Math.trunc((153 * marchMonth + 2) / 5) + 1,
  };
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function twoDigitsAt(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - 48) + text.charCodeAt(at + 1) - 48;
}

function modulo(number: number, by: number): number {
  const rest = number % by;
  return rest < 0 ? rest + by : rest;
}

/** The form of ISO 8601 for years beyond four digits. */
function toLongDate(day: Day): CalendarDate {
  return new Date(day * dayMs).toISOString().slice(0, -"T00:00:00.000Z".length);
}
