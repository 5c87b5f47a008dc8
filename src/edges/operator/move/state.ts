import { closingOf } from "../../../base/accounts/closed.ts";
import { type Moving, movingOf } from "../../../base/accounts/moving.ts";
import type { Account } from "../../../base/accounts/tables.ts";
import type { Db } from "../../../base/db/port.ts";
import type { Engine } from "../../../base/env.ts";
import type { Instant } from "../../../base/lib/time/dates.ts";
import { minuteMs } from "../../../base/lib/time/durations.ts";
import type { CopyPosition } from "./copy.ts";

/** The size of an account's copy: its rows, and for how many seconds the account is closed. */
export type Estimate = { rows: number; seconds: number };

/** The outcome of one step. `waitMs` says when the next is worth a call; `cursor` goes into it. */
export type Progress = {
  step: Moving["step"] | "moved";
  isDone: boolean;
  waitMs: number;
  rows: number;
  cursor?: CopyPosition & { pass: string };
  /** The size of the copy, as the move begins. */
  estimate?: Estimate;
};

/** The surroundings of a move: the databases of both engines, of which that of `d1` is the directory, and real time. */
export type Ports = {
  d1: Db;
  object: Db;
  /** Real time when it is read: a call may take long. */
  readonly now: Instant;
  /** Ends an object with everything in it, and says how many rows that was, by table. */
  eraseObject: () => Promise<Record<string, number>>;
};

/** Isolates keep an account for 30 seconds; before it is closed, each of them must have seen that it is on its way. */
export const noticeMs = 35_000;
/** The time that work which was begun has to end, before the account is closed all the same: its leases are no longer. */
export const drainingMs = 2 * minuteMs;
/**
 * The time after which work that was begun at the old engine before the switch has ended, or cannot do harm any more, once its
 * rows are deleted.
 */
export const leavingMs = 5 * minuteMs;
/** A move that nobody has gone on with for so long has no operator any more: the account is opened where it was. */
export const abandonedMs = 10 * minuteMs;

/** The next thing to do for an account to come to an engine. */
type Plan =
  | "nothing"
  | "announce"
  | "drain"
  | "copy"
  /** Another way was begun: it is given up first. */
  | "give_up"
  | "leave";

export function planMove(account: Pick<Account, "engine" | "moving">, to: Engine): Plan {
  const moving = movingOf(account);
  if (!moving) return account.engine === to ? "nothing" : "announce";
  if (moving.step === "leaving") return "leave";
  if (moving.to !== to) return "give_up";
  return moving.step === "draining" ? "drain" : "copy";
}

/** Whether the rows in the object of an account are a copy that nobody needs: it has left, or gives up its way there, or is being deleted. */
export function mayBeErased(account: Account): boolean {
  if (closingOf(account)?.step === "deleting") return true;
  return account.engine === "d1" && movingOf(account)?.step === "leaving";
}

/**
 * Whether rows of an account may come to its object: it is there, or is copied or imported there. An object that has ended is begun for no
 * call that comes late, as nobody would end it again.
 */
export function mayBeBegun(account: Account): boolean {
  return !mayBeErased(account) && (account.engine === "object" || account.moving !== null);
}

export function otherEngine(engine: Engine): Engine {
  return engine === "d1" ? "object" : "d1";
}

/** The time that is left until so much time has passed since an instant. */
export function waitMs(since: Instant, now: Instant, spanMs: number): number {
  return Math.max(0, Date.parse(since) + spanMs - Date.parse(now));
}
