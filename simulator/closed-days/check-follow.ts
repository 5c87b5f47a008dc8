import type { ClosedDayHistory, Moment } from "../dates/history.ts";
import type { World } from "../kernel/world.ts";
import { isFollowing } from "./check-dates.ts";
import type { Change, Seen } from "./rows.ts";

/** Dates follow a change of closed days once, however often its message comes: with one entry, which has moved a date. */
export function newFollowCheck({ report }: Pick<World, "report">, history: ClosedDayHistory) {
  /** The last time that each subscription's dates have followed, unless something else has changed them since. */
  let followed = new Map<string, { since: Moment; today: string }>();

  return {
    /** Begins anew, as after a restore. */
    begin(): void {
      followed = new Map();
    },
    check({ before, now, entries, since, today }: Change): void {
      const follows = entries.filter(isFollowing);
      if (follows.length === 0) {
        if (entries.length > 0) followed.delete(now.id);
        return;
      }
      const last = followed.get(now.id);
      if (follows.length > 1) report(rule, `${follows.length} entries at once`);
      if (shown.every((column) => before[column] === now[column])) report(rule, "an entry moves nothing");
      const isKnownChange = last && (history.hasChangedSince(last.since) || history.hasChangedSince(since));
      if (last?.today === today && !isKnownChange)
        report(rule, `moved again to ${now.next_delivery_date} on ${today}`);
      followed.set(now.id, { since, today });
    },
  };
}

const rule = "dates follow closed days once";

const shown = [
  "next_delivery_date",
  "next_billing_date",
  "next_production_date",
] as const satisfies (keyof Seen)[];
