import { html } from "hono/html";
import { type DomainError, notFound } from "../../../../base/errors.ts";
import { previewOf } from "../../../pages/ask.ts";
import { type Html, renderAlert } from "../../../pages/document.ts";
import { factRows } from "../../../pages/facts.ts";
import type { Fields } from "../../../pages/fields.ts";
import { changeTable, hiddenInputs } from "../../../pages/preview.ts";
import { type StaffVisit, todayOf } from "../console-env.ts";
import { layout } from "../layout.ts";
import type { AskAsStaff, PageCall, PageOperation } from "../visit.ts";
import { type FilledField, fillFields, type Known, type Lists, textsOf } from "./fields.ts";
import { type Chosen, callOf, fieldsSent, wasPrefix } from "./form.ts";
import { inputs } from "./inputs.ts";
import { newestCall, sayWhoChanged, type TimelineEntry } from "./newest-entry.ts";

type Read = Omit<Known, "visit" | "today" | "params"> & {
  newest: TimelineEntry | undefined;
  dry: unknown;
  /** The answer that the record was found in. */
  answer: unknown;
};

/** The record of a form, its newest entry, the lists to choose from, and where it is asked for, the dry run: in one trip. */
export async function readForPage(
  visit: StaffVisit,
  ask: AskAsStaff,
  { subject, form: { current, lists }, params }: Chosen,
  more: Record<string, PageCall> = {},
): Promise<Read> {
  const { id = "" } = params;
  const record = subject?.read(id) ?? (current && { id: current.id as PageOperation, path: params });
  const needed = {
    ...(record ? { record } : {}),
    ...(subject ? newestCall(visit, subject, id) : {}),
    ...more,
  };
  const answered = (await ask(visit, needed, lists?.(id) ?? {})) as unknown as {
    record?: { data: never };
    newest?: { data: TimelineEntry[] };
    dry?: unknown;
  } & Lists;
  const { record: found, newest, dry, ...chosenFrom } = answered;
  const picked = current?.pick ? (current.pick(found, params) as never) : found?.data;
  if (record && !picked) throw notFound("Record");
  return { record: picked as never, lists: chosenFrom, newest: newest?.data[0], dry, answer: found };
}

type Page = Chosen & { read: Read; seen?: string | undefined };

/** A form, or what was refused of it: nothing was changed then. */
export function formPage(
  visit: StaffVisit,
  ask: AskAsStaff,
  { refusal, isUnchanged, seen = "", read, ...chosen }: Page & { refusal?: DomainError; isUnchanged?: true },
): Html {
  const { form, subject, params, texts } = chosen;
  const { fields, filled, was } = fill(visit, chosen, read, refusal !== undefined || isUnchanged === true);
  const who = seen && subject && sayWhoChanged(visit, subject, { newest: read.newest, seen });
  const submit = form.isDirect ? (form.button ?? form.title) : "Preview";
  const content = html`${head(visit, chosen, read)}${refusal ? refusalAlert(refusal, who || undefined) : ""}${
    isUnchanged ? renderAlert("Nothing is different yet.") : ""
  }${noteOf(visit, chosen, read)}
    <form class="card medium" method="post" action="${chosen.here}">${inputs(fields, refusal)}${hiddenInputs(params)}${hiddenInputs(was)}
      <p class="buttons">${form.fields ? html`<button>${submit}</button>` : ""} ${backLink(visit, chosen)}</p></form>
    ${form.fields ? apiCall(visit, ask, { ...chosen, texts: { ...filled, ...texts } }) : ""}`;
  return layout(visit, { title: form.title, content });
}

/** The fields as the form has them, and what it began with. A form that was sent holds what was sent. */
function fill(visit: StaffVisit, chosen: Chosen, read: Read, isSent: boolean) {
  const { form, params, texts } = chosen;
  const own = form.current ? textsOf(form.fields ?? [], read.record) : {};
  const emptied = isSent ? Object.fromEntries((form.fields ?? []).map(({ name }) => [name, ""])) : {};
  const known = { ...read, visit, today: todayOf(visit), params } as Known;
  const fields = fillFields(form.fields ?? [], known, { ...own, ...emptied, ...texts });
  const filled = Object.fromEntries(fields.flatMap(({ name, text }) => (text === "" ? [] : [[name, text]])));
  const began = Object.entries(texts).filter(([name]) => name.startsWith(wasPrefix));
  const was: Fields = Object.fromEntries(
    began.length > 0 || isSent ? began : Object.entries(own).map(([name, text]) => [wasPrefix + name, text]),
  );
  return { fields, filled, was, own };
}

