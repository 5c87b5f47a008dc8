import { html, raw } from "hono/html";
import type { Html } from "../../../pages/document.ts";
import type { Fields } from "../../../pages/fields.ts";

/** A field of a form, and how its text becomes a value of the API. One that was left empty is null if that says something, else absent. */
export type Field = {
  name: string;
  label: string;
  help?: string;
  isRequired?: true;
  isNullable?: true;
} & (
  | { kind: "text" | "email" | "url" | "number" | "date" | "time"; isList?: true }
  | { kind: "long" | "flag" }
  | { kind: "choice"; choices: readonly string[]; isMany?: true }
);

type Value = string | number | boolean | null | undefined | (string | number)[];

/** The fields of a form as the values that the API takes, by name. A name with a dot is within another. */
export function bodyOf(fields: Field[], sent: Fields): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const value = readValue(field, sent[field.name]);
    if (value === undefined) continue;
    const [outer = "", inner] = field.name.split(".");
    if (inner === undefined) body[outer] = value;
    else body[outer] = { ...(body[outer] as object | undefined), [inner]: value };
  }
  return body;
}

function readValue(field: Field, text: string | undefined): Value {
  if (field.kind === "flag") return text !== undefined;
  const isList = ("isList" in field && field.isList) || ("isMany" in field && field.isMany);
  if (text === undefined) return field.isNullable ? (isList ? [] : null) : undefined;
  const parts = isList ? text.split(",").flatMap((part) => part.trim() || []) : [text];
  const values = field.kind === "number" ? parts.map(numberOf) : parts;
  return isList ? values : values[0];
}

/** A text that is no number goes on as it is, so that the API says what is wrong with it. */
function numberOf(text: string): number | string {
  const value = Number(text.replace(",", "."));
  return Number.isNaN(value) ? text : value;
}

/** A record's own values as the texts of a form's fields. */
export function textsOf(fields: Field[], record: Record<string, unknown>): Fields {
  const texts = fields.map(({ name, kind }) => {
    const [outer = "", inner] = name.split(".");
    const found = record[outer];
    const value =
      inner === undefined ? found : (found as Record<string, unknown> | null | undefined)?.[inner];
    if (kind === "flag") return [name, value === true ? "on" : ""] as const;
    return [name, value === null || value === undefined ? "" : String(value)] as const;
  });
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

/** A field with its label, as a form has it. */
export function fieldInput(field: Field, text: string | undefined): Html {
  const { name, label, help, isRequired } = field;
  const required = isRequired ? raw(" required") : "";
  const hint = help === undefined ? "" : html` <span class="quiet">${help}</span>`;
  if (field.kind === "flag")
    return html`<label><input type="checkbox" name="${name}" value="on"${text ? raw(" checked") : ""}> ${label}${hint}</label>`;
  if (field.kind === "long")
    return html`<label>${label}${hint} <textarea name="${name}" rows="4"${required}>${text ?? ""}</textarea></label>`;
  if (field.kind === "choice" && field.isMany) {
    const chosen = (text ?? "").split(",");
    return html`<fieldset><legend>${label}${hint}</legend>${field.choices.map((one) => option(name, one, chosen.includes(one)))}</fieldset>`;
  }
  if (field.kind === "choice")
    return html`<label>${label}${hint} <select name="${name}"${required}>${isRequired ? "" : html`<option value="">–</option>`}${field.choices.map(
      (one) => html`<option value="${one}"${one === text ? raw(" selected") : ""}>${one}</option>`,
    )}</select></label>`;
  const isPlain = field.kind === "number" || ("isList" in field && field.isList);
  return html`<label>${label}${hint} <input type="${isPlain ? "text" : field.kind}" name="${name}" value="${text ?? ""}"${required}></label>`;
}

function option(name: string, one: string, isChosen: boolean): Html {
  return html`<label><input type="checkbox" name="${name}" value="${one}"${isChosen ? raw(" checked") : ""}> ${one}</label>`;
}
