import { hourMs } from "../../src/base/lib/time/durations.ts";
import type { BillingAttempt } from "../../src/domain/billing/tables.ts";
import type { Subscription } from "../../src/domain/subscriptions/tables.ts";

type Waiting = Pick<
  Subscription,
  | "id"
  | "disputed_at"
  | "open_attempt_id"
  | "billing_waiting_since"
  | "billing_retry_at"
  | "billing_blocked_reason"
>;
type Tried = Pick<BillingAttempt, "origin" | "status" | "error_code" | "store_reference" | "first_sent_at">;
/** The attempts that a commit has begun and ended. */
type Tries = { begun: Tried | undefined; ended: Tried | undefined };

/**
 * Checks commit by commit that billing which waits for others is tried again after 1, 2, 4, 8 and 16 hours, then every day, neither
 * earlier by itself nor later, as often as it takes; while a dispute blocks it there is no next try. `latenessMs`: so late an invocation may tell the time.
 */
export function newWaitWatch(
  now: () => number,
  latenessMs: number,
  report: (rule: string, detail: string) => void,
) {
  /** How often a subscription was tried in its present wait. */
  let tries = new Map<string, number>();
  let saved = tries;

  return {
    check(before: Waiting, row: Waiting, { begun, ended }: Tries): void {
      const { billing_retry_at: planned } = before;
      // One that begins with a reference is never sent: it records a charge that was found.
      const isByItself = begun?.origin === "RECURRING" && begun.store_reference === null;
      if (isByItself && planned !== null && Date.parse(planned) > now())
        report(rule, `tried at ${new Date(now()).toISOString()}, and planned for ${planned}`);
      if (row.billing_waiting_since === null) {
        tries.delete(row.id);
        return;
      }
      if (row.open_attempt_id !== null || row.disputed_at !== null) return;
      if (row.billing_retry_at === null)
        report(rule, `waits for ${row.billing_blocked_reason}, and is never tried again`);
      if (!ended || row.billing_retry_at === null) return;
      const pauseMs = Date.parse(row.billing_retry_at) - now();
      const count = (tries.get(row.id) ?? 0) + (isRefused(ended) ? 1 : 0);
      const agreedMs = isRefused(ended) ? (pausesHours[count - 1] ?? 24) * hourMs : 0;
      tries.set(row.id, count);
      if (pauseMs > agreedMs || pauseMs < agreedMs - latenessMs)
        report(rule, `after try ${count} it waits for ${pauseMs / hourMs} hours`);
    },
    mark: (): void => {
      saved = new Map(tries);
    },
    rewind: (): void => {
      tries = saved;
    },
  };
}

const rule = "a wait is tried as often as agreed";

const pausesHours = [1, 2, 4, 8, 16];

/** A try that the store knows of; one that it has never seen is repeated at once, and so is one that gave way to another payment method. */
function isRefused({ status, error_code }: Tried): boolean {
  return status === "FAILED" && error_code !== "withdrawn";
}
