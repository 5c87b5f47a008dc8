import { html } from "hono/html";
import { dayOf, moment, money } from "../../../../base/language/format.ts";
import type { Cause } from "../../../../domain/imports/causes.ts";
import type { Html } from "../../../pages/document.ts";
import { factRows } from "../../../pages/facts.ts";
import type { StaffVisit } from "../console-env.ts";
import { formLink } from "../forms/form-link.ts";
import { layout } from "../layout.ts";
import { pager, placeIn } from "../links.ts";
import { capitalized, stateOf, table, wordOf } from "../table.ts";
import type { AskAsStaff, PageAnswer } from "../visit.ts";
import { jobForms } from "./forms.ts";

type Job = PageAnswer<"getJob">["data"];

/** The jobs, newest first, and the ways to new ones. */
export async function jobsPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  const { jobs } = await ask(visit, { jobs: { id: "listJobs", query: { limit: "25", ...placeIn(visit) } } });
  const doors = html`<p class="buttons">${formLink(visit, ask, { name: "export", form: jobForms.export, text: "Export records" })}${
    ask.reaches(visit, "changeManySubscriptions")
      ? html`<a href="${visit.base}/jobs/bulk">Change many subscriptions</a> <a href="${visit.base}/jobs/import">Move subscriptions in</a>`
      : ""
  }</p>`;
  const rows = jobs.data.map((job) => [
    html`<a href="${visit.base}/jobs/${job.id}">${kinds[job.kind]}</a>`,
    stateOf(job.status),
    progress(job),
    job.created_by ?? "–",
    dayOf("en", job.created_at, visit.account.timezone),
    job.failed === 0 ? "" : String(job.failed),
  ]);
  const content = html`<section class="card">${doors}${
    rows.length === 0
      ? html`<p>There was no job yet. One moves subscriptions in, changes many of them, or counts the goods of days to come.</p>`
      : table({
          caption: "Jobs",
          columns: ["Job", "State", "Progress", "By", "When", { head: "Failed", isNumber: true }],
          rows,
        })
  }</section>${pager(visit, jobs.meta)}`;
  return layout(visit, { title: "Jobs", content });
}

const kinds = { IMPORT: "Import", BULK: "Change of many", FORECAST: "Count of goods" } as const;

/** The part that is worked off, as a bar with its numbers. */
function progress({ total, done, failed, skipped, undone }: Job): Html {
  const worked = Math.min(total, done + failed + skipped + undone);
  return html`<progress max="${Math.max(1, total)}" value="${worked}" aria-label="Progress"></progress> ${worked} of ${total}`;
}

/** Whether a job goes on by itself, so that its page is worth another look. */
export function isUnderWay({ status }: Job): boolean {
  return ["STAGING", "CHECKING", "RUNNING", "UNDOING"].includes(status);
}

/** One job: how far it is, what came of it, its rows, and what can be done with it. */
export async function jobPage(visit: StaffVisit, ask: AskAsStaff, id: string): Promise<Html> {
  const path = { id };
  const { status } = visit.c.req.query();
  const { job, rows } = await ask(visit, {
    job: { id: "getJob", path },
    rows: {
      id: "listJobRows",
      path,
      query: { limit: "25", ...(status ? { status } : {}), ...placeIn(visit) },
    },
  });
  const { data } = job;
  if (isUnderWay(data)) visit.c.header("Refresh", "5");
  const content = html`${jobFacts(visit, data)}<p class="buttons">${changesOf(visit, ask, data)}</p>
    <section class="card"><h2>Rows</h2>${rowFilter(visit, data)}${rowTable(visit, rows.data)}</section>${pager(visit, rows.meta)}`;
  return layout(visit, {
    title: `${kinds[data.kind]} of ${dayOf("en", data.created_at, visit.account.timezone)}`,
    content,
  });
}

