import { day } from "../../../../base/language/format.ts";
import { addDays } from "../../../../base/lib/time/calendar.ts";
import { type CalendarDate, dateIn, isDateText } from "../../../../base/lib/time/dates.ts";
import type { Declared } from "../../../../domain/declarations/actions/receive.ts";
import type { DeclarationKind } from "../../../../domain/declarations/tables.ts";
import { email as emailSchema } from "../../../../domain/profiles/schemas.ts";
import { type Fields, readFields } from "../../../pages/fields.ts";
import { type Faults, invalidValues } from "../faults.ts";
import type { Visit } from "../page-env.ts";

/** The two pages of leaving, by the last part of their path. */
export const pagesOfLeaving = { leave: "cancellation", withdraw: "withdrawal" } as const satisfies Record<
  string,
  DeclarationKind
>;
export type LeavingPage = keyof typeof pagesOfLeaving;

export const declaredFields = ["email", "name", "number", "from", "date", "grounds", "reason"] as const;

export function readDeclared(sent: URLSearchParams): Fields {
  return readFields(sent, declaredFields);
}

/** The declaration that a form's texts make, or the faults in them. Only the address is needed: whatever else is missing is asked for by staff. */
export function parseDeclared(
  visit: Visit,
  page: LeavingPage,
  fields: Fields,
): { declared: Declared } | { faults: Faults } {
  const wants_on = page === "leave" ? dateOf(fields) : null;
  const today = dateIn(visit.c.get("now").toISOString(), visit.account.timezone);
  const last = addDays(today, mostDays);
  const { rules } = visit.texts;
  const wrong = {
    ...(emailSchema.safeParse(fields.email ?? "").success ? {} : { email: rules.email }),
    ...(isText(fields.name, 255) ? {} : { name: rules.characters(255) }),
    ...(isText(fields.number, 255) ? {} : { number: rules.characters(255) }),
    ...(wants_on !== null && wants_on > last ? { date: rules.until(day(visit.locale, last)) } : {}),
    ...(wants_on === null || isDateText(wants_on) ? {} : { date: rules.chooseDay }),
    ...(isText(fields.reason, 10_000) ? {} : { reason: rules.characters(10_000) }),
  };
  if (Object.keys(wrong).length > 0) return { faults: invalidValues(wrong) };
  const is_for_cause = page === "leave" && fields.grounds === "cause";
  return {
    declared: {
      kind: pagesOfLeaving[page],
      email: fields.email!,
      name: fields.name ?? null,
      number: fields.number ?? null,
      wants_on,
      is_for_cause,
      reason: fields.reason ?? null,
      locale: visit.locale,
    },
  };
}

/** The day that was chosen; null for as soon as possible. */
function dateOf({ from, date }: Fields): CalendarDate | null {
  if (from === "soon") return null;
  return date ?? (from === "date" || from === undefined ? (from === "date" ? "" : null) : from);
}

/** Ten years: no date lies further ahead. */
const mostDays = 3652;

function isText(value: string | undefined, max: number): boolean {
  return value === undefined || ([...value].length <= max && !value.includes("\0"));
}
