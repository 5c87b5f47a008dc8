import { html, raw } from "hono/html";
import type { DomainError } from "../../../../base/errors.ts";
import type { Html } from "../../../pages/document.ts";
import type { FormField } from "./change.ts";

/** The inputs of a form, each marked where the API has refused its value. */
export function inputs(fields: FormField[], refusal: DomainError | undefined): Html {
  const refused = new Set(refusal?.details?.map(({ path }) => path.split(".")[0]));
  return html`${fields.map((field) => {
    const marks = refused.has(field.name) ? raw(' aria-invalid="true" aria-describedby="fault"') : "";
    return html`<label>${field.label}${field.isRequired ? "" : html` <span class="quiet">(optional)</span>`} ${input(field, marks)}</label>`;
  })}`;
}

function input(
  { name, kind = "text", value, choices = [], isRequired, min }: FormField,
  marks: unknown,
): Html {
  const filled = String(value ?? "");
  const common = html`name="${name}"${isRequired ? raw(" required") : ""}${marks}`;
  switch (kind) {
    case "choice":
      return html`<select ${common}>${isRequired ? "" : html`<option value="">–</option>`}${choices.map(
        ([key, text]) =>
          html`<option value="${key}"${key === filled ? raw(" selected") : ""}>${text}</option>`,
      )}</select>`;
    case "long":
      return html`<textarea ${common} rows="4" maxlength="1000">${filled}</textarea>`;
    case "number":
    case "amount":
      return html`<input ${common} type="number" inputmode="decimal" min="${min ?? 0}" step="${kind === "amount" ? "any" : "1"}" value="${filled}">`;
    case "date":
      return html`<input ${common} type="date"${min === undefined ? "" : html` min="${min}"`} value="${filled}">`;
    case "text":
      return html`<input ${common} maxlength="255" value="${filled}">`;
  }
}
