import { plusDays } from "../accounts/calendar.ts";
import { perAccount } from "../kernel/per-account.ts";

export type ClosedKind = "delivery" | "production" | "billing";
export const closedKinds: readonly ClosedKind[] = ["delivery", "production", "billing"];

/** Closed days as the account has them. */
export type Closed = {
  id: string;
  from: string;
  to: string;
  applies_to: ClosedKind[];
  slot_ids: string[];
  rule: "earlier" | "later" | "skip";
};

/** All closed days of an account from a commit on. */
type Version = { commit: number; at: number; text: string | null; closed: Closed[] };

/** A moment of the simulation: the last commit before it, and the time in milliseconds. */
export type Moment = { commit: number; at: number };

/** Days of a kind, of subscriptions in a slot or in none. */
type Which = { kind: ClosedKind; slotId: string | null };

/** The closed days that the account has had, where people close days. */
export const closedDaysOf = perAccount((): ClosedDayHistory | undefined => undefined);

/** The closed days that an account has had, commit by commit. Which days are closed is worked out apart from the code under test. */
export function newClosedDayHistory() {
  const versions: Version[] = [];

  /** All that somebody may know who has begun at a moment: the closed days of then, and of every commit since. */
  const knownSince = ({ commit, at }: Moment): Closed[][] => {
    const first = versions.findLastIndex((version) => version.commit <= commit && version.at <= at);
    return versions.slice(Math.max(0, first)).map(({ closed }) => closed);
  };

  return {
    note(text: string | null, { commit, at }: Moment): void {
      if (versions.length > 0 && versions.at(-1)!.text === text) return;
      versions.push({ commit, at, text, closed: text === null ? [] : JSON.parse(text) });
    },
    now: (): Closed[] => versions.at(-1)?.closed ?? [],
    /** Whether there were ever any. */
    hasAny: (): boolean => versions.some(({ closed }) => closed.length > 0),
    hasChangedSince: (moment: Moment): boolean => knownSince(moment).length > 1,
    /** Whether a day is closed in all that may be known since a moment. */
    isSurelyClosed: (moment: Moment, which: Which, day: string): boolean => {
      const known = knownSince(moment);
      return known.length > 0 && known.every((closed) => isClosed(closed, which, day));
    },
    /** Whether a day is closed in something that may be known since a moment. */
    mayBeClosed: (moment: Moment, which: Which, day: string): boolean =>
      knownSince(moment).some((closed) => isClosed(closed, which, day)),
    /** Whether any days may be known as closed since a moment for subscriptions in a slot, or in none. */
    mayConcern: (moment: Moment, slotId: string | null): boolean =>
      knownSince(moment).some((closed) => closed.some((one) => concerns(one, slotId))),
    /** The first day from one on that nobody may know as closed. */
    firstSurelyOpen(moment: Moment, which: Which, day: string): string {
      const known = knownSince(moment);
      const isOpen = (one: string) => known.every((closed) => !isClosed(closed, which, one));
      return isOpen(day) ? day : this.firstSurelyOpen(moment, which, plusDays(day, 1));
    },
  };
}

export type ClosedDayHistory = ReturnType<typeof newClosedDayHistory>;

export function isClosed(closed: Closed[], { kind, slotId }: Which, day: string): boolean {
  return closed.some(
    (one) => one.from <= day && day <= one.to && one.applies_to.includes(kind) && concerns(one, slotId),
  );
}

function concerns({ slot_ids }: Closed, slotId: string | null): boolean {
  return slot_ids.length === 0 || (slotId !== null && slot_ids.includes(slotId));
}
