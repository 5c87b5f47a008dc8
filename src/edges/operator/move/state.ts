import { closingOf } from "../../../base/accounts/closed.ts";
import type { Account } from "../../../base/accounts/tables.ts";
import type { Db } from "../../../base/db/port.ts";
import type { Engine } from "../../../base/env.ts";
import type { Instant } from "../../../base/lib/time/dates.ts";
import { dayMs, minuteMs } from "../../../base/lib/time/durations.ts";
import type { CopyPosition } from "./copy.ts";

/** The outcome of one step. `waitMs` says when the next is worth a call; `cursor` goes into it. */
export type Progress = {
  step: Moving["step"] | "moved";
  isDone: boolean;
  waitMs: number;
  rows: number;
  cursor?: CopyPosition & { pass: string };
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

/**
 * The progress of an account on its way, in `accounts.moving` of the directory.
 * - `copying`: its rows are copied while it is read and written;
 * - `fenced`: nothing of it can be written, and what has changed since is copied;
 * - `leaving`: it is at its new engine, or stays at its old one, and its copy at the other is deleted.
 *
 * `turn` names the call that compares, of which there is one at a time.
 */
export type Moving = { step: "copying" | "fenced" | "leaving"; to: Engine; since: Instant; turn?: string };

/** Isolates keep an account for 30 seconds; before the fence is put up, each of them must have seen that it is on its way. */
export const noticeMs = 35_000;
/**
 * The time after which work that was begun at the old engine before the switch has ended, or cannot do harm any more, once its
 * rows are deleted.
 */
export const leavingMs = 5 * minuteMs;
/** A move whose operator is gone blocks the account no longer than this. */
export const fencedMs = 10 * minuteMs;
/** A move that copies for as long has no operator any more. The largest accounts take hours. */
export const copyingMs = dayMs;

type Standing = Pick<Account, "engine" | "moving">;

function parseMoving({ moving }: Pick<Account, "moving">): Moving | undefined {
  return moving === null ? undefined : (JSON.parse(moving) as Moving);
}

/** The next thing to do for an account to come to an engine. */
type Plan =
  | "nothing"
  | "announce"
  | "copy"
  | "compare"
  /** Another way was begun: it is given up first. */
  | "give_up"
  | "leave";

export function planMove(account: Standing, to: Engine): Plan {
  const moving = parseMoving(account);
  if (!moving) return account.engine === to ? "nothing" : "announce";
  if (moving.step === "leaving") return "leave";
  if (moving.to !== to) return "give_up";
  return moving.step === "copying" ? "copy" : "compare";
}

/** Whether the rows in the object of an account are a copy that nobody needs: it has left, or gives up its way there, or is being deleted. */
export function mayBeErased(account: Account): boolean {
  if (closingOf(account)?.step === "deleting") return true;
  return account.engine === "d1" && parseMoving(account)?.step === "leaving";
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
