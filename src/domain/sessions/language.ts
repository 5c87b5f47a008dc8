import { and, eq } from "drizzle-orm";
import type { PortalLocale } from "../../base/accounts/portal-settings.ts";
import { commit } from "../../base/db/commit.ts";
import { build, statement } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { changeProfile } from "../profiles/actions.ts";
import { getProfile } from "../profiles/queries.ts";
import { type PortalSession, portalSessions } from "./tables.ts";

/** Has the pages of a session speak another language from now on. */
export async function chooseLanguage(
  { db }: Pick<Ctx, "db">,
  { account_seq, id }: Pick<PortalSession, "account_seq" | "id">,
  locale: PortalLocale,
): Promise<void> {
  const isIt = and(eq(portalSessions.account_seq, account_seq), eq(portalSessions.id, id));
  await commit({ db }, [statement(build.update(portalSessions).set({ locale }).where(isIt))]);
}

/**
 * Has mails speak the language of the portal that a customer has signed in to, if neither they nor the shop have chosen one before. The
 * customer is signed in whatever comes of it: the next time finds it undone.
 */
export async function adoptLanguage(ctx: Ctx, profileId: string, locale: PortalLocale): Promise<void> {
  const actor = { type: "customer", name: null, profile_id: profileId } as const;
  const adopt = async (): Promise<void> => {
    const profile = await getProfile(ctx, profileId);
    if (profile.locale === null) await changeProfile({ ...ctx, actor }, profileId, { locale });
  };
  await adopt().catch((error) => {
    ctx.log("portal_language_not_kept", { account_id: ctx.account.id, cause: String(error) });
  });
}
