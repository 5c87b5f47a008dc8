import type { CalendarDate } from "../../../../base/lib/time/dates.ts";
import type { Fields } from "../../../pages/fields.ts";
import type { StaffVisit } from "../console-env.ts";
import type { PageAnswer } from "../visit.ts";

/** Lists that a form chooses from. One that the role cannot read is absent. */
export type Lists = {
  addresses?: PageAnswer<"listDeliveryAddresses">;
  reasons?: PageAnswer<"listSkipReasons">;
  days?: PageAnswer<"listDeliveryDays">;
  slots?: PageAnswer<"listDeliverySlots">;
  plans?: PageAnswer<"listSellingPlans">;
  methods?: PageAnswer<"getSubscriptionPaymentMethods">;
  refunds?: PageAnswer<"listOrderRefunds">;
};

/** Whatever a form is filled in from. */
export type Known<Shown = never> = {
  visit: StaffVisit;
  record: Shown;
  lists: Lists;
  today: CalendarDate;
  params: Fields;
};

type From<Shown, Value> = Value | ((known: Known<Shown>) => Value);
type Choice = string | readonly [value: string, text: string];

/**
 * A field of a form, and how its text becomes a value of the API. One that was left empty is null if that says something, else absent. A choice
 * that need not be made is left out where there is nothing to choose from.
 */
export type Field<Shown = never> = {
  /** The name in the API; with a dot it is within another. */
  name: string;
  label: string;
  help?: string;
  /** Text where it is absent. `either` is a choice of true and false in words, `sentences` one whose words are long; no page shows a `secret`. */
  kind?:
    | ("text" | "email" | "url" | "number" | "amount" | "date" | "time" | "long")
    | ("secret" | "flag" | "choice" | "either" | "sentences");
  /** Whether it holds several values: a text has them divided by commas, a choice is several boxes. */
  isList?: true;
  isRequired?: true;
  isNullable?: true;
  min?: From<Shown, string | number>;
  value?: From<Shown, string | number | null | undefined>;
  choices?: From<Shown, readonly Choice[]>;
};

/** A field as a form shows it: what it is filled in with, and what there is to choose from. */
export type FilledField = Pick<Field, "name" | "label" | "help" | "kind" | "isList" | "isRequired"> & {
  min?: string | number | undefined;
  text: string;
  choices: [value: string, text: string][];
};

type Value = string | number | boolean | null | undefined | (string | number)[];

/** The fields filled in from the record and the lists, but those with a text of their own. */
export function fillFields(fields: readonly Field[], known: Known, texts: Fields): FilledField[] {
  const filled = fields.map(({ value, choices, min, ...field }) => ({
    ...field,
    min: from(min, known),
    text: texts[field.name] ?? String(from(value, known) ?? ""),
    choices: (from(choices, known) ?? []).map((one): [string, string] =>
      typeof one === "string" ? [one, one] : [one[0], one[1]],
    ),
  }));
  return filled.filter(
    ({ kind, choices, isRequired }) => kind !== "choice" || isRequired || choices.length > 0,
  );
}

function from<Result>(value: From<never, Result> | undefined, known: Known): Result | undefined {
  return typeof value === "function" ? (value as (known: Known) => Result)(known) : value;
}

/** The fields of a form as the values that the API takes, by name. */
export function valuesOf(fields: readonly Field[], texts: Fields): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const value = readValue(field, texts[field.name]);
    if (value === undefined) continue;
    const [outer = "", inner] = field.name.split(".");
    if (inner === undefined) values[outer] = value;
    else values[outer] = { ...(values[outer] as object | undefined), [inner]: value };
  }
  return values;
}

function readValue({ kind, isList, isNullable }: Field, text: string | undefined): Value {
  if (kind === "flag") return text !== undefined;
  if (text === undefined) return isNullable ? (isList ? [] : null) : undefined;
  if (kind === "either") return text === "true";
  const parts = isList ? text.split(",").flatMap((part) => part.trim() || []) : [text];
  const values = kind === "number" || kind === "amount" ? parts.map(numberOf) : parts;
  return isList ? values : values[0];
}

/** A text that is no number goes on as it is, so that the API says what is wrong with it. */
function numberOf(text: string): number | string {
  const value = Number(text.replace(",", "."));
  return Number.isNaN(value) ? text : value;
}

/** A record's own values as the texts of a form's fields. */
export function textsOf(fields: readonly Field[], record: Record<string, unknown>): Fields {
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

/** The texts that a form has sent, by name; a field that was sent several times has them divided by commas. */
export function textsIn(sent: URLSearchParams): Fields {
  const names = [...new Set(sent.keys())];
  const texts = names.map((name) => {
    const all = sent.getAll(name).map((text) => text.trim());
    return [name, all.filter(Boolean).join(",")] as const;
  });
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}
