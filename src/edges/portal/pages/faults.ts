import { html, raw } from "hono/html";
import type { DomainError, ErrorDetail } from "../../../base/errors.ts";
import type { Html } from "../../pages/document.ts";
import { ruleOf } from "./field-rules.ts";
import { labelsOf } from "./labels.ts";
import { type ApiRefusal, sentenceOf } from "./layout.ts";
import type { Visit } from "./page-env.ts";
import type { Texts } from "./texts/index.ts";

/**
 * The faults in the values that a form has sent: the API's error, the names of the form's fields that it is about, and the rule that each of them
 * has to keep. `sentence` is the error's meaning for this form, where it means more than elsewhere.
 */
export type Faults = ApiRefusal & {
  fields: readonly string[];
  rules: Record<string, string>;
  sentence?: string;
};

/** Turns a refusal of the API into the faults of a form; `fields` are the form's, in the order of the page. */
export function faultsOf(
  visit: Visit,
  { code, retryAfter, details = [] }: ApiRefusal & Pick<DomainError, "details">,
  fields: readonly string[],
): Faults {
  const messages = new Map<string, string>();
  for (const { path, message } of details.flatMap(eachField)) {
    const [part = ""] = path.split(".");
    const name = fieldsOfParts[part] ?? part;
    if (!messages.has(name)) messages.set(name, message);
  }
  const named = fields.filter((name) => messages.has(name));
  const rules = named.map((name) => [name, ruleOf(visit, name, messages.get(name) ?? "")]);
  return { code, retryAfter, fields: named, rules: Object.fromEntries(rules) };
}

/** The faults of values that the portal itself has found wrong, each with its rule. */
export function invalidValues(rules: Record<string, string>): Faults {
  return { code: "VALIDATION_FAILED", fields: Object.keys(rules), rules };
}

/** A body that lacks all of its fields is refused as a whole, in one message: `needs a, or b, c`. */
function eachField({ path, message }: ErrorDetail): ErrorDetail[] {
  const lacking = path === "" ? /^needs \w+, or (.+)$/.exec(message)?.[1] : undefined;
  if (lacking === undefined) return [{ path, message }];
  return lacking.split(", ").map((name) => ({ path: name, message: "is required" }));
}

/** The title of a page, which says first whether something in its form is wrong. */
export function titleWith(
  { texts }: Pick<Visit, "texts">,
  title: string,
  faults: Faults | undefined,
): string {
  return faults ? texts.rules.errorIn(title) : title;
}

/** The faults of a form, where a screen reader and the eye find them first, with the way to each field. */
export function faultsAlert({ texts }: Pick<Visit, "texts">, faults: Faults | undefined): Html {
  return faults ? html`<p class="alert" role="alert">${messageOf(texts, faults)}</p>` : html``;
}

/** The attributes of an input whose value is wrong. The first of them has the focus. */
export function marksOf(faults: Faults | undefined, name: string): Html {
  if (!faults?.fields.includes(name)) return html``;
  return html` id="${idOf(name)}" aria-invalid="true" aria-describedby="${ruleId(faults, name)}"${
    isFirst(faults, name) ? raw(" autofocus") : ""
  }`;
}

/** The attributes of a group of choices of which none, or a wrong one, was made. Its first choice has the focus. */
export function groupMarksOf(faults: Faults | undefined, name: string): Html {
  if (!faults?.fields.includes(name)) return html``;
  return html` role="radiogroup" id="${idOf(name)}" aria-invalid="true" aria-describedby="${ruleId(faults, name)}"`;
}

export function isFirst(faults: Faults | undefined, name: string): boolean {
  return faults?.fields[0] === name;
}

/** A sentence about a field leads there: the rule of each field, or what the error means. */
function messageOf(texts: Texts, { fields, rules, sentence: own, ...refusal }: Faults): Html {
  const [first] = fields;
  const { code } = refusal;
  const isFull = code === "INVALID_STATE" && first !== undefined && placing.has(first);
  const sentence = own ?? (isFull ? texts.dayFull : sentenceOf({ texts }, refusal));
  const link = (name: string, text: string) => html`<a id="rule-${name}" href="#${idOf(name)}">${text}</a>`;
  if (first === undefined) return html`${sentence}`;
  if (code !== "VALIDATION_FAILED") return link(first, sentence);
  const labels = labelsOf(texts);
  // Without the remark that the field may be left out, or by what it is bounded.
  const label = (name: string) => (labels[name] ?? name).replace(/ \(.*\)$/, "");
  return html`${fields.map(
    (name, index) =>
      html`${index > 0 ? html`<br>` : ""}${link(name, texts.rules.of(label(name), rules[name] ?? ""))}`,
  )}`;
}

/** The fields that choose a day of a slot. The API refuses one for its state where that day is full. */
const placing = new Set(["next_delivery_date", "delivery_slot_id"]);

function idOf(name: string): string {
  return `fault-${name}`;
}

/** The sentence about a field. An error that is no field's own has one for all. */
function ruleId({ code, fields }: Faults, name: string): string {
  return `rule-${code === "VALIDATION_FAILED" ? name : fields[0]}`;
}

/** Fields of the API that one field of a form stands for. */
const fieldsOfParts: Record<string, string> = {
  interval: "frequency",
  interval_count: "frequency",
  country: "country_code",
};
