import { dayMs, hourMs, minuteMs, secondMs } from "../../src/base/lib/time/durations.ts";
import type { EventDelivery } from "../../src/domain/webhook-endpoints/tables.ts";
import { invocationMsMax } from "../kernel/pass-time.ts";
import type { World } from "../kernel/world.ts";
import type { Again, Answer, SimulatedEndpoint, Try } from "./endpoints.ts";

/**
 * After a failure the next try comes after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours, or after the pause that the endpoint asks
 * for, up to a day; after an acceptance none does. Whoever asks for an event again begins anew.
 */
export function checkTries(
  world: World,
  endpoint: SimulatedEndpoint,
  { deliveries, isEnabled }: { deliveries: EventDelivery[]; isEnabled: boolean },
): void {
  /** Whether somebody has enabled it again since, or it is disabled, so that what was to be sent was cancelled. */
  const isDisabledAfter = (at: number): boolean =>
    !isEnabled || endpoint.again.some((one) => one.eventId === undefined && one.at >= at);
  for (const [eventId, tries] of endpoint.tries) {
    const again = endpoint.again.filter((one) => one.eventId === undefined || one.eventId === eventId);
    let count = 0;
    for (const [nth, one] of tries.entries()) {
      const before = tries[nth - 1];
      if (before?.restores !== one.restores) count = 0;
      count = isAskedBetween(again, before ?? one, one) ? 0 : count + 1;
      if (before && count > 1) checkPause(world, before, one, count - 1);
    }
    const isUntried = deliveries.some((one) => one.event_id === eventId && isGivenUpUntried(one));
    for (const { at, isDone, isUndisturbed, restores } of again) {
      if (!isDone || restores !== world.restores || isDisabledAfter(at)) continue;
      if (tries.some((one) => one.at >= at) || (isUntried && !isUndisturbed)) continue;
      world.report(rule, `what was asked for again at ${new Date(at).toISOString()} was not sent`);
    }
  }
  checkCounts(world, endpoint, deliveries);
  for (const { status, next_attempt_at, event_type } of deliveries)
    if (status === "PENDING" && Date.parse(next_attempt_at ?? "") > world.clock + longestMs)
      world.report(rule, `the next try of ${event_type} is at ${next_attempt_at}`);
}

/** Whether ten senders in turn have died with the delivery in their hands, which is then given up. */
function isGivenUpUntried({ status, attempt_count, last_error }: EventDelivery): boolean {
  return status === "FAILED" && attempt_count > triesMax && last_error === "could not be tried";
}

/** Once faults have stopped, the tries that count are those since a person asked for the event again. */
function checkCounts(
  { report }: World,
  { again, tries }: SimulatedEndpoint,
  deliveries: EventDelivery[],
): void {
  for (const { triesBefore, eventId, isDone, isUndisturbed } of again) {
    if (!isDone || eventId === undefined || !isUndisturbed) continue;
    const count = deliveries.find(({ event_id }) => event_id === eventId)?.attempt_count;
    const made = (tries.get(eventId)?.length ?? 0) - triesBefore;
    if (count !== undefined && count !== made)
      report(rule, `${made} tries since it was resent count as ${count}`);
  }
}

const rule = "tries of a delivery come as agreed";

/** The pauses after each try; each may be a tenth shorter or longer. */
const pausesMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
];
const triesMax = pausesMs.length + 1;
const longestMs = 1.1 * dayMs + minuteMs;

/** A lease ends after a minute: a sender who takes longer may find that another one has sent the event meanwhile. */
const leaseMs = minuteMs;

/** Whether somebody's request may have begun the tries anew between two of them, at any time while it ran. */
function isAskedBetween(again: Again[], before: Try, one: Try): boolean {
  return again.some(({ at }) => at + invocationMsMax >= before.task.bornAt && at <= one.at);
}

/** Whether the outcome of a try was recorded while its sender held it. While the account moves it cannot be. */
function isRecorded({ task, faultRate }: Try): boolean {
  const { ended, bornAt, isRefused } = task;
  return faultRate === 0 && !isRefused && ended?.outcome === "done" && ended.at - bornAt < leaseMs;
}

function checkPause({ report }: World, before: Try, one: Try, count: number): void {
  const isHeld = one.at - one.task.bornAt < leaseMs;
  if (before.restores !== one.restores || !isRecorded(before) || !isHeld) return;
  const { answer, retryAfterMs } = before;
  if (ends.has(answer)) report(rule, `it is sent again, though the endpoint ${answer}`);
  const agreedMs = retryAfterMs ?? 0.9 * (pausesMs[count - 1] ?? Number.POSITIVE_INFINITY);
  const pauseMs = one.at - before.at;
  /** The sender's clock may be as late as it was when it sent. */
  const lateMs = before.at - before.task.bornAt + secondMs;
  if (count >= triesMax || pauseMs < agreedMs - lateMs)
    report(rule, `try ${count + 1} comes ${pauseMs / secondMs} s after one that ${answer}`);
}

/** After these no try follows by itself. */
const ends = new Set<Answer>(["accepts", "floods", "is gone"]);
