/** A call from a task to a port. The scheduler performs it when it is the task's turn, or injects a fault. */
export type Call = {
  kind: "read" | "write" | "charge" | "query" | "mutation" | "send";
  what: () => string;
  /** The trace has it only where it fails. */
  isRoutine?: boolean;
  perform: () => Promise<unknown>;
  /** The caller gives up, but the request arrives after so many milliseconds. */
  arriveLater?: (ms: number) => void;
  /** The answer of a store that throttles; without it the call fails with StoreThrottledError. */
  throttled?: () => unknown;
};

type Waiting = Call & { answer: (value: unknown) => void; fail: (error: unknown) => void };

export type TaskEnd = { outcome: "done" } | { outcome: "failed"; error: unknown } | { outcome: "crashed" };

/** One invocation of the Worker: a request, a message or a tick. One runs at a time, from call to call. */
export type Task = {
  name: string;
  bornAt: number;
  /** The commit by which it claimed an attempt. */
  claimedAtCommit: number;
  waiting: Waiting | undefined;
  onEnd: (end: TaskEnd) => void;
  wake: () => void;
};

export const newTask = (name: string, bornAt: number, onEnd: Task["onEnd"]): Task => ({
  name,
  bornAt,
  claimedAtCommit: 0,
  waiting: undefined,
  onEnd,
  wake: () => {},
});

const untilItWaits = (task: Task): Promise<void> =>
  new Promise((resolve) => {
    task.wake = resolve;
  });

/** Runs a task up to its first call. */
export const begin = (task: Task, work: () => Promise<unknown>): Promise<void> => {
  const stopped = untilItWaits(task);
  const finish = (end: TaskEnd): void => {
    task.onEnd(end);
    task.wake();
  };
  work().then(
    () => finish({ outcome: "done" }),
    (error: unknown) => finish({ outcome: "failed", error }),
  );
  return stopped;
};

/** A call by the code under test: it waits for its turn. */
export const call = <T>(task: Task, request: Call): Promise<T> =>
  new Promise((resolve, reject) => {
    if (task.waiting) throw new Error(`${task.name} makes two calls at once`);
    task.waiting = { ...request, answer: resolve as (value: unknown) => void, fail: reject };
    task.wake();
  });

/** Gives a task its answer, and runs it up to its next call or its end. */
export const resume = (task: Task, answer: (waiting: Waiting) => void): Promise<void> => {
  const { waiting } = task;
  if (!waiting) throw new Error(`${task.name} waits for nothing`);
  task.waiting = undefined;
  const stopped = untilItWaits(task);
  answer(waiting);
  return stopped;
};
