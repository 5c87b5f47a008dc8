import { html } from "hono/html";
import { clock, dayOf } from "../../../base/language/format.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Html } from "../../pages/document.ts";
import type { StaffVisit } from "./console-env.ts";
import { changedFields } from "./entry-changes.ts";
import { undoableUntil } from "./forms/done.ts";
import type { TimelineEntry } from "./forms/newest-entry.ts";
import { subscriptionLink } from "./links.ts";
import { wordOf } from "./table.ts";
import { may, type PageAnswer } from "./visit.ts";

type History = PageAnswer<"listActivityLogs">;

/** The place in a history that a page is asked for. */
export function historyPage({ c }: StaffVisit): Record<string, string> {
  const page = c.req.query("history") ?? "";
  return { page: /^[1-9]\d{0,3}$/.test(page) ? page : "1", limit: String(shownEntries) };
}

const shownEntries = 20;

type Options = {
  /** The currency of the record that an entry is about, where the page knows it. */
  currencyOf: (entry: TimelineEntry) => string | undefined;
  /** The address of the form that undoes a change, where the role has it. */
  undoPath?: string | undefined;
  /** Whether the entries are about several records, so that each names its own. */
  isOfMany?: boolean;
};

/** A page of a history, newest first, under its days: what was done, by whom, and each field before and after. What can be undone leads to that. */
export function timeline(visit: StaffVisit, history: History, options: Options): Html {
  const { data: entries, metadata } = history;
  const { timezone } = visit.account;
  const byDay = Map.groupBy(entries, ({ created_at }) => dayOf("en", created_at, timezone));
  const canUndo = (entry: TimelineEntry) =>
    metadata.current_page === 1 && undoableUntil(visit, entry, entries) !== undefined;
  const item = (
    entry: TimelineEntry,
  ) => html`<li><p><time datetime="${entry.created_at}">${clock("en", entry.created_at, timezone)}</time>
    ${wordOf(entry.action)}${options.isOfMany ? aboutWhich(visit, entry) : ""} ${byWhom(visit, entry)}${entry.description ? html` ${entry.description}` : ""}${
      options.undoPath && canUndo(entry) ? undoLink(options.undoPath, entry) : ""
    }</p>${changesOf(visit, entry, options)}</li>`;
  return html`<section class="card timeline" id="history"><h2>What has happened</h2>${
    entries.length === 0 ? html`<p class="quiet">Nothing so far.</p>` : ""
  }${[...byDay].map(([date, its]) => html`<h3>${date}</h3><ul class="plain">${its.map(item)}</ul>`)}${otherPages(visit, history)}</section>`;
}

function undoLink(path: string, { id, action }: TimelineEntry): Html {
  return html` <a href="${path}?entry_id=${id}">Undo<span class="hidden">: ${wordOf(action)}</span></a>`;
}

function aboutWhich(visit: StaffVisit, entry: TimelineEntry): Html {
  const { loggable_type, loggable_id: id, subscription_number: number, order_number } = entry;
  if (loggable_type === "subscription")
    return html` ${subscriptionLink(visit, { id, number: number ?? "" })}`;
  return html` <a href="${visit.base}/orders/${id}">${order_number ?? id.slice(0, 8)}</a>`;
}

/** Who did it: in whose name, and by which job where many records were changed at once. */
function byWhom(visit: StaffVisit, { actor_name, actor_type, metadata, created_at }: TimelineEntry): Html {
  const who = actor_name ?? (actor_type === "customer" ? "the customer" : "the service");
  const asCustomer = metadata?.on_behalf_of ? " as the customer" : "";
  const { job_id } = metadata ?? {};
  if (typeof job_id !== "string") return html`<span class="quiet">by ${who}${asCustomer}</span>`;
  const now = visit.account.clock_at ?? visit.c.get("now").toISOString();
  const isKept = Date.parse(now) - Date.parse(created_at) < jobsKeptMs;
  const job =
    isKept && may(visit, "jobs:read") ? html`<a href="${visit.base}/jobs/${job_id}">a job</a>` : "a job";
  return html`<span class="quiet">by ${job} of ${who}</span>`;
}

/** Jobs are deleted thirty days after their end: their pages would not be found. */
const jobsKeptMs = 30 * dayMs;

function changesOf({ account }: StaffVisit, entry: TimelineEntry, { currencyOf }: Options): Html {
  const changed = changedFields(entry.changes, { currency: currencyOf(entry), timezone: account.timezone });
  if (changed.length === 0) return html``;
  return html`<ul class="plain quiet">${changed.map(({ label, from, to }) => html`<li>${label}: ${from} → ${to}</li>`)}</ul>`;
}

/** The ways to older entries, and back. */
function otherPages({ c }: StaffVisit, { metadata: { current_page: page, last_page: last } }: History): Html {
  if (last === 1 && page === 1) return html``;
  const to = (number: number, text: string) =>
    html`<a class="button quiet" href="${c.req.path}?history=${number}#history">${text}</a> `;
  return html`<p class="buttons">${page > 1 ? to(page - 1, "Newer entries") : ""}${page < last ? to(page + 1, "Older entries") : ""}</p>`;
}
