/** What a task asks of the world outside; the scheduler does it when it is the task's turn, well or badly. */
export type Call = {
  kind: "read" | "write" | "charge" | "ask" | "tell" | "send";
  what: () => string;
  /** Where it goes well, there is nothing to tell. */
  isDull?: boolean;
  perform: () => Promise<unknown>;
  /** It is given up, and arrives all the same after so many milliseconds. */
  arriveLater?: (ms: number) => void;
  /** What a store answers that takes nothing for a while; where there is none, the call fails with StoreThrottledError. */
  busy?: () => unknown;
};

type Waiting = Call & { answer: (value: unknown) => void; fail: (error: unknown) => void };

export type EndOfTask = { how: "done" } | { how: "failed"; error: unknown } | { how: "crashed" };

/** One invocation of the Worker: a request, a message or a tick. One runs at a time, from call to call. */
export type Task = {
  name: string;
  bornAt: number;
  /** The number of the write by which it has claimed an attempt. */
  claimedAt: number;
  waiting: Waiting | undefined;
  onEnd: (end: EndOfTask) => void;
  wake: () => void;
};

export const newTask = (name: string, bornAt: number, onEnd: Task["onEnd"]): Task => ({
  name,
  bornAt,
  claimedAt: 0,
  waiting: undefined,
  onEnd,
  wake: () => {},
});

const untilItStops = (task: Task): Promise<void> =>
  new Promise((resolve) => {
    task.wake = resolve;
  });

/** Runs a task up to its first call. */
export const begin = (task: Task, work: () => Promise<unknown>): Promise<void> => {
  const stopped = untilItStops(task);
  const end = (how: EndOfTask): void => {
    task.onEnd(how);
    task.wake();
  };
  work().then(
    () => end({ how: "done" }),
    (error: unknown) => end({ how: "failed", error }),
  );
  return stopped;
};

/** A call as the code under test makes it: it waits until the scheduler has its turn come. */
export const call = <T>(task: Task, made: Call): Promise<T> =>
  new Promise((resolve, reject) => {
    if (task.waiting) throw new Error(`${task.name} makes two calls at once`);
    task.waiting = { ...made, answer: resolve as (value: unknown) => void, fail: reject };
    task.wake();
  });

/** Lets a task have its answer, and runs it up to its next call, or its end. */
export const goOn = (task: Task, answer: (waiting: Waiting) => void): Promise<void> => {
  const { waiting } = task;
  if (!waiting) throw new Error(`${task.name} waits for nothing`);
  task.waiting = undefined;
  const stopped = untilItStops(task);
  answer(waiting);
  return stopped;
};
