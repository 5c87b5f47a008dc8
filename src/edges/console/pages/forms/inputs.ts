import { html, raw } from "hono/html";
import type { DomainError } from "../../../../base/errors.ts";
import type { Html } from "../../../pages/document.ts";
import type { Fields } from "../../../pages/fields.ts";
import { type Field, type FilledField, fillFields, type Known, type Lists } from "./fields.ts";

/** The inputs of a form with their labels, each marked where the API has refused its value. */
export function inputs(fields: FilledField[], refusal?: DomainError): Html {
  const refused = new Set(refusal?.details?.map(({ path }) => path.split(".")[0]));
  return html`${fields.map((field) =>
    labelled(field, refused.has(field.name) ? raw(' aria-invalid="true" aria-describedby="fault"') : ""),
  )}`;
}

/** The inputs of fields that need no record to be filled in, but lists to choose from. */
export function plainInputs(
  fields: readonly Field[],
  texts: Fields,
  { refusal, lists = {} }: { refusal?: DomainError | undefined; lists?: Lists } = {},
): Html {
  return inputs(fillFields(fields, { lists } as Known, texts), refusal);
}

function labelled(field: FilledField, marks: unknown): Html {
  const { name, label, kind, isList, isRequired, text, choices } = field;
  if (kind === "flag")
    return html`<label><input type="checkbox" name="${name}" value="on"${text ? raw(" checked") : ""}${marks}> ${label}${quiet(field.help)}</label>`;
  const words = html`${label}${quiet(field.help ?? (isRequired ? undefined : "(optional)"))}`;
  if ((kind === "choice" && isList) || kind === "sentences") {
    const chosen = text.split(",");
    const type = html`type="${isList ? "checkbox" : "radio"}" name="${name}"${isRequired && !isList ? raw(" required") : ""}`;
    return html`<fieldset><legend>${words}</legend>${choices.map(
      ([value, word]) =>
        html`<label><input ${type} value="${value}"${chosen.includes(value) ? raw(" checked") : ""}> ${word}</label>`,
    )}</fieldset>`;
  }
  return html`<label>${words} ${input(field, html`name="${name}"${isRequired ? raw(" required") : ""}${marks}`)}</label>`;
}

function quiet(words: string | undefined): Html {
  return !words ? html`` : html` <span class="quiet">${words}</span>`;
}

function input({ kind = "text", isList, isRequired, min, text, choices }: FilledField, common: Html): Html {
  switch (kind) {
    case "choice":
    case "either":
      return html`<select ${common}>${isRequired ? "" : html`<option value="">–</option>`}${choices.map(
        ([value, word]) =>
          html`<option value="${value}"${value === text ? raw(" selected") : ""}>${word}</option>`,
      )}</select>`;
    case "long":
      return html`<textarea ${common} rows="4">${text}</textarea>`;
    case "secret":
      return html`<input ${common} type="password" autocomplete="off">`;
    case "number":
    case "amount":
      return isList
        ? html`<input ${common} value="${text}">`
        : html`<input ${common} type="number" inputmode="decimal" min="${min ?? 0}" step="${kind === "amount" ? "any" : "1"}" value="${text}">`;
    default:
      return html`<input ${common} type="${isList ? "text" : kind}"${min === undefined ? "" : html` min="${min}"`} value="${text}">`;
  }
}
