import { html } from "hono/html";
import type { Html } from "../../../pages/document.ts";
import type { StaffVisit } from "../console-env.ts";
import type { AskAsStaff } from "../visit.ts";
import type { StaffForm } from "./form.ts";

type Linked = {
  name: string;
  form: Pick<StaffForm, "operation">;
  text: string;
  values?: Record<string, string>;
};

/** The way to a form; nothing where the member's role has not its operation. */
export function formLink(
  visit: StaffVisit,
  ask: Pick<AskAsStaff, "reaches">,
  { name, form, text, values = {} }: Linked,
): Html {
  if (!ask.reaches(visit, form.operation)) return html``;
  const query = new URLSearchParams(values).toString();
  return html`<a href="${visit.base}/do/${name}${query === "" ? "" : `?${query}`}">${text}</a> `;
}
