import { guard } from "../src/base/db/guard.ts";
import type { Ctx } from "../src/kit/context.ts";
import type { Sweep } from "../src/kit/outbox/sweep.ts";
import type { BesideBilling } from "./beside/names.ts";
import type { Platform } from "./kernel/store.ts";

/** A bug that is seeded on purpose, which the simulator must catch: exported functions of src that are replaced by others. */
export type SeededBug = {
  name: string;
  what: string;
  /** The rule that must catch it. No other is checked. */
  rule: string;
  replaces?: Replacement[];
  /** Unique indexes that become plain ones, and triggers that do not exist. */
  drops?: string[];
  /** The store it runs with; the ledger by default. */
  platform?: Platform;
  /** It is looked for only in schedules beside whose billing this goes on. */
  beside?: Beside;
  /** So many times the usual number of schedules, where few of them reach the bug. */
  times?: number;
};

/** Something that goes on beside a schedule's billing, as its seed says: one of `beside`, or moves between the engines. */
export type Beside = BesideBilling | "moves";

/** An export of src, and what makes the one that stands in for it. */
export type Replacement = { of: unknown; by: (original: unknown) => unknown };

/** Has an export of src, which all of src sees so, replaced by one that may use the original. */
export function replace<F>(of: F, by: (original: F) => F): Replacement {
  return { of, by: by as Replacement["by"] };
}

/** Has the tick find nothing of a kind, so that work whose message was lost is lost with it. */
export function sweepNothing<Row extends object>(sweep: Sweep<Row>): Replacement {
  return replace(sweep, (original) => ({ ...original, jobOf: () => undefined }));
}

/** The surroundings of a request whose store has other answers, or is asked something else. */
export function withStore(ctx: Ctx, store: Partial<Ctx["store"]>): Ctx {
  return { ...ctx, store: { ...ctx.store, ...store } };
}

/** A statement that stands where a guard stood, and refuses no batch. */
export const guardsNothing = guard("FALSE", []);
