import type { Html } from "../../../pages/document.ts";
import type { FactRow } from "../../../pages/facts.ts";
import type { Fields } from "../../../pages/fields.ts";
import type { ChangeRow } from "../../../pages/preview.ts";
import type { StaffVisit } from "../console-env.ts";
import type { PageCall, PageOperation } from "../visit.ts";
import { type Field, type Lists, valuesOf } from "./fields.ts";

type Values = Record<string, unknown>;

/** Something that staff do by a form, which is one operation of the API. The role that may call the operation has the form. */
export type StaffForm<Shown = never> = {
  operation: string;
  title: string;
  /** The words of the button that does it; the title where it is absent. */
  button?: string;
  /** The words once it is done, on the page of the record. */
  done?: string;
  /** A sentence about what it does, and what follows. */
  note?: string | ((visit: StaffVisit, record: Shown) => string);
  /** Without fields the page shows its effects at once. */
  fields?: readonly Field<Shown>[];
  /** The values that the page's address names: those of the operation's path, or of its body. */
  params?: readonly string[];
  /** The record that it edits: of its values only those that differ are sent. */
  current?: { id: string; pick?: (answer: unknown, params: Fields) => Values | undefined };
  lists?: (id: string) => { [Name in keyof Lists]: PageCall };
  /** Whether the record's state, and the member's own bounds, allow it. */
  isPossible?: (record: Shown, visit: StaffVisit) => boolean;
  /** The values of the operation's path that are called otherwise here. */
  pathOf?: (params: Fields) => Record<string, string>;
  /** The body, where it is not the fields by name. */
  bodyOf?: (values: Values, params: Fields) => object;
  /** The body, where it is a whole record with this change in it: of the answer that `current` reads. */
  bodyWith?: (answer: unknown, values: Values, params: Fields) => object;
  /** Facts before and after it, of what a dry run answers. Else the preview shows the fields themselves. */
  rows?: (visit: StaffVisit, before: Shown, answer: unknown) => ChangeRow[];
  /** More facts of what a dry run answers. */
  facts?: (visit: StaffVisit, answer: never) => FactRow[];
  /** The page after it, where the answer is shown this once. Else the page that it came from follows. */
  shows?: (visit: StaffVisit, answer: never) => Html;
  /** The page that it belongs to, where it is about no record with a page. */
  back?: string;
  isDangerous?: true;
  /** Whether its form does it at once: it changes nothing, or sends secrets, which no page repeats. */
  isDirect?: true;
  /** Whether its pages show it as a call of the API. */
  isShownAsCall?: true;
};

/** The records that have a page: where it is, and each form about one by the name in its address. */
export type FormSubject<Shown = never> = {
  folder: string;
  noun: string;
  read: (id: string) => PageCall;
  titleOf: (visit: StaffVisit, record: Shown) => string;
  /** Whose history says who has changed it. */
  history?: (id: string) => Record<string, string>;
  forms: Record<string, StaffForm<Shown>>;
};

/** A form as a request has it. */
export type Chosen = {
  name: string;
  form: StaffForm;
  subject?: FormSubject;
  params: Fields;
  /** The texts of its fields, and in the form of an edited record those that it began with. */
  texts: Fields;
  /** The addresses of the form, and of the page that it belongs to. */
  here: string;
  back: string;
};

/** The fields that are sent: all, or of an edited record those that are not as they were when the form was shown. */
export function fieldsSent({ form: { fields = [], current }, texts }: Chosen): readonly Field[] {
  const isCompared = current !== undefined && Object.keys(texts).some((name) => name.startsWith(wasPrefix));
  return isCompared ? fields.filter(({ name }) => texts[name] !== texts[wasPrefix + name]) : fields;
}

/** The hidden field with which a form began has this before its name. */
export const wasPrefix = "was.";

/** The call that a form is. `answer` is what `current` has read, for a body that is made with it. */
export function callOf(chosen: Chosen, answer?: unknown) {
  const { form, params, texts } = chosen;
  const values = valuesOf(fieldsSent(chosen), texts);
  return {
    id: form.operation as PageOperation,
    path: { ...texts, ...params, ...form.pathOf?.(params) },
    body: form.bodyWith?.(answer, values, params) ?? form.bodyOf?.(values, params) ?? values,
  } satisfies PageCall;
}
