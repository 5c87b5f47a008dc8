import { portalLocales, portalSettingsOf } from "../accounts/portal-settings.ts";
import type { Ctx } from "../context.ts";
import { decide, guard } from "../db/decide.ts";
import { DomainError } from "../errors.ts";
import type { ActivityLog } from "../journal/tables.ts";
import { created } from "../journal/write.ts";
import { later } from "../lib/dates.ts";
import { fold } from "../lib/text.ts";
import { profileEntry } from "../profiles/entries.ts";
import { findProfile, findProfilesByEmail } from "../profiles/queries.ts";
import { createLink } from "./links.ts";

const hourMs = 3_600_000;
const perHour = 5;

/**
 * Tells the merchant's mailer that a customer wants a link, if the account knows the e-mail address; five times an hour at
 * most. The entry names the portal's address, which the mailer's link is made of when it is sent.
 */
export async function requestLogin(
  ctx: Ctx,
  { email, portal, locale }: { email: string; portal: string; locale: string },
): Promise<void> {
  const metadata = { portal, locale };
  const record = async (): Promise<void> => {
    const profile = (await findProfilesByEmail(ctx, [fold(email)])).get(fold(email));
    if (!profile) return;
    const actor = { type: "customer", name: null, profile_id: profile.id } as const;
    const entry = { ...profileEntry("portal_login_requested", profile), metadata };
    await created({ ...ctx, actor }, [entry], [belowLimit(ctx, profile.id)]);
  };
  await decide(record).catch((error) => {
    if (!(error instanceof DomainError && error.code === "VERSION_CONFLICT")) throw error;
    ctx.log("portal_login_not_recorded", { account_id: ctx.account.id });
  });
}

/** The entry of a login request, as far as its link needs it. */
type Requested = Pick<ActivityLog, "profile_id" | "metadata">;

/** A fresh link for the mailer; null where the portal was switched off or the customer deleted meanwhile. */
export async function linkForLogin(
  ctx: Ctx,
  { profile_id, metadata }: Requested,
): Promise<{ url: string; expires_at: string } | null> {
  const { portal, locale } = JSON.parse(metadata ?? "{}") as { portal?: string; locale?: string };
  if (profile_id === null || portal === undefined || !portalSettingsOf(ctx.account).is_enabled) return null;
  const profile = await findProfile(ctx.db, ctx.account.id, profile_id);
  const known = portalLocales.find((one) => one === locale) ?? null;
  return profile ? createLink(ctx, { profileId: profile.id, portal, locale: known }) : null;
}

/** Counted within the batch, so that requests at the same time do not pass it together. */
function belowLimit({ account, realNow }: Ctx, profileId: string) {
  return guard(
    `(SELECT COUNT(*) FROM activity_logs INDEXED BY activity_logs_by_record WHERE account_id = ? AND loggable_type = 'profile' AND loggable_id = ?
      AND action = 'portal_login_requested' AND COALESCE(recorded_at, created_at) > ?) >= ?`,
    [account.id, profileId, later(realNow, -hourMs), perHour],
  );
}
