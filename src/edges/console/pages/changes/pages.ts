import { html } from "hono/html";
import type { DomainError } from "../../../../base/errors.ts";
import { previewOf } from "../../../pages/ask.ts";
import { type Html, renderAlert } from "../../../pages/document.ts";
import { changeTable, hiddenInputs } from "../../../pages/preview.ts";
import { type StaffVisit, todayOf } from "../console-env.ts";
import { layout } from "../layout.ts";
import type { AskAsStaff, PageCall } from "../visit.ts";
import { type Chosen, callOf, type Lists } from "./change.ts";
import { inputs } from "./fields.ts";
import { newestCall, sayWhoChanged, type TimelineEntry } from "./newest-entry.ts";

type Answered = { record: { data: never }; newest?: { data: TimelineEntry[] }; dry?: unknown } & Lists;

/** The record of a change, its newest entry, the lists of the form, and where it is asked for, the dry run: in one trip. */
export async function readForPage(
  visit: StaffVisit,
  ask: AskAsStaff,
  { subject, change, id }: Chosen,
  more: Record<string, PageCall> = {},
): Promise<Answered> {
  const needed = { record: subject.read(id), ...newestCall(visit, subject, id), ...more };
  return (await ask(visit, needed, change.lists?.(id) ?? {})) as unknown as Answered;
}

type Page = Chosen & { read: Answered; seen?: string | undefined };

/** The form of a change, or what was refused of it: nothing was changed then. */
export function formPage(
  visit: StaffVisit,
  ask: AskAsStaff,
  { refusal, seen = "", read, ...chosen }: Page & { refusal?: DomainError },
): Html {
  const { subject, change, fields } = chosen;
  const { record, newest, dry: _, ...lists } = read;
  const known = { record: record.data, lists, today: todayOf(visit), fields };
  const path = pathOf(visit, chosen);
  const form = change.form?.(known).map((field) => ({ ...field, value: fields[field.name] ?? field.value }));
  const linked = Object.fromEntries((change.linked ?? []).map((name) => [name, fields[name] ?? ""]));
  const who = seen && sayWhoChanged(visit, subject, { newest: newest?.data[0], seen });
  const buttons = html`${form ? html`<button>Preview</button>` : ""} <a class="button quiet" href="${path.record}">${form ? "Keep as it is" : "Back"}</a>`;
  const content = html`${head(visit, chosen, record.data)}
    ${refusal ? refusalAlert(refusal, who || undefined) : ""}${change.note ? html`<p>${change.note}</p>` : ""}
    <form class="card medium" method="post" action="${path.change}">${form ? inputs(form, refusal) : ""}${hiddenInputs(linked)}
      <p class="buttons">${buttons}</p></form>
    ${form ? apiCall(visit, ask, { ...chosen, fields: { ...filled(form), ...linked, ...fields } }) : ""}`;
  return layout(visit, { title: change.title, content });
}

/** The effects of a change, as its dry run says, and the form that confirms it as shown. */
export function previewPage(visit: StaffVisit, ask: AskAsStaff, { seen, read, ...chosen }: Page): Html {
  const { subject, change, fields } = chosen;
  const { record, dry, newest } = read;
  const path = pathOf(visit, chosen);
  const [entry] = newest?.data ?? [];
  const who =
    seen === undefined
      ? undefined
      : (sayWhoChanged(visit, subject, { newest: entry, seen }) ?? "This would do something else by now.");
  const idle = idleIn(dry);
  const shown = changeTable({ texts }, change.rows(visit, record.data, dry));
  const confirmation = html`<form method="post" action="${path.change}">${hiddenInputs({
    ...fields,
    confirm: "1",
    key: `page-${visit.c.get("requestId")}`,
    preview: previewOf(dry) ?? "",
    seen: entry?.id ?? "",
  })}
    <p class="buttons"><button${change.isDangerous ? html` class="danger"` : ""}>${change.title}</button>
    <a class="button quiet" href="${path.record}">Keep as it is</a></p></form>`;
  const content = html`${head(visit, chosen, record.data)}
    ${renderAlert(who && `${who} Below is what it would do now. Nothing has been changed.`)}${change.note ? html`<p>${change.note}</p>` : ""}
    <section class="card medium">${idle === undefined ? html`<h2>Before and after</h2>${shown}${confirmation}` : html`<p>${idle}</p><p class="buttons"><a class="button" href="${path.record}">Back</a></p>`}</section>
    ${apiCall(visit, ask, chosen, previewOf(dry))}`;
  return layout(visit, { title: change.title, content });
}

const texts = { before: "Before", after: "After", unchanged: "unchanged" };

/** The reason why an operation would do nothing; undefined where it would do something. */
function idleIn(dry: unknown): string | undefined {
  const { success, message, dry_run } = (dry ?? {}) as {
    success?: true;
    message?: string;
    dry_run?: object | null;
  };
  return success && !dry_run ? message : undefined;
}

function head(visit: StaffVisit, chosen: Chosen, record: never): Html {
  return html`<p><a href="${pathOf(visit, chosen).record}">← ${chosen.subject.titleOf(visit, record)}</a></p>`;
}

function pathOf({ base }: StaffVisit, { subject, id, name }: Chosen) {
  const record = `${base}/${subject.folder}/${encodeURIComponent(id)}`;
  return { record, change: `${record}/${name}` };
}

function refusalAlert({ message, details = [] }: DomainError, who: string | undefined): Html {
  const faults = details.map(({ path, message: fault }) => html`<li>${path}: ${fault}</li>`);
  return html`<div class="alert" role="alert" id="fault"><p>${who ? `${who} ` : ""}${message}. Nothing has been changed.</p>${faults.length > 0 ? html`<ul>${faults}</ul>` : ""}</div>`;
}

/** A form's values as they stand in it. */
function filled(form: { name: string; value?: string | number | null | undefined }[]) {
  const named = form.map(({ name, value }) => [name, String(value ?? "")] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== ""));
}

/** The change as a call of the API, for whoever wants to do it by a program. */
function apiCall({ c }: StaffVisit, ask: AskAsStaff, chosen: Chosen, preview?: string): Html {
  if (!chosen.change.isShownAsCall) return html``;
  const { id, path, body } = callOf(chosen);
  const { method = "", path: template = "" } = ask.operationOf(id) ?? {};
  const address = template.replaceAll(/\{(.+?)\}/g, (_, name: string) => path[name as "id"] ?? "");
  const lines = [
    `curl -X ${method.toUpperCase()} "${c.get("env").PUBLIC_URL}${address}"`,
    '-H "X-API-Key: $API_KEY"',
    ...(preview === undefined ? [] : [`-H 'If-Preview: "${preview}"'`]),
    ...['-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`],
  ];
  return html`<details class="medium"><summary>as an API call</summary><pre tabindex="0">${lines.join(" \\\n  ")}</pre></details>`;
}
