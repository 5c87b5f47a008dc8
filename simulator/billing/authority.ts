import type { Statement } from "../../src/base/db/port.ts";
import type { Job } from "../../src/base/job.ts";
import type { Subscription } from "../../src/domain/subscriptions/tables.ts";
import { attemptSeen, attemptsSeen, changesOf } from "../accounts/seen.ts";
import { blocksOf } from "../disputes/blocks.ts";
import { perAccount } from "../kernel/per-account.ts";
import type { Authority } from "../kernel/store.ts";
import type { Task } from "../kernel/task.ts";
import type { Part, World } from "../kernel/world.ts";

/** The state of a subscription from a commit on. */
type Moment = Pick<Subscription, "id" | "status" | "activation"> & { commit: number };

const lives = perAccount(() => ({ moments: [] as Moment[], saved: [] as Moment[] }));

/** The commits by which tasks have claimed an attempt. */
const claims = new WeakMap<Task, number>();

/** Keeps since when a life of a subscription is billed, and when tasks have claimed its attempts. */
export const authorities: Part = {
  wrote({ commits }, { task, statements }) {
    if (statements.some(isClaim)) claims.set(task, commits);
  },
  watch(world) {
    const { moments } = lives(world);
    for (const { now } of changesOf(world).rows) {
      const { id, status, activation } = now;
      const last = moments.findLast((moment) => moment.id === id);
      if (last?.status !== status || last.activation !== activation)
        moments.push({ id, status, activation, commit: world.commits });
    }
  },
  mark({ worlds }) {
    for (const one of worlds) lives(one).saved = [...lives(one).moments];
  },
  rewind({ worlds }) {
    for (const one of worlds) lives(one).moments = lives(one).saved;
  },
};

/** The authority of the charge that a job requests; that of a webhook names no attempt, but the charge, which was noted with one. */
export function authorityOf(world: World, task: Task, job: Job | undefined, noted?: string): Authority {
  const attempt =
    job?.type === "charge"
      ? attemptSeen(world, job.attempt_id)
      : job?.type === "webhook" && noted !== undefined
        ? attemptsSeen(world).findLast(({ noted_reference }) => noted_reference === noted)
        : undefined;
  if (!attempt) throw new Error("A charge was requested outside of an attempt");
  const { id: attempt_id, subscription_id, activation, cycle, amount: attemptAmount } = attempt;
  const commit = claims.get(task) ?? 0;
  return {
    attempt_id,
    subscription_id,
    activation,
    cycle,
    attemptAmount,
    isBillable: isBillableAt(world, subscription_id, activation, commit),
    isBlocked: blocksOf(world)?.isBlockedAt(subscription_id, commit) ?? false,
    commit,
    requestedAt: world.clock,
    restores: world.restores,
  };
}

/** Whether a life of a subscription is still billed after a commit. */
function isBillableAt(world: World, id: string, activation: number, commit: number): boolean {
  const then = lives(world).moments.findLast((moment) => moment.id === id && moment.commit <= commit);
  return then?.activation === activation && ["ACTIVE", "PAYMENT_FAILED"].includes(then.status);
}

function isClaim({ sql }: Statement): boolean {
  return sql.includes('"claims" + 1');
}
