import { html } from "hono/html";
import type { Html } from "../../../pages/document.ts";
import type { StaffVisit } from "../console-env.ts";
import type { AskAsStaff } from "../visit.ts";

/** The way from a list of subscriptions to a job that changes all of them, on whichever page they are. */
export function changeAll(
  visit: StaffVisit,
  ask: Pick<AskAsStaff, "reaches">,
  filter: Record<string, string>,
  total: number,
): Html {
  if (total < 2 || !ask.reaches(visit, "changeManySubscriptions")) return html``;
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [`filter.${name}`, value]));
  return html`<p><a href="${visit.base}/jobs/bulk?${query.toString()}">Change all ${total} that match</a></p>`;
}
