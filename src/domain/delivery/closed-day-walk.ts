import type { ClosedDayRow } from "./tables.ts";

/** How far the next dates have been worked out anew: the step, and after which row of it to go on. */
export type Walk = { step: number; date: string; seq: number };

const statuses = ["ACTIVE", "PAUSED", "PAYMENT_FAILED", "CANCELLED"] as const;
const dates = ["next_delivery_date", "next_production_date", "next_billing_date"] as const;

/** A part of the walk: first those that any closed days have moved, then those with a date on these days, by each kind of date. */
export type Step = "moved" | { status: (typeof statuses)[number]; date: (typeof dates)[number] };

const steps: Step[] = ["moved", ...dates.flatMap((date) => statuses.map((status) => ({ status, date })))];

/** Where a walk begins. Days that were closed anew have moved nothing yet; those that are open again have no dates on them. */
export const firstWalk = {
  afterCreation: { step: 1, date: "", seq: 0 },
  afterChange: { step: 0, date: "", seq: 0 },
  afterDeletion: { step: 0, date: "", seq: 0 },
} satisfies Record<string, Walk>;

export function walkOf({ walk }: ClosedDayRow): Walk | undefined {
  return walk === null ? undefined : JSON.parse(walk);
}

/** The step that a walk is at; undefined once it is done. */
export function stepOf({ step }: Walk, { deleted_at }: ClosedDayRow): Step | undefined {
  return deleted_at !== null && step > 0 ? undefined : steps[step];
}
