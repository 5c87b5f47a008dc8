import { html, raw } from "hono/html";
import { dateIn } from "../../../base/lib/dates.ts";
import { addDays } from "../../../domain/subscriptions/cadence.ts";
import { addressFields, type Fields } from "./actions.ts";
import { type Faults, groupMarksOf, isFirst, marksOf } from "./faults.ts";
import { labelsOf } from "./labels.ts";
import type { Html } from "./layout.ts";
import type { SignedIn } from "./visit.ts";

/** The parts of every input: its name, the values of the form, and the faults in them. */
type Common = { name: string; fields: Fields; faults?: Faults | undefined; isRequired?: boolean };

type DateInput = Common & { label: string; days?: number };

/** A date from tomorrow on, at most so many days ahead. */
export function dateInput(
  { c, account }: SignedIn,
  { name, label, fields, faults, isRequired = false, days }: DateInput,
): Html {
  const today = dateIn(account.clock_at ?? c.get("now").toISOString(), account.timezone);
  const latest = days === undefined ? "" : html` max="${addDays(today, days)}"`;
  return html`<label>${label} <input type="date" name="${name}" value="${fields[name] ?? ""}"
    min="${addDays(today, 1)}"${latest}${isRequired ? raw(" required") : ""}${marksOf(faults, name)}></label>`;
}

export type Choice = [value: string, text: string];
type Radios = Common & { legend: string; choices: Choice[] };

export function radios({ name, legend, choices, fields, faults, isRequired = false }: Radios): Html {
  if (choices.length === 0) return html``;
  return html`<fieldset${groupMarksOf(faults, name)}><legend>${legend}</legend>${choices.map(
    ([value, text], index) =>
      html`<label class="choice"><input type="radio" name="${name}" value="${value}"${
        fields[name] === value ? raw(" checked") : ""
      }${isRequired ? raw(" required") : ""}${
        index === 0 && isFirst(faults, name) ? raw(" autofocus") : ""
      }> <span>${text}</span></label>`,
  )}</fieldset>`;
}

type Reasons = Common & { label: string; reasons: { data: { id: string; label: string } }[] };

export function reasonInputs({ label, reasons, ...common }: Reasons): Html {
  const choices = reasons.map(({ data }): Choice => [data.id, data.label]);
  return radios({ ...common, legend: label, choices });
}

type AddressInputs = { values: Fields; faults?: Faults | undefined; isRequired?: boolean };

/** The fields of an address; `values` fills them in. */
export function addressInputs(
  { texts }: SignedIn,
  { values, faults, isRequired = false }: AddressInputs,
): Html {
  const labels = labelsOf(texts);
  return html`<div class="grid">${addressFields.map((name) => {
    const isNeeded = isRequired && needed.has(name);
    return html`<label>${labels[name]} <input name="${name}" value="${values[name] ?? ""}"
      autocomplete="${autocomplete[name]}" maxlength="255"${isNeeded ? raw(" required") : ""}${marksOf(faults, name)}></label>`;
  })}</div>`;
}

const needed = new Set(["address1", "zip", "city", "country", "country_code"]);

/** HTML's names of the fields, by which browsers fill them in. */
const autocomplete: Record<string, string> = {
  first_name: "given-name",
  last_name: "family-name",
  company: "organization",
  address1: "address-line1",
  address2: "address-line2",
  zip: "postal-code",
  city: "address-level2",
  province: "address-level1",
  country: "country-name",
  country_code: "country",
};
