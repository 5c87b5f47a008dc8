import { and, eq } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { build, first, statement } from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import { eraseProfileJob } from "../../base/job.ts";
import { later } from "../../base/lib/time/dates.ts";
import { minuteMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { defineOutbox } from "../../kit/outbox/outbox.ts";
import { defineSweep } from "../../kit/outbox/sweep.ts";
import { eraseCustomerOfUnsupported } from "../contracts/unsupported.ts";
import { removeProfile, requireNotInUse } from "../profiles/actions.ts";
import { erasedEmail } from "../profiles/rules.ts";
import { type Profile, profiles } from "../profiles/tables.ts";
import { redactProfile } from "./redact-customer.ts";
import { profileErasures as erasures, type ProfileErasure } from "./tables.ts";

/**
 * Has everything personal erased that is known of a customer: the profile is deleted at once, with the row by which a job erases the rest.
 * A profile that was deleted before can be erased too. Refused (PROFILE_IN_USE) while one of its subscriptions can be billed.
 */
export async function requestErasure(
  ctx: Ctx,
  id: string,
): Promise<{ erasure: ProfileErasure; profile: Profile }> {
  const { account, realNow, now } = ctx;
  const erasure = { account_seq: account.seq, profile_id: id, requested_at: now, next_action_at: realNow };
  const insert = statement(build.insert(erasures).values(erasure).onConflictDoNothing());
  const profile = await retryOnConflict(async () => {
    const profile = await findAnyProfile(ctx, id);
    if (!profile || profile.email === erasedEmail(id)) throw notFound("Profile");
    if (profile.deleted_at === null) return removeProfile(ctx, id, [insert]);
    await commit(ctx, [await requireNotInUse(ctx, id), insert]);
    return profile;
  });
  await ctx.send([eraseProfileJob(account.id, id)]);
  return { erasure, profile };
}

/** Erases a customer, once. An erasure that was interrupted is taken up again where it was left. */
export async function eraseProfile(ctx: Ctx, profileId: string): Promise<void> {
  const { account, realNow } = ctx;
  const due = { account_seq: account.seq, profile_id: profileId };
  const again = { next_action_at: later(realNow, longestMs) };
  const [taken] = await commit({ db: ctx.db }, [outbox.takeDue(due, again, realNow)]);
  if (taken.rows.length === 0) return;
  const profile = await findAnyProfile(ctx, profileId);
  if (profile?.store_customer_id) await eraseCustomerOfUnsupported(ctx, profile.store_customer_id);
  if (profile) await redactProfile(ctx, profile);
  ctx.log("customer_redacted", { account_id: account.id, profile_ids: [profileId] });
  await commit({ db: ctx.db }, [outbox.drop(due)]);
}

/** Longer than an erasure takes. */
const longestMs = 15 * minuteMs;

const outbox = defineOutbox({ table: erasures, id: "profile_id", due: "next_action_at" });

/** A profile, deleted or not. */
function findAnyProfile({ db, account }: Ctx, id: string): Promise<Profile | undefined> {
  const isIt = and(eq(profiles.account_seq, account.seq), eq(profiles.id, id));
  return first(db, statement(build.select().from(profiles).where(isIt)));
}

/** Erasures that are due, by real time: their message was lost, or whoever worked on them has died. Reads across accounts, as cron does. */
export const erasureSweep = defineSweep({ ...outbox, size: 20 }, ({ account_id, profile_id }) =>
  eraseProfileJob(account_id, profile_id),
);
