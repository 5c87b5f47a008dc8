import type { Env } from "../../base/env.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { minuteMs } from "../../base/lib/time/durations.ts";

export type QueueName = "jobs" | "events";

/** The backlog of a queue; `oldest_seconds` is 0 where nothing waits. */
type Backlog = { messages: number; oldest_seconds: number };

/** The backlogs of the queues; none of one that does not answer. */
export type Backlogs = Record<QueueName, Backlog | undefined>;

export async function readBacklogs(
  { JOBS, EVENTS }: Pick<Env, "JOBS" | "EVENTS">,
  now: Instant,
): Promise<Backlogs> {
  const [jobs, events] = await Promise.all(
    [JOBS, EVENTS].map((queue) => readBacklog(queue, now).catch(() => undefined)),
  );
  return { jobs, events };
}

async function readBacklog(queue: Queue<unknown>, now: Instant): Promise<Backlog> {
  const { backlogCount, oldestMessageTimestamp: oldest } = await queue.metrics();
  const seconds = oldest ? (Date.parse(now) - new Date(oldest).getTime()) / 1000 : 0;
  return { messages: backlogCount, oldest_seconds: Math.max(0, Math.round(seconds)) };
}

/**
 * Whether nothing is to be sent to a queue, since its consumer stands still and would get the same again each minute. A single message that
 * waits for its retry looks the same, so that every tenth minute is sent all the same.
 */
export function isHeld({ oldest_seconds }: Backlog): boolean {
  const minutes = Math.floor((oldest_seconds * 1000) / minuteMs);
  return oldest_seconds > heldSeconds && (minutes < 10 || minutes % 10 !== 0);
}

const heldSeconds = 120;
