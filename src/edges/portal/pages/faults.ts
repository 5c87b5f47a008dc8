import { html, raw } from "hono/html";
import type { DomainError } from "../../../base/errors.ts";
import type { Html } from "../../pages/document.ts";
import { labelsOf } from "./labels.ts";
import { type ApiRefusal, sentenceOf } from "./layout.ts";
import type { Visit } from "./page-env.ts";
import type { Texts } from "./texts/index.ts";

/**
 * The faults in the values that a form has sent: the API's error, and the names of the form's fields that it is about. `sentence` is what the
 * error means of this form, where it means more than elsewhere.
 */
export type Faults = ApiRefusal & { fields: readonly string[]; sentence?: string };

/** Turns a refusal of the API into the faults of a form; `fields` are the form's, in the order of the page. */
export function faultsOf(
  { code, retryAfter, details = [] }: ApiRefusal & Pick<DomainError, "details">,
  fields: readonly string[],
): Faults {
  const paths = details.map(({ path }) => path.split(".")[0] ?? "");
  const named = new Set(paths.map((path) => fieldsOfParts[path] ?? path));
  return { code, retryAfter, fields: fields.filter((name) => named.has(name)) };
}

/** The faults of a form, where a screen reader and the eye find them first, with the way to each field. */
export function faultsAlert({ texts }: Pick<Visit, "texts">, faults: Faults | undefined): Html {
  return faults
    ? html`<p class="alert" role="alert" id="${alertId}">${messageOf(texts, faults)}</p>`
    : html``;
}

/** The attributes of an input whose value is wrong. The first of them has the focus. */
export function marksOf(faults: Faults | undefined, name: string): Html {
  if (!faults?.fields.includes(name)) return html``;
  return html` id="${idOf(name)}" aria-invalid="true" aria-describedby="${alertId}"${
    isFirst(faults, name) ? raw(" autofocus") : ""
  }`;
}

/** The attributes of a group of choices of which none, or a wrong one, was made. Its first choice has the focus. */
export function groupMarksOf(faults: Faults | undefined, name: string): Html {
  if (!faults?.fields.includes(name)) return html``;
  return html` role="radiogroup" id="${idOf(name)}" aria-invalid="true" aria-describedby="${alertId}"`;
}

export function isFirst(faults: Faults | undefined, name: string): boolean {
  return faults?.fields[0] === name;
}

/** A sentence about one field leads there; a general one names the fields. */
function messageOf(texts: Texts, { fields, sentence: own, ...refusal }: Faults): Html {
  const [first] = fields;
  const { code } = refusal;
  const isFull = code === "INVALID_STATE" && first !== undefined && placing.has(first);
  const sentence = own ?? (isFull ? texts.dayFull : sentenceOf({ texts }, refusal));
  if (first === undefined) return html`${sentence}`;
  if (code !== "VALIDATION_FAILED") return html`<a href="#${idOf(first)}">${sentence}</a>`;
  const labels = labelsOf(texts);
  // Without the remark that the field may be left out.
  const label = (name: string) => (labels[name] ?? name).replace(/ \(.*\)$/, "");
  return html`${texts.pleaseCheck} ${fields.map(
    (name, index) => html`${index > 0 ? ", " : ""}<a href="#${idOf(name)}">${label(name)}</a>`,
  )}`;
}

/** The fields that choose a day of a slot. The API refuses one for its state where that day is full. */
const placing = new Set(["next_delivery_date", "delivery_slot_id"]);

const alertId = "fault";

function idOf(name: string): string {
  return `fault-${name}`;
}

/** Fields of the API that one field of a form stands for. */
const fieldsOfParts: Record<string, string> = {
  interval: "frequency",
  interval_count: "frequency",
  country: "country_code",
};
