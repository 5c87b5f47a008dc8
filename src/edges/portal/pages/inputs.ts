import type { z } from "@hono/zod-openapi";
import { html, raw } from "hono/html";
import type { PortalLocale } from "../../../base/accounts/portal-settings.ts";
import { countryCodes, countryNameOf } from "../../../base/lib/places/countries.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import { labelIn } from "../../../domain/reasons/labels.ts";
import type { ReasonList } from "../../../domain/reasons/schemas.ts";
import { maxAddressText, maxPostalCode } from "../../../kit/http/document/params.ts";
import type { Html } from "../../pages/document.ts";
import type { Fields } from "../../pages/fields.ts";
import { addressFields } from "./actions.ts";
import { type Faults, groupMarksOf, isFirst, marksOf } from "./faults.ts";
import { labelsOf } from "./labels.ts";
import { inPageOrder } from "./profile/address-order.ts";
import type { SignedIn } from "./visit.ts";

/** The parts of every input: its name, the values of the form, and the faults in them. */
type Common = { name: string; fields: Fields; faults?: Faults | undefined; isRequired?: boolean };

type DateInput = Common & { label: string; earliest: CalendarDate; latest: CalendarDate };

/** A date from the earliest to the latest that the customer may choose. */
export function dateInput({
  name,
  label,
  fields,
  faults,
  isRequired = false,
  earliest,
  latest,
}: DateInput): Html {
  return html`<label>${label} <input type="date" name="${name}" value="${fields[name] ?? ""}"
    min="${earliest}" max="${latest}"${isRequired ? raw(" required") : ""}${marksOf(faults, name)}></label>`;
}

export type Choice = [value: string, text: string | Html];
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

type Reasons = Common & { label: string; reasons: z.output<typeof ReasonList> };

/** A choice of reasons, in the customer's language as far as the shop has them in it. */
export function reasonInputs({ locale }: SignedIn, { label, reasons, ...common }: Reasons): Html {
  const choices = reasons.map(({ data }): Choice => [data.id, labelIn(locale, data)]);
  return radios({ ...common, legend: label, choices });
}

type AddressInputs = { values: Fields; faults?: Faults | undefined; isRequired?: boolean };

/** The fields of an address, in the order of its country; `values` fills them in. */
export function addressInputs(
  { texts, locale }: SignedIn,
  { values, faults, isRequired = false }: AddressInputs,
): Html {
  const labels = labelsOf(texts);
  const code = values.country_code ?? "";
  return html`<div class="grid address">${inPageOrder(textFields, values).map((name) => {
    const isNeeded = isRequired && needed.has(name);
    return html`<label>${labels[name]} <input name="${name}" value="${values[name] ?? ""}"
      autocomplete="${autocomplete[name]}" maxlength="${name === "zip" ? maxPostalCode : maxAddressText}"${isNeeded ? raw(" required") : ""}${marksOf(faults, name)}></label>`;
  })}
    <label>${texts.country} <select name="country_code" autocomplete="country"${isRequired ? raw(" required") : ""}${marksOf(faults, "country_code")}>
      ${countryOptions(locale, code)}</select></label></div>`;
}

/** A code that no country has is kept as it was sent, so that what is wrong can be seen. */
function countryOptions(locale: PortalLocale, code: string): Html {
  const known = countryChoices(locale);
  const choices = known.some(([each]) => each === code) ? known : [[code, code] as Choice, ...known];
  return html`${choices.map(
    ([value, name]) =>
      html`<option value="${value}"${value === code ? raw(" selected") : ""}>${name}</option>`,
  )}`;
}

const textFields = addressFields.filter((name) => name !== "country" && name !== "country_code");
const needed = new Set(["address1", "zip", "city"]);

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
};

type Country = [code: string, name: string];

/** The countries by their names in a language, in its order. */
function countryChoices(locale: PortalLocale): readonly Country[] {
  const known = countriesIn.get(locale);
  if (known) return known;
  const made = countryCodes
    .map((code): Country => [code, countryNameOf(code, locale)])
    .sort(([, a], [, b]) => a.localeCompare(b, locale));
  countriesIn.set(locale, made);
  return made;
}

/** Made once for each language, because it takes some milliseconds. */
const countriesIn = new Map<PortalLocale, readonly Country[]>();
