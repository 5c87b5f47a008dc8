import { first, raw } from "../base/db/statement.ts";
import { withFirstWrite } from "../base/db/wrapped/first-write.ts";
import { DomainError } from "../base/errors.ts";
import { later } from "../base/lib/time/dates.ts";
import { hourMs, secondMs } from "../base/lib/time/durations.ts";
import type { Ctx } from "./context.ts";

/**
 * The context of a request that may change something once more in this hour, if it is a customer's: over all of their records, however it
 * came in, its first write is refused with RATE_LIMITED where their history has as many entries of theirs as an hour may have. Counted
 * within the batch, so that requests at one time do not pass it together. What a request has begun it ends.
 */
export function withinHourlyLimit(ctx: Ctx): Ctx {
  if (ctx.actor.type !== "customer") return ctx;
  const condition = {
    sql: `((SELECT COUNT(*) FROM (SELECT 1 ${ofHour} LIMIT CAST(? AS INTEGER))) < CAST(? AS INTEGER))`,
    params: [...hourOf(ctx), perHour, perHour],
  };
  return { ...ctx, db: withFirstWrite(ctx.db, { condition, newRefusal: () => newRefusal(ctx) }) };
}

const perHour = 100;

/** In real time: what a test clock moves is the account's own. An entry says it where the account's time is another. */
const recordedAt = "COALESCE(recorded_at, created_at)";
const ofHour = `FROM activity_logs INDEXED BY activity_logs_by_customer
  WHERE account_seq = ? AND profile_id = ? AND actor_type = 'customer' AND ${recordedAt} > ?`;

function hourOf({ account, actor, realNow }: Ctx) {
  return [account.seq, actor.profile_id ?? "", later(realNow, -hourMs)];
}

/** It ends once the oldest of so many entries is an hour old. */
async function newRefusal(ctx: Ctx): Promise<DomainError> {
  const oldest = raw<{ at: string }>(
    `SELECT ${recordedAt} AS at ${ofHour} ORDER BY ${recordedAt} DESC LIMIT 1 OFFSET CAST(? AS INTEGER)`,
    ...[...hourOf(ctx), perHour - 1],
  );
  const { at } = (await first(ctx.db, oldest)) ?? { at: ctx.realNow };
  const waitMs = Date.parse(at) + hourMs - Date.parse(ctx.realNow);
  const message = `A customer makes at most ${perHour} changes an hour`;
  return new DomainError("RATE_LIMITED", message, undefined, Math.max(1, Math.ceil(waitMs / secondMs)));
}
