import { and, desc, eq, gt, inArray, or, sql } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import type { Statement } from "../../../base/db/port.ts";
import { build, columnsEqual, type Params, prepare } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import { hourMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { billingAttempts as attempts, type BillingAttempt } from "../../billing/tables.ts";

type RequestedAttempt = Pick<BillingAttempt, "requested_at" | "subscription_id">;

/**
 * The attempts that people have caused within the last hour of real time, newest first: by ship-now, retry-payment, switches of the
 * payment method, and as the first charges of lives that began with a reactivation, in sum. To be read in one trip with the subscription.
 */
export function selectAttemptsOfHour(
  { account, realNow }: Ctx,
  subscription_id: string,
): Statement<RequestedAttempt> {
  return selectCausedByPeople({ account_seq: account.seq, subscription_id, since: later(realNow, -hourMs) });
}

/** Does as `selectAttemptsOfHour`, for each of several subscriptions. */
export function selectAttemptsOfHourOfAll(ctx: Ctx, ids: string[]): Statement<RequestedAttempt>[] {
  return ids.map((id) => selectAttemptsOfHour(ctx, id));
}

/** Whether people may cause another attempt now. Repetitions and refusals have started none, so that they do not count. */
export function isBelowHourlyLimit(recent: RequestedAttempt[]): boolean {
  return recent.length < maxPerHour;
}

/** Refuses the sixth new attempt within an hour of real time. Throws RATE_LIMITED. */
export function requireBelowHourlyLimit(ctx: Ctx, recent: RequestedAttempt[]): void {
  const fifth = recent[maxPerHour - 1];
  if (!fifth) return;
  const retryAfter = Math.ceil((Date.parse(fifth.requested_at) + hourMs - Date.parse(ctx.realNow)) / 1000);
  const message = `At most ${maxPerHour} new attempts an hour can be started by ship-now, retry-payment, switches of the payment method and reactivations for today`;
  throw new DomainError("RATE_LIMITED", message, undefined, retryAfter);
}

const maxPerHour = 5;
/** More attempts than a subscription has in an hour. */
const mostOfHour = 30;

const selectCausedByPeople = prepare(
  (p: Params<{ account_seq: AccountSeq; subscription_id: string; since: Instant }>) => {
    const newest = build
      .select({
        subscription_id: attempts.subscription_id,
        requested_at: attempts.requested_at,
        origin: attempts.origin,
        is_switch: attempts.is_switch,
        activation: attempts.activation,
        cycle: attempts.cycle,
      })
      .from(attempts)
      .where(columnsEqual(attempts, p, "account_seq", "subscription_id"))
      .orderBy(desc(attempts.created_at), desc(attempts.seq))
      .limit(mostOfHour)
      .as("newest");
    const isOfReactivation = and(
      eq(newest.origin, "RECURRING"),
      gt(newest.activation, 1),
      eq(newest.cycle, 1),
    );
    return build
      .select({ requested_at: newest.requested_at, subscription_id: newest.subscription_id })
      .from(newest)
      .where(
        and(
          or(inArray(newest.origin, ["SHIP_NOW", "RETRY"]), eq(newest.is_switch, 1), isOfReactivation),
          sql`${newest.requested_at} > ${p("since")}`,
        ),
      )
      .orderBy(desc(newest.requested_at));
  },
);
