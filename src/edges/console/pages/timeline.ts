import { html } from "hono/html";
import { dayOf, moment } from "../../../base/language/format.ts";
import type { Html } from "../../pages/document.ts";
import type { StaffVisit } from "./console-env.ts";
import { undoableUntil } from "./forms/done.ts";
import { historyDays, type TimelineEntry } from "./forms/newest-entry.ts";
import { wordOf } from "./table.ts";

/** The entries of the history, newest first, under their days; those that can be undone lead to that, where the role may. */
export function timeline(visit: StaffVisit, entries: TimelineEntry[], undoPath: string | undefined): Html {
  const { timezone } = visit.account;
  const byDay = Map.groupBy(entries, ({ created_at }) => dayOf("en", created_at, timezone));
  const undo = (entry: TimelineEntry) =>
    undoPath && undoableUntil(visit, entry, entries)
      ? html` <a href="${undoPath}?entry_id=${entry.id}">Undo<span class="hidden">: ${wordOf(entry.action)}</span></a>`
      : "";
  return html`<section class="card"><h2>What has happened</h2>${
    entries.length === 0 ? html`<p class="quiet">Nothing in the last ${historyDays} days.</p>` : ""
  }${[...byDay].map(
    ([date, its]) =>
      html`<h3>${date}</h3><ul>${its.map(
        (entry) =>
          html`<li><time datetime="${entry.created_at}" title="${moment("en", entry.created_at, timezone)}">${wordOf(entry.action)}</time>
          <span class="quiet">by ${entry.actor_name ?? (entry.actor_type === "customer" ? "the customer" : "the service")}</span>${entry.description ? html` ${entry.description}` : ""}${undo(entry)}</li>`,
      )}</ul>`,
  )}</section>`;
}
