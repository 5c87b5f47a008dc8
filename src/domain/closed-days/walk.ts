import type { ClosedDayRow } from "../delivery/tables.ts";

/**
 * The progress of working the next dates out anew: the step, and after which row of it to go on. Whoever has read the account just before its
 * closed days changed may work dates out by the former ones for a while, so that a second round, from the step
 * that the first began with, puts these right.
 */
export type Walk = { begin: number; step: number; date: string; seq: number; isSecond?: true };

const statuses = ["ACTIVE", "PAUSED", "PAYMENT_FAILED", "CANCELLED"] as const;
const dates = ["next_delivery_date", "next_production_date", "next_billing_date"] as const;

/** A part of the walk: first those that any closed days have moved, then those with a date on these days, by each kind of date. */
export type Step = "moved" | { status: (typeof statuses)[number]; date: (typeof dates)[number] };

const steps: Step[] = ["moved", ...dates.flatMap((date) => statuses.map((status) => ({ status, date })))];

/** The beginning of a walk. Days that were closed anew have moved nothing yet; those that are open again have no dates on them. */
export const firstWalk = {
  afterCreation: walkFrom(1),
  afterChange: walkFrom(0),
  afterDeletion: walkFrom(0),
} satisfies Record<string, Walk>;

/** The second round, once the first is done; undefined after it. */
export function nextRound({ begin, isSecond }: Walk): Walk | undefined {
  return isSecond ? undefined : { ...walkFrom(begin), isSecond: true };
}

function walkFrom(begin: number): Walk {
  return { begin, step: begin, date: "", seq: 0 };
}

export function walkOf({ walk }: ClosedDayRow): Walk | undefined {
  return walk === null ? undefined : JSON.parse(walk);
}

/** The step that a walk is at; undefined once it is done. */
export function stepOf({ step }: Walk, { deleted_at }: ClosedDayRow): Step | undefined {
  return deleted_at !== null && step > 0 ? undefined : steps[step];
}
