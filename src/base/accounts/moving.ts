import type { Engine } from "../env.ts";
import type { Instant } from "../lib/time/dates.ts";
import type { Account } from "./tables.ts";

/**
 * The progress of an account on its way to the other engine, in `accounts.moving` of the directory (operator/move).
 * - `draining`: no job of it is begun any more, and what is under way ends;
 * - `copying`: nothing of it can be written, and its rows are copied and compared;
 * - `leaving`: it is at its new engine, or stays at its old one, and its copy at the other is deleted.
 *
 * `since` is when a call last went on with it, `seconds` how long the copy takes by its estimate, and `turn` names the call that copies, of
 * which there is one at a time.
 */
export type Moving = {
  step: "draining" | "copying" | "leaving";
  to: Engine;
  since: Instant;
  seconds?: number;
  turn?: string;
};

/** The account's way to the other engine; undefined where it is on none. */
export function movingOf({ moving }: Pick<Account, "moving">): Moving | undefined {
  const state = moving === null ? undefined : (JSON.parse(moving) as { step: string });
  return state && steps.includes(state.step) ? (state as Moving) : undefined;
}

/** Whether no job of the account is begun: its outcome could not be written, or would be copied half. */
export function holdsJobs(account: Pick<Account, "moving">): boolean {
  const step = movingOf(account)?.step;
  return step === "draining" || step === "copying";
}

const steps = ["draining", "copying", "leaving"];
