import type { Account } from "../../src/base/accounts/tables.ts";
import type { Db, Statement } from "../../src/base/db/port.ts";
import type { Job } from "../../src/base/job.ts";
import type { Alarm } from "./alarm.ts";
import type { Choices } from "./choices.ts";
import type { Database } from "./database.ts";
import type { MessageQueue } from "./queue.ts";
import type { Platform, SimulatedStore } from "./store.ts";
import type { Task } from "./task.ts";
import type { Whereabouts } from "./whereabouts.ts";

export type Violation = { rule: string; detail: string };

/**
 * The circumstances of a schedule: people change their minds often, payments are declined, the store is down most of the time,
 * the merchant's payment provider is off for weeks, or by turns while payments are declined, or customers are challenged and confirm late. Each reaches states that the
 * usual schedule rarely does.
 */
export type Scenario =
  | "usual"
  | "restless"
  | "poor"
  | "outage"
  | "gateway off"
  | "gateway on and off"
  | "challenged";

/** The whole state of a schedule, as one of its accounts sees it. What a part of it keeps beside that, it keeps itself (per-account.ts). */
export type World = {
  choices: Choices;
  /** Real time in milliseconds, which is the account's time too. */
  clock: number;
  /** Where the account is, if it moves between the engines. */
  database: Database;
  whereabouts: Whereabouts | undefined;
  account: Account;
  /** The account's subscription. */
  subscriptionId: string;
  platform: Platform;
  store: SimulatedStore;
  /** The worlds of all accounts, the first of which this schedule is about. */
  worlds: World[];
  /** All that goes on in the schedule, and that must hold. */
  parts: readonly Part[];
  /** Where the accounts have objects: when these look next for what is due. */
  alarm: Alarm | undefined;
  tasks: Task[];
  queue: MessageQueue;
  /** How often in a thousand a call goes wrong. */
  faultRate: number;
  scenario: Scenario;
  /** Faults have stopped, and every task that ran then has ended. */
  isQuiesced: boolean;
  /** When they had. */
  quiescedAt: number;
  commits: number;
  /** Errors that the simulator injected: code that fails with one is not at fault. */
  injected: WeakSet<object>;
  /** The commit that the last restore went back to. */
  restoredTo: number | undefined;
  restores: number;
  isRestorable: boolean;
  newId: () => string;
  violations: Violation[];
  report: (rule: string, detail: string) => void;
  /** Adds a line to the trace, if there is one. */
  log: (line: () => string) => void;
  trace: string[];
  count: (what: string, by?: number) => void;
  tally: Record<string, number>;
};

/**
 * A part of the product as it takes part in a schedule: what may happen of it, what is looked at after each commit, and what must hold in the
 * end. Each function gets the world of the schedule's first account, unless it says otherwise.
 */
export type Part = {
  /** It may do these while there are faults. */
  acts?: readonly Act[];
  /** Faults begin, or have stopped. */
  begin?: (world: World) => void;
  end?: (world: World) => Promise<void>;
  /** A task of an account has written, whether or not that has changed anything. */
  wrote?: (world: World, write: Write) => void;
  /** A commit of an account has changed more than what is kept of work under way. */
  watch?: (world: World, task: Task) => Promise<void> | void;
  /** The statements that only keep such books, by how they begin. */
  keepsBooks?: RegExp;
  /** A restore may go back to now; it does; it has. */
  mark?: (world: World) => void;
  rewind?: (world: World) => void;
  restored?: (world: World) => Promise<void>;
  /** Something has happened that operators are to hear of, in an account. */
  noteLog?: (world: World, event: string, fields: Record<string, unknown>) => void;
  /** Customers come back after days. */
  comeBack?: (world: World) => Promise<void>;
  /** Faults have stopped: what is still under way arrives; people do what they would in the end; cron has been, and its messages are done. */
  arrive?: (world: World) => Promise<void>;
  settle?: (world: World) => Promise<void>;
  rest?: (world: World) => Promise<void>;
  /** When there is next something that arrives, in milliseconds. */
  nextAt?: (world: World) => number | undefined;
  /** The next instants, and days in its time zone, at which cron finds something to do for the account ?1 on the day ?2, as SQL. */
  dueAt?: readonly string[];
  dueOn?: readonly string[];
  /** When it next finds something of an account that no SQL of one row says. */
  findNext?: (world: World) => Promise<number | undefined>;
  /** Who is asked over the network. */
  peer?: Peer;
  /** An account of its own, and how a message to it is worked on. */
  account?: { id: string; receive: (task: Task, job: Job) => Received };
  /** Checks an account in the state in which the schedule ended, and then the whole of it. */
  checkAccount?: (world: World) => Promise<void> | void;
  check?: (world: World) => Promise<void> | void;
};

/** Something that may happen next, as often as its weight says. */
export type Act = {
  name: string;
  weight: (world: World, isBusy: boolean) => number;
  act: (world: World) => Promise<unknown> | unknown;
};

export type Write = { task: Task; statements: Statement[]; hasChanged: boolean };

/** A message in the hands of an invocation: its database, and its work. */
export type Received = { db: Db; run: () => Promise<unknown> };

/** Somebody who is asked over the network, by the world of the account that asks. */
export type Peer = {
  isAt: (url: string) => boolean;
  /** A request to it, for the trace. */
  what: (url: string, init: RequestInit) => string;
  receive: (world: World, task: Task, url: string, init: RequestInit) => Promise<PeerAnswer>;
  /** Whoever asked has heard of no success. */
  fails?: (world: World, url: string) => void;
};

/** An answer that arrives, or none. */
export type PeerAnswer = Response | "hangs" | "resets";

export function instantOf({ clock }: Pick<World, "clock">): string {
  if (clock !== last.clock) last = { clock, instant: new Date(clock).toISOString() };
  return last.instant;
}

/** An instant is asked for again and again before time passes. */
let last = { clock: 0, instant: new Date(0).toISOString() };

/** The world of an account. */
export function worldOf({ worlds }: World, accountId: string): World {
  const found = worlds.find(({ account }) => account?.id === accountId);
  if (!found) throw new Error(`No account ${accountId}`);
  return found;
}

/** The world as another account sees it: its own are the account, its subscription and its store; everything else is everybody's. */
export function worldWith(world: World, values: Partial<Pick<World, "account" | "platform">>): World {
  const separate: Record<PropertyKey, unknown> = {
    ...{ account: undefined, subscriptionId: undefined, store: undefined },
    ...values,
  };
  return new Proxy(world, {
    get: (shared, key) => (key in separate ? separate[key] : Reflect.get(shared, key)),
    set: (shared, key, value) =>
      key in separate ? Reflect.set(separate, key, value) : Reflect.set(shared, key, value),
  });
}
