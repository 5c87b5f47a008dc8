import { html } from "hono/html";
import type { Html } from "../../../pages/document.ts";
import type { StaffVisit } from "../console-env.ts";
import type { AskAsStaff } from "../visit.ts";
import type { FormSubject, StaffForm } from "./form.ts";

/** The changes of a record that its page offers, in their order. */
export function offeredOf<Shown>(
  visit: StaffVisit,
  ask: AskAsStaff,
  { subject, record }: { subject: FormSubject<Shown>; record: Shown },
): [name: string, form: StaffForm<Shown>][] {
  return Object.entries(subject.forms).filter(
    ([, form]) =>
      form.params === undefined &&
      form.isPossible?.(record, visit) !== false &&
      ask.reaches(visit, form.operation),
  );
}

type Offered = [name: string, form: Pick<StaffForm, "title">][];

/** The ways to the changes of a record: three as buttons, the others under More. */
export function changeButtons(path: string, offered: Offered): Html {
  if (offered.length === 0) return html``;
  const link = ([name, { title }]: Offered[number], kind: string) =>
    html`<a class="${kind}" href="${path}/${name}">${title}</a>`;
  const [shown, more] = [offered.slice(0, mostButtons), offered.slice(mostButtons)];
  return html`<div class="buttons">${shown.map((each) => link(each, "button quiet"))}${
    more.length > 0
      ? html`<details class="more"><summary>More</summary><ul>${more.map((each) => html`<li>${link(each, "")}</li>`)}</ul></details>`
      : ""
  }</div>`;
}

const mostButtons = 3;
