import { guard, isGuard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { first, raw } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { type CalendarDate, type Instant, later } from "../../base/lib/time/dates.ts";
import { hourMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { findProfilesOfCustomer } from "../profiles/queries.ts";
import { createLink } from "./links.ts";

type StoreSession = { url: string; expires_at: Instant; next_delivery_date: CalendarDate | null };

/**
 * Makes a link for a customer who is signed in at the store. Undefined for one whom the account does not know. Throws RATE_LIMITED beyond five
 * links an hour; those that a key has asked for are not counted.
 */
export async function openStoreSession(ctx: Ctx, storeCustomerId: string): Promise<StoreSession | undefined> {
  const [profile] = await findProfilesOfCustomer(ctx, storeCustomerId);
  if (!profile) return undefined;
  const next = await first(ctx.db, selectNextDelivery(ctx, profile.id));
  const link = { profileId: profile.id, guards: [guardBelowLimit(ctx, profile.id)] };
  const made = await createLink(ctx, link).catch((error) => {
    if (!isGuard(error)) throw error;
    const message = `At most ${perHour} links an hour are made for a customer`;
    throw new DomainError("RATE_LIMITED", message, undefined, hourMs / 1000);
  });
  return { ...made, next_delivery_date: next?.on ?? null };
}

const perHour = 5;

/** Counted within the batch, so that requests at the same time do not pass it together. */
function guardBelowLimit({ account, realNow }: Ctx, profileId: string): Statement {
  return guard(
    `(SELECT COUNT(*) FROM portal_links INDEXED BY portal_links_of_profile
      WHERE account_seq = ? AND profile_id = ? AND made_by_key IS NULL AND created_at > ?) >= ?`,
    [account.seq, profileId, later(realNow, -hourMs), perHour],
  );
}

function selectNextDelivery({ account }: Ctx, profileId: string): Statement<{ on: CalendarDate | null }> {
  return raw<{ on: CalendarDate | null }>(
    `SELECT MIN(next_delivery_date) AS "on" FROM subscriptions
      WHERE account_seq = ? AND profile_id = ? AND status = 'ACTIVE'`,
    ...[account.seq, profileId],
  );
}
