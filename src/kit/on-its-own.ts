import { classify } from "../base/db/commit.ts";
import { DomainError } from "../base/errors.ts";
import { AccessDeniedError, StoreThrottledError, UnknownOutcomeError } from "../stores/port.ts";
import type { Ctx } from "./context.ts";

/** The task, and the ids of the record, by which the log names it. */
type Names = { task: string } & Record<string, string | number | null>;
type Logging = Pick<Ctx, "log" | "account">;

/**
 * Does the work on one of many records, so that whatever is wrong with it, a fault of ours included, holds up none of the others: it is
 * logged as an alert, and undefined is returned. An outage says nothing of the record, and is thrown.
 */
export async function onItsOwn<T>(
  ctx: Logging,
  names: Names,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isOutage(error)) throw error;
    reportFailed(ctx, names, error);
    return undefined;
  }
}

/**
 * Asks the store about one of many records, as `onItsOwn`. One about which it does not answer is left to the next look. A store that asks for
 * a pause, or does not let the app read, says so of all of them: that is thrown.
 */
export async function lookOnItsOwn<T>(
  ctx: Logging,
  names: Names,
  look: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof AccessDeniedError || error instanceof StoreThrottledError) throw error;
    if (!(error instanceof UnknownOutcomeError) && isOutage(error)) throw error;
    if (error instanceof UnknownOutcomeError)
      ctx.log("store_outcome_unknown", { account_id: ctx.account.id, ...names, cause: error.message });
    else reportFailed(ctx, names, error);
    return undefined;
  }
}

/**
 * Does work on many records in one batch, which one of them may break: then on each half of them, down to that one, which is logged as an
 * alert. Returns those that it was done for. An outage is thrown.
 */
export async function inHalves<T>(
  ctx: Logging,
  records: T[],
  namesOf: (record: T) => Names,
  work: (records: T[]) => Promise<unknown>,
): Promise<T[]> {
  const [first] = records;
  if (first === undefined) return [];
  try {
    await work(records);
    return records;
  } catch (error) {
    if (isOutage(error)) throw error;
    if (records.length > 1) {
      const half = Math.ceil(records.length / 2);
      const done = await inHalves(ctx, records.slice(0, half), namesOf, work);
      return [...done, ...(await inHalves(ctx, records.slice(half), namesOf, work))];
    }
    reportFailed(ctx, namesOf(first), error);
    return [];
  }
}

export function reportFailed({ log, account }: Logging, names: Names, cause: unknown): void {
  log("record_failed", { alert: true, account_id: account.id, ...names, cause: String(cause) });
}

/** Whether the database or the store was out of reach, or has asked for a pause. */
export function isOutage(error: unknown): boolean {
  if (error instanceof UnknownOutcomeError) return true;
  const cause = classify(error);
  return cause instanceof DomainError && cause.code === "UNAVAILABLE";
}