export function jobFacts({ account }: StaffVisit, job: Job): Html {
  const { status, done, failed, skipped, undone, created_by, finished_at, estimate_seconds, error, summary } =
    job;
  const said = Object.entries(summary).filter(
    ([, value]) => typeof value === "number" || typeof value === "string",
  );
  return html`<section class="card"><p>${stateOf(status)} ${progress(job)}</p>${error ? html`<p class="alert">${error}</p>` : ""}<dl>${factRows(
    [
      ["Done", String(done)],
      ...(failed > 0 ? [["Failed", String(failed)] as [string, string]] : []),
      ...(skipped > 0 ? [["Passed over", String(skipped)] as [string, string]] : []),
      ...(undone > 0 ? [["Taken back", String(undone)] as [string, string]] : []),
      ["By", created_by ?? "the service"],
      ["Ended", finished_at === null ? "not yet" : moment("en", finished_at, account.timezone)],
      ...(estimate_seconds === null
        ? []
        : [["Still takes", `${estimate_seconds} seconds`] as [string, string]]),
      ...said.map(([name, value]): [string, string] => [
        capitalized(wordOf(name)),
        /^total_/.test(name) ? money("en", Number(value), account.currency_code) : String(value),
      ]),
    ],
  )}</dl>${causes(summary)}</section>`;
}

/** The faults and warnings that the check of an import has found, by their cause. */
function causes({ faults, warnings }: Job["summary"]): Html {
  const found = [faults, warnings].flatMap((list) => (Array.isArray(list) ? (list as Cause[]) : []));
  return found.length === 0
    ? html``
    : html`<ul>${found.map(({ path, message, rows }) => html`<li>${path} ${message} <span class="count">${rows}</span></li>`)}</ul>`;
}

/** The ways to what the job's state allows. */
function changesOf(visit: StaffVisit, ask: AskAsStaff, { id, kind, status }: Job): Html[] {
  const link = (name: keyof typeof jobForms, text: string) =>
    formLink(visit, ask, { name, form: jobForms[name], text, values: { id } });
  return [
    ...(kind === "IMPORT" && status === "READY" ? [link("write-import", "Write them")] : []),
    ...(kind === "IMPORT" && status === "DONE" ? [link("release-import", "Release")] : []),
    ...(status === "RUNNING" ? [link("pause-job", "Pause")] : []),
    ...(status === "PAUSED" || status === "FAILED" ? [link("resume-job", "Go on")] : []),
    ...(isUnderWay({ status } as Job) || status === "READY" || status === "PAUSED"
      ? [link("cancel-job", "End it")]
      : []),
    ...(kind !== "FORECAST" && ["DONE", "CANCELLED", "FAILED"].includes(status)
      ? [link("undo-job", "Take it back")]
      : []),
  ];
}

function rowFilter({ base }: StaffVisit, { id, failed, skipped }: Job): Html {
  const to = (status: string, text: string) =>
    html`<a href="${base}/jobs/${id}?status=${status}">${text}</a> `;
  return html`<p><a href="${base}/jobs/${id}">All</a> ${failed > 0 ? to("FAILED", "Failed") : ""}${skipped > 0 ? to("SKIPPED", "Passed over") : ""}</p>`;
}

type Row = PageAnswer<"listJobRows">["data"][number];

/** The rows of a job; of one that changes subscriptions with what the next order of each comes to before and after. */
export function rowTable(visit: StaffVisit, rows: Row[]): Html {
  if (rows.length === 0) return html`<p class="quiet">There are no rows here.</p>`;
  const totals = rows.map(({ summary }) => totalsOf(visit, summary));
  const hasTotals = totals.some((text) => text !== undefined);
  return table({
    caption: "Rows",
    columns: [
      ...["Row", "About", "State"],
      ...(hasTotals ? [{ head: "Amount", isNumber: true } as const] : []),
      "What is wrong",
    ],
    rows: rows.map(({ n, key, status, record_id, errors }, index) => [
      String(n),
      record_id === null
        ? key
        : html`<a href="${visit.base}/subscriptions/${record_id}" title="${key}">${shortKey(key)}</a>`,
      stateOf(status),
      ...(hasTotals ? [totals[index] ?? "–"] : []),
      errors.map(({ path, message }) => `${path} ${message}`.trim()).join(" "),
    ]),
  });
}

/** The end of an id, in which ids of one job differ; another key whole. */
function shortKey(key: string): string {
  return /^[\da-f]{8}-[\da-f-]{27}$/.test(key) ? `… ${key.slice(-8)}` : key;
}

/** The amounts of a row before and after; undefined for a row of a job that changes no amounts. */
function totalsOf({ account }: StaffVisit, summary: Row["summary"]): string | undefined {
  const { total_before: before, total_after: after, currency_code } = summary;
  if (typeof before !== "number" || typeof after !== "number") return undefined;
  const currency = typeof currency_code === "string" ? currency_code : account.currency_code;
  const [was, becomes] = [money("en", before, currency), money("en", after, currency)];
  return was === becomes ? was : `${was} → ${becomes}`;
}
