import { refusal, silence } from "./ledger.ts";
import { type Call, goOn, type Task } from "./task.ts";
import type { World } from "./world.ts";

/**
 * What can become of a call. `before` and `after` say whether it took effect; what is `late` takes effect when
 * nobody waits for it any more. A task that is crashed never goes on.
 */
export type Fault =
  | "none"
  | "fails before"
  | "fails after"
  | "fails late"
  | "is refused for now"
  | "is lost"
  | "comes twice"
  | "crash before"
  | "crash after"
  | "crash late";

const ofRequests: Fault[] = [
  ...(["fails before", "fails after", "fails late", "is refused for now"] as const),
  ...(["crash before", "crash after", "crash late"] as const),
];
const faultsOf: Record<Call["kind"], Fault[]> = {
  read: ["fails before", "crash before"],
  write: ["fails before", "fails after", "crash before", "crash after"],
  charge: ofRequests,
  tell: ofRequests,
  ask: ["fails before", "fails after", "is refused for now", "crash before", "crash after"],
  send: ["is lost", "comes twice", "crash before", "crash after"],
};

/** How much likelier than others a kind of call is to go wrong: what moves money more, what is only read less. */
const weightOf: Record<Call["kind"], number> = { read: 0.3, write: 1, charge: 4, ask: 3, tell: 1, send: 1.5 };
/** Shopify is asked several times for what a ledger is asked once. */
const weightAtShopify = { ...weightOf, ask: 0.6 };

const minute = 60_000;
/** A request that was given up arrives within the hour (docs/billing.md), if it arrives at all. */
const lateBy = [1, 3, 12, 40, 55].map((minutes) => minutes * minute);

const made = <T extends object>(world: World, error: T): T => {
  world.injected.add(error);
  return error;
};

const errorOf = (world: World, { kind }: Call): Error =>
  made(world, kind === "read" || kind === "write" ? new Error("Network connection lost") : silence());

export const end = (world: World, task: Task): void => {
  world.tasks = world.tasks.filter((other) => other !== task);
};

/** The task is gone, in the middle of what it did: nobody resumes it. */
export const crash = (task: Task): void => {
  task.waiting = undefined;
  task.onEnd({ how: "crashed" });
};

/** Does what a task waits for, and lets it hear of it. */
const perform = async (world: World, task: Task, waiting: Call): Promise<void> => {
  const outcome = await waiting.perform().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in outcome) {
    world.tell(() => `${task.name}: that is refused: ${String(outcome.error)}`);
    return goOn(task, ({ fail }) => fail(outcome.error));
  }
  return goOn(task, ({ answer }) => answer(outcome.value));
};

const goWrong = async (world: World, task: Task, waiting: Call, fault: Fault): Promise<void> => {
  const [how, when] = fault.split(" ");
  if (fault === "is refused for now")
    return goOn(task, ({ busy, answer, fail }) => (busy ? answer(busy()) : fail(made(world, refusal()))));
  if (fault === "is lost") return goOn(task, ({ answer }) => answer(undefined));
  if (fault === "comes twice") {
    await waiting.perform();
    return perform(world, task, waiting);
  }
  if (when === "after") await waiting.perform().catch(() => {});
  if (when === "late") waiting.arriveLater?.(world.choices.pick(lateBy));
  if (how === "crash") return crash(task);
  return goOn(task, ({ fail }) => fail(errorOf(world, waiting)));
};

/** How often in a thousand a call goes wrong. */
const likelihood = ({ faultRate, scenario, platform }: World, { kind }: Call): number => {
  const isAtStore = kind === "charge" || kind === "ask" || kind === "tell";
  if (isAtStore && scenario === "outage") return faultRate === 0 ? 0 : 970;
  const weights = platform === "shopify" ? weightAtShopify : weightOf;
  const worse = kind === "charge" && scenario === "restless" ? 3 : 1;
  return Math.min(900, Math.round(faultRate * weights[kind] * worse));
};

/** One step of one task: the call that it waits for is done, well or badly. */
export const step = async (world: World, task: Task): Promise<void> => {
  const { waiting } = task;
  if (!waiting) throw new Error(`${task.name} waits for nothing`);
  const isBad = world.choices.chance(likelihood(world, waiting));
  const fault = isBad ? world.choices.pick(faultsOf[waiting.kind]) : "none";
  world.count(fault === "none" ? "steps" : `${waiting.kind} ${fault}`);
  if (fault === "none") {
    if (!waiting.isDull) world.tell(() => `${task.name}: ${waiting.what()}`);
    return perform(world, task, waiting);
  }
  world.tell(() => `${task.name}: ${waiting.what()} — ${fault.toUpperCase()}`);
  return goWrong(world, task, waiting, fault);
};
