import { minuteMs } from "../../src/base/lib/time/durations.ts";
import { throttledError, unknownOutcomeError } from "./store.ts";
import { type Call, readyCalls, resume, type Task, type Waiting } from "./task.ts";
import type { World } from "./world.ts";

/**
 * How a call can fail. `before` and `after` say whether it took effect; a `late` one takes effect when nobody waits for it
 * any more. A crashed task never resumes.
 */
export type Fault =
  | "none"
  | "fails before"
  | "fails after"
  | "fails late"
  | "is throttled"
  | "breaks before"
  | "breaks after"
  | "is lost"
  | "comes twice"
  | "crash before"
  | "crash after"
  | "crash late";

export function end(world: World, task: Task): void {
  world.tasks = world.tasks.filter((other) => other !== task);
}

/** Ends a task in the middle of its work; it is never resumed. */
export function crash(task: Task): void {
  task.waiting = [];
  task.isOver = true;
  task.onEnd({ outcome: "crashed" });
}

/** The tasks of which a call can be performed now; the others have a request under way that hangs. */
export function readyTasks({ tasks, clock }: World): Task[] {
  return tasks.filter((task) => task.waiting.some(({ notBefore = 0 }) => notBefore <= clock));
}

/** One step of one task: a call that it waits for is performed, or fails. */
export async function step(world: World, task: Task): Promise<void> {
  const waiting = world.choices.pick(readyCalls(task, world.clock));
  const isBad = world.choices.chance(likelihood(world, waiting));
  const fault = isBad ? world.choices.pick(faultsFor(waiting)) : "none";
  world.count(fault === "none" ? "steps" : `${waiting.kind} ${fault}`);
  if (fault === "none") {
    if (!waiting.isRoutine) world.log(() => `${task.name}: ${waiting.what()}`);
    return perform(world, task, waiting);
  }
  world.log(() => `${task.name}: ${waiting.what()} — ${fault.toUpperCase()}`);
  return injectFault(world, task, waiting, fault);
}

const ofRequests: Fault[] = [
  ...(["fails before", "fails after", "fails late", "is throttled"] as const),
  ...(["crash before", "crash after", "crash late"] as const),
];
const faultsOf: Record<Call["kind"], Fault[]> = {
  read: ["fails before", "crash before"],
  write: ["fails before", "fails after", "crash before", "crash after"],
  charge: ofRequests,
  mutation: ofRequests,
  query: ["fails before", "fails after", "is throttled", "crash before", "crash after"],
  send: ["is lost", "comes twice", "crash before", "crash after"],
  post: ["fails before", "fails after", "crash before", "crash after"],
  hang: ["crash before"],
  answer: ["is lost", "crash before"],
};

/** A store that answers in its own words may also say that it is broken. */
function faultsFor({ kind, breaks }: Call): Fault[] {
  return breaks ? [...faultsOf[kind], "breaks before", "breaks after"] : faultsOf[kind];
}

/** A request whose sender gave up arrives within an hour, if at all (docs/build/charges.md). */
const lateBy = [1, 3, 12, 40, 55].map((minutes) => minutes * minuteMs);

function markInjected<T extends object>(world: World, error: T): T {
  world.injected.add(error);
  return error;
}

function errorOf(world: World, { kind }: Call): Error {
  return markInjected(
    world,
    kind === "read" || kind === "write" || kind === "post"
      ? new Error("Network connection lost")
      : unknownOutcomeError(),
  );
}

/**
 * Once faults have stopped, a task that runs alone need not wait for its turns, which are many: nothing comes between its calls, and nothing
 * happens to them.
 */
export function performAtOnce(world: World, task: Task, request: Call): Promise<unknown> | undefined {
  const { isQuiesced, tasks, clock } = world;
  if (!isQuiesced || tasks.length > 1 || (request.notBefore ?? 0) > clock) return undefined;
  world.count("steps");
  if (!request.isRoutine) world.log(() => `${task.name}: ${request.what()}`);
  return request.perform().catch((error: unknown) => {
    noteRefusal(world, task, error);
    throw error;
  });
}

function noteRefusal(world: World, task: Task, error: unknown): void {
  task.isRefused = true;
  world.log(() => `${task.name}: it is refused: ${String(error)}`);
}

/** Performs the call that a task waits for, and gives it the outcome. */
async function perform(world: World, task: Task, waiting: Waiting): Promise<void> {
  const outcome = await waiting.perform().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in outcome) {
    noteRefusal(world, task, outcome.error);
    return resume(task, waiting, ({ fail }) => fail(outcome.error));
  }
  return resume(task, waiting, ({ answer }) => answer(outcome.value));
}

async function injectFault(world: World, task: Task, waiting: Waiting, fault: Fault): Promise<void> {
  const [effect, when] = fault.split(" ");
  if (fault === "is throttled")
    return resume(task, waiting, ({ throttled, answer, fail }) =>
      throttled ? answer(throttled()) : fail(markInjected(world, throttledError())),
    );
  if (fault === "is lost") return resume(task, waiting, ({ answer }) => answer(undefined));
  if (fault === "comes twice") {
    await waiting.perform();
    return perform(world, task, waiting);
  }
  if (effect === "breaks" && waiting.breaks) {
    const broken = await waiting.breaks(when === "after");
    return resume(task, waiting, ({ answer }) => answer(broken));
  }
  if (when === "after") await waiting.perform().catch(() => {});
  if (when === "late") waiting.arriveLater?.(world.choices.pick(lateBy));
  if (effect === "crash") return crash(task);
  return resume(task, waiting, ({ fail }) => fail(errorOf(world, waiting)));
}

/** How often in a thousand a call fails. */
function likelihood({ faultRate, scenario, store }: World, { kind }: Call): number {
  const isAtStore = kind === "charge" || kind === "query" || kind === "mutation";
  if (isAtStore && scenario === "outage") return faultRate === 0 ? 0 : 970;
  const worse = kind === "charge" && scenario === "restless" ? 3 : 1;
  return Math.min(900, Math.round(faultRate * store.weights[kind] * worse));
}
