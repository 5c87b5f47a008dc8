import { z } from "zod";
import { portalLocales, portalSettingsOf } from "../../base/accounts/portal-settings.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { DomainError } from "../../base/errors.ts";
import type { Job } from "../../base/job.ts";
import { emailKey } from "../../base/lib/email-address.ts";
import type { Ctx } from "../../kit/context.ts";
import type { ActivityLog } from "../../kit/journal/tables.ts";
import { createRecord } from "../../kit/journal/write.ts";
import { profileEntry } from "../profiles/entries.ts";
import { findProfile, findProfilesByEmail } from "../profiles/queries.ts";
import { createLink } from "./links.ts";
import { guardBelowLimit, isStale, openRequest, sealRequest } from "./one-time-links.ts";

/**
 * The job that looks whether the account knows an e-mail address, once the form is answered. The address is sealed: no queue and no log
 * shows who was asked for.
 */
export async function loginJob(
  { env, account, newId }: Pick<Ctx, "env" | "account" | "newId">,
  asked: Omit<Asked, "request_id">,
): Promise<Job> {
  const request: Asked = { request_id: newId(), ...asked };
  const sealed = await sealRequest({ env, account }, "portal", request);
  return { type: "request_login", account_id: account.id, sealed };
}

/**
 * Tells the merchant's mailer that a customer wants a link, if the account knows the e-mail address; five times an hour at
 * most, and once for each request: one that is an hour old is dropped, as nobody waits for its link any more. The link is made when the
 * event is sent, at the address that the portal then has.
 */
export async function recordLogin(ctx: Ctx, sealed: string): Promise<void> {
  const asked = await openAsked(ctx, sealed);
  if (!asked) return ctx.log("portal_login_not_recorded");
  const { email, request_id, locale, is_printed, asked_at = ctx.realNow } = asked;
  if (isStale(asked_at, ctx)) return ctx.log("portal_login_not_recorded");
  const record = async (): Promise<void> => {
    const key = emailKey(email);
    const profile = (await findProfilesByEmail(ctx, [key])).get(key);
    if (!profile) return;
    const actor = { type: "customer", name: null, profile_id: profile.id } as const;
    const entry = { ...profileEntry("portal_login_requested", profile), metadata: { request_id, locale } };
    await createRecord({ ...ctx, actor }, [entry], [guardBelowLimit(ctx, entry, request_id)]);
    if (is_printed) ctx.log("portal_login_link", await createLink(ctx, { profileId: profile.id, locale }));
  };
  await retryOnConflict(record).catch((error) => {
    if (!(error instanceof DomainError && error.code === "VERSION_CONFLICT")) throw error;
    ctx.log("portal_login_not_recorded");
  });
}

/** A fresh link for the mailer; null where the portal was switched off or the customer deleted meanwhile. */
export async function createLinkForLogin(
  ctx: Ctx,
  { profile_id, metadata }: Requested,
): Promise<{ url: string; expires_at: string } | null> {
  const { locale } = JSON.parse(metadata ?? "{}") as { locale?: string };
  if (profile_id === null || !portalSettingsOf(ctx.account).is_enabled) return null;
  const profile = await findProfile(ctx, profile_id);
  const known = portalLocales.find((one) => one === locale) ?? null;
  return profile ? createLink(ctx, { profileId: profile.id, locale: known }) : null;
}

/**
 * A request to be sent a link. `is_printed` where nobody sends it, and the terminal of a local server shows it. One that does not say when it
 * was made counts as new.
 */
const askedSchema = z.object({
  request_id: z.string(),
  email: z.string(),
  locale: z.enum(portalLocales),
  is_printed: z.boolean(),
  asked_at: z.string().optional(),
});
type Asked = z.output<typeof askedSchema>;

async function openAsked(ctx: Ctx, sealed: string): Promise<Asked | undefined> {
  const asked = await openRequest(ctx, "portal", sealed);
  return asked === undefined ? undefined : askedSchema.parse(asked);
}

/** The entry of a login request, as far as its link needs it. */
type Requested = Pick<ActivityLog, "profile_id" | "metadata">;
