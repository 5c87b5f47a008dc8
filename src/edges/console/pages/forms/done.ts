import { html } from "hono/html";
import { moment } from "../../../../base/language/format.ts";
import { later } from "../../../../base/lib/time/dates.ts";
import { termsOfPeople } from "../../../../domain/subscriptions/undo/requirements.ts";
import { restorationOf } from "../../../../domain/subscriptions/undo/restorations.ts";
import type { Html } from "../../../pages/document.ts";
import { hiddenInputs } from "../../../pages/preview.ts";
import type { StaffVisit } from "../console-env.ts";
import type { AskAsStaff } from "../visit.ts";
import type { FormSubject } from "./form.ts";
import type { TimelineEntry } from "./newest-entry.ts";

/** The change that was just made, as the address says, and the button that undoes it while that is possible. */
export function doneNotice<Shown>(
  visit: StaffVisit,
  ask: AskAsStaff,
  { subject, id, entries = [] }: { subject: FormSubject<Shown>; id: string; entries?: TimelineEntry[] },
): Html {
  const { done = "", entry } = visit.c.req.query();
  const form = Object.hasOwn(subject.forms, done) ? subject.forms[done] : undefined;
  if (!form) return html``;
  const made = entries.find((each) => each.id === entry);
  const until = made && undoableUntil(visit, made, entries);
  const { undo } = subject.forms;
  const canUndo = until && undo && ask.reaches(visit, undo.operation);
  return html`<div class="notice" role="status"><p>${form.done}${canUndo ? ` Undo is possible until ${moment("en", until, visit.account.timezone)}.` : ""}</p>${
    canUndo
      ? html`<form method="post" action="${visit.base}/${subject.folder}/${id}/undo">${hiddenInputs({ entry_id: made.id, confirm: "1", key: `undo-${visit.c.get("requestId")}` })}<button data-key="u">Undo</button></form>`
      : ""
  }</div>`;
}

/** Until when a change can be undone, as far as the history says; undefined where it cannot be. The API has the last word. */
export function undoableUntil(
  { account, c }: StaffVisit,
  entry: TimelineEntry,
  entries: TimelineEntry[],
): string | undefined {
  if (!restorationOf(entry.action) || entry.actor_type === "system") return undefined;
  const until = later(entry.created_at, termsOfPeople.withinMs ?? 0);
  const isOver = (account.clock_at ?? c.get("now").toISOString()) >= until;
  const newer = entries.slice(0, entries.indexOf(entry));
  const isEnded = newer.some(
    ({ action, metadata }) => action === "billing_succeeded" || metadata?.undoes === entry.id,
  );
  return isOver || isEnded ? undefined : until;
}
