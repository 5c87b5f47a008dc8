import { day } from "../../../base/language/format.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import { todayOf } from "./dates/today.ts";
import type { Visit } from "./page-env.ts";

/** The rule that a field has to keep, in the customer's language, by the message with which the API has refused its value. */
export function ruleOf(visit: Visit, name: string, message: string): string {
  for (const [pattern, write] of rules) {
    const found = pattern.exec(message);
    if (found) return write(visit, { name, found: found[1] ?? "" });
  }
  return visit.texts.rules.impossible;
}

type Said = { name: string; found: string };
type Write = (visit: Visit, said: Said) => string;

const date = String.raw`(\d{4}-\d\d-\d\d)`;

/** The API's messages that a customer can meet. The first that fits counts. */
const rules: [pattern: RegExp, write: Write][] = [
  [/must have at most ([\d,]+) /, ({ texts }, { found }) => texts.rules.characters(toNumber(found))],
  [
    /at most (\d+) days from today/,
    (visit, { found }) => {
      const last = addDays(todayOf(visit), toNumber(found));
      return visit.texts.rules.withinDays(toNumber(found), day(visit.locale, last));
    },
  ],
  [
    new RegExp(`must leave the next delivery on ${date} or earlier`),
    ({ texts, locale }, { found }) => texts.rules.reach(day(locale, found)),
  ],
  [
    new RegExp(`must be ${date} or earlier`),
    ({ texts, locale }, { found }) => texts.rules.until(day(locale, found)),
  ],
  [
    new RegExp(`(?:must be from|charge before) ${date}`),
    ({ texts, locale }, { found }) => texts.rules.from(day(locale, found)),
  ],
  [/must not be in the past/, (visit) => visit.texts.rules.from(day(visit.locale, todayOf(visit)))],
  [/must be a date/, ({ texts }) => texts.rules.chooseDay],
  [/must be at least (\d+)/, ({ texts }, { found }) => texts.rules.atLeast(toNumber(found))],
  [/must be at most (\d+)/, ({ texts }, { found }) => texts.rules.atMost(toNumber(found))],
  [
    /^is required|, not null$|^must be one of|ISO 3166-1 code|^is not known/,
    ({ texts }, { name }) => (chosen.has(name) ? texts.rules.choose : texts.rules.required),
  ],
];

function toNumber(text: string): number {
  return Number(text.replaceAll(",", ""));
}

/** Fields that leave a choice; all others are filled in. */
const chosen = new Set([
  ...["count", "frequency", "skip_reason_id", "pause_reason_id", "cancellation_reason_id", "scope"],
  ...["delivery_slot_id", "delivery_address_id", "payment_method_id", "country_code", "store_variant_id"],
]);
