import { type StaffVisit, todayOf } from "../console-env.ts";
import { wordOf } from "../table.ts";
import type { PageAnswer } from "../visit.ts";
import type { FormSubject } from "./form.ts";

/** A record's own history, which whoever may read the record may read here. */
export function historyCall(visit: StaffVisit, of: Record<string, string>, query: Record<string, string>) {
  const days = { start_date: firstDay, end_date: todayOf(visit) };
  return {
    id: "listActivityLogs",
    query: { ...days, ...of, ...query },
    alsoScopes: ["activity:read"],
  } as const;
}

/** Before anything has happened. */
const firstDay = "2000-01-01";

export type TimelineEntry = PageAnswer<"listActivityLogs">["data"][number];

/** The newest entry of a record's history, which a page notes to see later whether somebody else was here. */
export function newestCall(visit: StaffVisit, { history }: FormSubject, id: string) {
  return history ? { newest: historyCall(visit, history(id), { limit: "1" }) } : {};
}

/** Who has changed the record since a page was shown, and how long ago; undefined where nobody has. */
export function sayWhoChanged(
  { account, c }: StaffVisit,
  { noun }: FormSubject,
  { newest, seen }: { newest: TimelineEntry | undefined; seen: string },
): string | undefined {
  if (!newest || newest.id === seen) return undefined;
  const now = Date.parse(account.clock_at ?? c.get("now").toISOString());
  const who = newest.actor_name ?? (newest.actor_type === "customer" ? "The customer" : "The service");
  return `${who} changed this ${noun} ${agoOf(now - Date.parse(newest.created_at))}: ${wordOf(newest.action)}.`;
}

function agoOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  const [count, unit] = minutes < 60 ? [minutes, "minute"] : [Math.floor(minutes / 60), "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
