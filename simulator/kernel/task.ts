import type { Account } from "../../src/base/accounts/tables.ts";
import type { Database } from "./database.ts";

/** A call from a task to a port. The scheduler performs it when it is the task's turn, or injects a fault. */
export type Call = {
  kind: "read" | "write" | "charge" | "query" | "mutation" | "send" | "post" | "hang" | "answer";
  what: () => string;
  /** The trace has it only where it fails. */
  isRoutine?: boolean;
  perform: () => Promise<unknown>;
  /** It is not performed before this instant. */
  notBefore?: number;
  /** The caller gives up, but the request arrives after so many milliseconds. */
  arriveLater?: (ms: number) => void;
  /** The answer of a store that throttles; without it the call fails with StoreThrottledError. */
  throttled?: () => unknown;
  /** The answer of a store that breaks down before or after it has done it. */
  breaks?: (isDone: boolean) => Promise<unknown>;
};

export type Waiting = Call & {
  /** The task, or the strand of it, that waits. */
  by: Task;
  answer: (value: unknown) => void;
  fail: (error: unknown) => void;
};

export type TaskEnd = { outcome: "done" } | { outcome: "failed"; error: unknown } | { outcome: "crashed" };

/**
 * One invocation of the Worker: a request, a batch of messages or a tick. One runs at a time, from call to call. It may make several
 * calls at once, of which one is performed at a time.
 */
export type Task = {
  name: string;
  bornAt: number;
  /** The last commit before it. */
  bornAfter: number;
  /** The database that it takes for that of the account, where accounts move, and the account as it knows it. */
  home?: Database;
  account?: Account;
  waiting: Waiting[];
  /** The messages of a batch that it works on now. */
  strands: Task[];
  isOver: boolean;
  /** The database has refused one of its writes. */
  isRefused: boolean;
  /** How and when it has ended. */
  ended: { outcome: TaskEnd["outcome"]; at: number } | undefined;
  onEnd: (end: TaskEnd) => void;
  wake: () => void;
  /** A call is being performed at once. */
  isCalling: boolean;
  /** Performs a call without waiting for a turn, where no other task could come before it. */
  performAtOnce: (request: Call) => Promise<unknown> | undefined;
};

type Born = Pick<Task, "bornAt" | "bornAfter">;

export function newTask(name: string, born: Born, onEnd: Task["onEnd"]): Task {
  return {
    name,
    ...born,
    waiting: [],
    strands: [],
    isOver: false,
    isRefused: false,
    ended: undefined,
    onEnd,
    wake: () => {},
    isCalling: false,
    performAtOnce: () => undefined,
  };
}

/** The calls of a task whose time has come. */
export function readyCalls({ waiting }: Task, now: number): Waiting[] {
  return waiting.filter(({ notBefore = 0 }) => notBefore <= now);
}

/** When the next call of a task can be performed. */
export function nextCallAt({ waiting }: Task): number {
  return Math.min(...waiting.map(({ notBefore = 0 }) => notBefore));
}

/**
 * Runs one of the messages that a task works on side by side. It claims an attempt of its own; its calls are calls of the task, and it
 * ends with it.
 */
export async function asStrand<T>(task: Task, work: (strand: Task) => Promise<T>): Promise<T> {
  const strand = new Strand(task);
  task.strands.push(strand);
  try {
    return await work(strand);
  } finally {
    task.strands.splice(task.strands.indexOf(strand), 1);
    task.wake();
  }
}

/**
 * A strand as a task: where it takes the account to be is its own. It has no task for a prototype, because
 * everything that looks at tasks would be slow then.
 */
class Strand implements Task {
  readonly #task: Task;
  home?: Database;
  account?: Account;

  constructor(task: Task) {
    this.#task = task;
    if (task.home) this.home = task.home;
    if (task.account) this.account = task.account;
  }
  get name() {
    return this.#task.name;
  }
  get bornAt() {
    return this.#task.bornAt;
  }
  get bornAfter() {
    return this.#task.bornAfter;
  }
  get waiting() {
    return this.#task.waiting;
  }
  get strands() {
    return this.#task.strands;
  }
  get isOver() {
    return this.#task.isOver;
  }
  get isRefused() {
    return this.#task.isRefused;
  }
  get ended() {
    return this.#task.ended;
  }
  get onEnd() {
    return this.#task.onEnd;
  }
  get wake() {
    return this.#task.wake;
  }
  get isCalling() {
    return this.#task.isCalling;
  }
  set isCalling(isCalling: boolean) {
    this.#task.isCalling = isCalling;
  }
  get performAtOnce() {
    return this.#task.performAtOnce;
  }
}

/** Runs a task up to its first call. */
export function begin(task: Task, work: () => Promise<unknown>): Promise<void> {
  const stopped = untilItWaits(task);
  const finish = (end: TaskEnd): void => {
    if (task.isOver) return;
    task.isOver = true;
    task.onEnd(end);
    task.wake();
  };
  work().then(
    () => finish({ outcome: "done" }),
    (error: unknown) => finish({ outcome: "failed", error }),
  );
  return stopped;
}

/** A call by the code under test: it waits for its turn, unless it is the only one of all tasks and nothing can happen to it. */
export function call<T>(task: Task, request: Call): Promise<T> {
  const isOnly = !task.isOver && !task.isCalling && task.strands.length <= 1 && task.waiting.length === 0;
  const performed = isOnly ? task.performAtOnce(request) : undefined;
  if (performed) return untilPerformed(task, performed as Promise<T>);
  return new Promise((resolve, reject) => {
    if (task.isOver) return;
    task.waiting.push({ ...request, by: task, answer: resolve as (value: unknown) => void, fail: reject });
    task.wake();
  });
}

async function untilPerformed<T>(task: Task, performed: Promise<T>): Promise<T> {
  task.isCalling = true;
  try {
    return await performed;
  } finally {
    task.isCalling = false;
    task.wake();
  }
}

/** Gives a task the answer to one of its calls, and runs it up to its next call or its end. */
export function resume(task: Task, waiting: Waiting, answer: (waiting: Waiting) => void): Promise<void> {
  task.waiting = task.waiting.filter((other) => other !== waiting);
  const stopped = untilItWaits(task);
  answer(waiting);
  return stopped;
}

/** Whether nothing of a task can go on before one of its calls is performed. */
function isWaiting({ isOver, isCalling, waiting, strands }: Task): boolean {
  return (
    isOver ||
    (!isCalling && waiting.length > 0 && strands.every((strand) => waiting.some(({ by }) => by === strand)))
  );
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Until a task, with all its strands, waits for calls. Where others of its calls still wait it need not make any; whatever it does
 * without a call is then done within this turn of the event loop.
 */
async function untilItWaits(task: Task): Promise<void> {
  if (task.waiting.length > 0) await nextTurn();
  while (!isWaiting(task)) {
    await new Promise<void>((resolve) => {
      task.wake = resolve;
    });
    if (task.strands.length > 0) await nextTurn();
  }
}
