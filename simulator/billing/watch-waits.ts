import { hourMs } from "../../src/base/lib/time/durations.ts";
import { changesOf, type Seen, type SeenAttempt } from "../accounts/seen.ts";
import { invocationMsMax } from "../kernel/pass-time.ts";
import { perAccount } from "../kernel/per-account.ts";
import type { Part, World } from "../kernel/world.ts";

/** How often a subscription was tried in each of its waits, to which it may come back. */
const tries = perAccount(() => ({ now: new Map<string, number>(), saved: new Map<string, number>() }));

/**
 * Billing that waits for others is tried again after 1, 2, 4, 8 and 16 hours, then every day, neither earlier by itself nor later, as often as
 * it takes; while a dispute blocks it there is no next try.
 */
export const waits: Part = {
  watch(world) {
    const { rows, attempts } = changesOf(world);
    for (const { before, now } of rows) {
      if (!before) continue;
      const hasChanged = before.open_attempt_id !== now.open_attempt_id;
      const attemptOf = (id: string | null) =>
        hasChanged && id !== null ? attempts.find((one) => one.now.id === id)?.now : undefined;
      check(world, before, now, {
        begun: attemptOf(now.open_attempt_id),
        ended: attemptOf(before.open_attempt_id),
      });
    }
  },
  mark({ worlds }) {
    for (const one of worlds) tries(one).saved = new Map(tries(one).now);
  },
  rewind({ worlds }) {
    for (const one of worlds) tries(one).now = tries(one).saved;
  },
};

/** The attempts that a commit has begun and ended. */
type Tries = { begun: SeenAttempt | undefined; ended: SeenAttempt | undefined };

function check(world: World, before: Seen, row: Seen, { begun, ended }: Tries): void {
  const { report, clock } = world;
  const counts = tries(world).now;
  const { billing_retry_at: planned } = before;
  // One that begins with a reference is never sent: it records a charge that was found.
  const isByItself = begun?.origin === "RECURRING" && begun.store_reference === null;
  if (isByItself && planned !== null && Date.parse(planned) > clock)
    report(rule, `tried at ${new Date(clock).toISOString()}, and planned for ${planned}`);
  if (row.billing_waiting_since === null) return;
  const wait = `${row.id} since ${row.billing_waiting_since}`;
  if (row.open_attempt_id !== null || row.disputed_at !== null) return;
  if (row.billing_retry_at === null)
    report(rule, `waits for ${row.billing_blocked_reason}, and is never tried again`);
  if (!ended || row.billing_retry_at === null) return;
  const pauseMs = Date.parse(row.billing_retry_at) - clock;
  const count = (counts.get(wait) ?? 0) + (isRefused(ended) ? 1 : 0);
  const agreedMs = isRefused(ended) ? (pausesHours[count - 1] ?? 24) * hourMs : 0;
  counts.set(wait, count);
  // So late an invocation may tell the time.
  if (pauseMs > agreedMs || pauseMs < agreedMs - invocationMsMax)
    report(rule, `after try ${count} it waits for ${pauseMs / hourMs} hours`);
}

const rule = "a wait is tried as often as agreed";

const pausesHours = [1, 2, 4, 8, 16];

/** A try that the store knows of; one that it has never seen is repeated at once, and so is one that gave way to another payment method. */
function isRefused({ status, error_code }: SeenAttempt): boolean {
  return status === "FAILED" && error_code !== "withdrawn";
}
