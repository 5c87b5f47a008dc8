import type { FinalState } from "../accounts/final-state.ts";

type Entry = FinalState["entries"][number];
type Episode = FinalState["episodes"][number];

/** A time for which billing has waited for others than the customer, in milliseconds. */
export type Wait = { from: number; until: number };

/** The waits within an episode that have ended, by the history: the customer's days stood still as long. */
export function waitsIn({ subscription_id, opened_at, closed_at }: Episode, entries: Entry[]): Wait[] {
  const waits: Wait[] = [];
  let from: string | undefined;
  for (const { action, loggable_id, created_at } of entries) {
    if (loggable_id !== subscription_id || created_at > (closed_at ?? "9")) continue;
    if (action === "billing_waiting") from ??= created_at;
    else if ((action === "billing_wait_ended" || action === "subscription_paused") && from !== undefined) {
      if (from >= opened_at) waits.push({ from: Date.parse(from), until: Date.parse(created_at) });
      from = undefined;
    } else if (endsWithout.includes(action)) from = undefined;
  }
  return waits;
}

/**
 * The pauses within an episode, by the history; one that goes on has no end. A failure may be on its way while somebody pauses and resumes:
 * what had ended before it was written has delayed nothing.
 */
export function pausesIn({ subscription_id, opened_at, closed_at }: Episode, entries: Entry[]): Wait[] {
  const pauses: Wait[] = [];
  const until = (at: number) => {
    const last = pauses.at(-1);
    if (last?.until === Number.POSITIVE_INFINITY) last.until = at;
  };
  for (const { action, loggable_id, created_at } of entries) {
    if (loggable_id !== subscription_id || created_at < opened_at || created_at > (closed_at ?? "9"))
      continue;
    const at = Date.parse(created_at);
    const isOpen = pauses.at(-1)?.until === Number.POSITIVE_INFINITY;
    if (action === "dunning_started" && created_at === opened_at && !isOpen) pauses.length = 0;
    if (action === "subscription_paused" && !isOpen)
      pauses.push({ from: at, until: Number.POSITIVE_INFINITY });
    if (action === "subscription_resumed" || action === "subscription_change_undone") until(at);
  }
  return pauses;
}

/** Times that may meet, as ones that do not. */
export function joined(waits: Wait[]): Wait[] {
  const all: Wait[] = [];
  for (const wait of waits.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last && wait.from <= last.until) last.until = Math.max(last.until, wait.until);
    else all.push({ ...wait });
  }
  return all;
}

/** How long an episode's days had stood still at an instant. */
export function stoodStill(waits: Wait[], at: number): number {
  return waits.reduce((sum, { from, until }) => sum + (until <= at ? until - from : 0), 0);
}

/** These end a wait, and its episode, without an entry about the wait. */
const endsWithout = ["subscription_cancelled", "subscription_skipped", "delivery_rescheduled"];