/** The effects of a form, as its dry run says, and the button that does it as shown. */
export function previewPage(visit: StaffVisit, ask: AskAsStaff, { seen, read, ...chosen }: Page): Html {
  const { form, subject, params } = chosen;
  const who =
    seen === undefined
      ? undefined
      : ((subject && sayWhoChanged(visit, subject, { newest: read.newest, seen })) ??
        "This has changed since you looked.");
  const idle = idleIn(read.dry);
  const confirmation = html`<form method="post" action="${chosen.here}">${hiddenInputs({
    ...params,
    ...chosen.texts,
    confirm: "1",
    key: `page-${visit.c.get("requestId")}`,
    preview: previewOf(read.dry) ?? "",
    seen: read.newest?.id ?? "",
  })}
    <p class="buttons"><button${form.isDangerous ? html` class="danger"` : ""}>${form.button ?? form.title}</button>
    ${backLink(visit, chosen)}</p></form>`;
  const content = html`${head(visit, chosen, read)}
    ${renderAlert(who && `${who} Below is what it would do now. Nothing was changed.`)}${noteOf(visit, chosen, read)}
    <section class="card medium">${idle === undefined ? html`${effects(visit, chosen, read)}${confirmation}` : html`<p>${idle}</p><p class="buttons">${backLink(visit, chosen)}</p>`}</section>
    ${apiCall(visit, ask, chosen, previewOf(read.dry))}`;
  return layout(visit, { title: form.title, content });
}

function noteOf(visit: StaffVisit, { form: { note } }: Chosen, { record }: Read): Html {
  if (note === undefined) return html``;
  return html`<p>${typeof note === "string" ? note : note(visit, record)}</p>`;
}

const texts = { before: "Before", after: "After", unchanged: "unchanged" };

/** Each fact before and after it; of what is added, the facts alone. */
function effects(visit: StaffVisit, chosen: Chosen, read: Read): Html {
  const { form } = chosen;
  const facts =
    form.facts && read.dry ? html`<dl>${factRows(form.facts(visit, read.dry as never))}</dl>` : "";
  if (form.rows)
    return html`<h2>Before and after</h2>${changeTable({ texts }, form.rows(visit, read.record, read.dry))}${facts}`;
  const { fields, own } = fill(visit, chosen, read, true);
  const names = new Set(fieldsSent(chosen).map(({ name }) => name));
  const told = fields.filter(({ name }) => names.has(name));
  if (told.length === 0) return html`${namedFact(form.current && read.record)}${facts}`;
  if (Object.keys(own).length === 0)
    return html`<dl>${factRows(told.map((field) => [field.label, wordsOf(field, field.text)]))}</dl>${facts}`;
  const rows = told.map((field): [string, string, string] => [
    field.label,
    wordsOf(field, own[field.name] ?? ""),
    wordsOf(field, field.text),
  ]);
  const differing = rows.filter(([, before, after]) => before !== after);
  return html`<h2>Before and after</h2>${changeTable({ texts }, differing)}${facts}`;
}

/** Which record it is, by whichever name it has. */
function namedFact(record: Record<string, unknown> | undefined): Html {
  const [name] = ["name", "label", "product_title", "day_name", "url", "email"].flatMap(
    (field) => record?.[field] ?? [],
  );
  const text = typeof name === "object" ? (name as { en?: string }).en : name;
  return text === undefined ? html`` : html`<p><strong>${String(text)}</strong></p>`;
}

/** A field's text as a person reads it. */
export function wordsOf({ kind, choices }: FilledField, text: string): string {
  if (kind === "flag") return text ? "yes" : "no";
  const word = (value: string) => choices.find(([one]) => one === value)?.[1] ?? value;
  return text.split(",").map(word).join(", ") || "–";
}

/** The answer of an operation that is shown this once. */
export function answerPage(visit: StaffVisit, chosen: Chosen, answer: unknown): Html {
  const { form } = chosen;
  const content = html`${form.shows?.(visit, answer as never)}<p>${backLink(visit, chosen)}</p>`;
  return layout(visit, { title: form.title, content });
}

/** The reason why an operation would do nothing; undefined where it would do something. */
function idleIn(dry: unknown): string | undefined {
  const { success, message, dry_run } = (dry ?? {}) as {
    success?: true;
    message?: string;
    dry_run?: object | null;
  };
  return success && !dry_run ? message : undefined;
}

function head(visit: StaffVisit, { subject, back }: Chosen, { record }: Read): Html {
  return subject
    ? html`<p><a href="${visit.base}${back}">← ${subject.titleOf(visit, record)}</a></p>`
    : html``;
}

function backLink({ base }: StaffVisit, { back }: Chosen): Html {
  return html`<a class="button quiet" href="${base}${back}">Back</a>`;
}

/** A refusal of the API, with each fault of the request. */
export function refusalAlert({ message, details = [] }: DomainError, who?: string): Html {
  const faults = details.map(({ path, message: fault }) => html`<li>${path}: ${fault}</li>`);
  return html`<div class="alert" role="alert" id="fault"><p>${who ? `${who} ` : ""}${message}. Nothing was changed.</p>${faults.length > 0 ? html`<ul>${faults}</ul>` : ""}</div>`;
}

/** The form as a call of the API, for whoever wants to do it by a program. */
function apiCall({ c }: StaffVisit, ask: AskAsStaff, chosen: Chosen, preview?: string): Html {
  if (!chosen.form.isShownAsCall) return html``;
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
