import { html } from "hono/html";
import type { Html } from "../../../pages/document.ts";
import type { FactRow } from "../../../pages/facts.ts";
import type { Fields } from "../../../pages/fields.ts";
import type { StaffVisit } from "../console-env.ts";
import type { AskAsStaff } from "../visit.ts";
import type { Field } from "./fields.ts";

type Values = Record<string, unknown>;

/** A change that staff make by a form, which is one operation of the API. The role that may call the operation has the form. */
export type StaffAction = {
  /** The operation. */
  id: string;
  title: string;
  button: string;
  /** A sentence about what it does, and what follows. */
  says?: string;
  fields?: Field[];
  /** The values that the page's address names besides the shop's: those of the operation's path, or of its body. */
  params?: readonly string[];
  /** The operation that answers the record before the change, and how the record is found in its answer. */
  current?: { id: string; pick?: (answer: unknown, params: Fields) => Values | undefined };
  /** The body, where it is not the fields by name. */
  body?: (values: Values, params: Fields) => Values;
  /** Facts of what a dry run answers. */
  facts?: (visit: StaffVisit, answer: never) => FactRow[];
  /** The page after it, where the answer is shown this once. Else the page that it came from follows. */
  shows?: (visit: StaffVisit, answer: never) => Html;
  /** The page that it belongs to. */
  back: string;
  isDanger?: true;
  /** Whether it changes nothing, so that there is nothing to preview. */
  isReading?: true;
};

type Linked = {
  name: string;
  action: Pick<StaffAction, "id">;
  text: string;
  values?: Record<string, string>;
};

/** The way to the form of an action; nothing where the member's role has not its operation. */
export function actionLink(
  visit: StaffVisit,
  ask: Pick<AskAsStaff, "reaches">,
  { name, action, text, values = {} }: Linked,
): Html {
  if (!ask.reaches(visit, action.id)) return html``;
  const query = new URLSearchParams(values).toString();
  return html`<a href="${visit.base}/do/${name}${query === "" ? "" : `?${query}`}">${text}</a> `;
}
