import { sql } from "drizzle-orm";
import { isMakerLiving } from "../../base/accounts/key-life.ts";
import { portalUrlOf } from "../../base/accounts/portal-address.ts";
import type { PortalLocale } from "../../base/accounts/portal-settings.ts";
import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { linkMs, newSecret, sessionMs, spendStatements } from "./one-time-links.ts";
import { type PortalSession, portalLinks, portalSessions } from "./tables.ts";

/** Makes a link that signs a customer in. Only its hash is kept, so nobody can read it later. */
export async function createLink(
  ctx: Ctx,
  { profileId, returnUrl = null, locale = null, madeByKey = null, standIn, guards = [] }: NewLink,
): Promise<{ url: string; expires_at: Instant }> {
  const token = newSecret();
  const expires_at = later(ctx.realNow, linkMs);
  const link = {
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    profile_id: profileId,
    token_hash: await sha256Hex(token),
    return_url: returnUrl,
    locale,
    session_id: null,
    created_at: ctx.realNow,
    expires_at,
    made_by_key: madeByKey,
    ...(standIn ? { made_by: standIn.madeBy, on_behalf_of: profileId } : {}),
  };
  await commit({ db: ctx.db }, [...guards, insertRow(portalLinks, link)]);
  return { url: `${portalUrlOf(ctx)}/enter?token=${token}`, expires_at };
}

/**
 * Turns a link into a session: returns the secret for the session's cookie, or undefined where the link is unknown, used or
 * expired, or where its customer was deleted. Of two requests at once the link serves one: its row names the session. That of a key which was
 * revoked is spent in vain, as its session is none (sessions.ts).
 */
export async function spendLink(ctx: Ctx, token: string): Promise<SpentLink | undefined> {
  const { db, account, realNow, newId } = ctx;
  const [secret, id, expires_at] = [newSecret(), newId(), later(realNow, sessionMs)];
  const session: Record<keyof PortalSession, unknown> = {
    id: sql`${id}`.as("id"),
    account_seq: portalLinks.account_seq,
    profile_id: portalLinks.profile_id,
    token_hash: sql`${await sha256Hex(secret)}`.as("token_hash"),
    return_url: portalLinks.return_url,
    locale: portalLinks.locale,
    created_at: sql`${realNow}`.as("created_at"),
    expires_at: sql`${expires_at}`.as("expires_at"),
    made_by_key: portalLinks.made_by_key,
    made_by: portalLinks.made_by,
    on_behalf_of: portalLinks.on_behalf_of,
  };
  const [spent] = await commit(
    { db },
    spendStatements<Omit<SpentLink, "secret"> & { made_by_key: string | null }>({
      links: portalLinks,
      sessions: portalSessions,
      link: { account_seq: account.seq, token_hash: await sha256Hex(token) },
      session_id: id,
      now: realNow,
      isOpen: hasCustomer,
      session,
      returned: {
        profile_id: portalLinks.profile_id,
        locale: portalLinks.locale,
        made_by_key: portalLinks.made_by_key,
        on_behalf_of: portalLinks.on_behalf_of,
      },
    }),
  );
  const [link] = spent.rows;
  if (!link) return undefined;
  const { made_by_key: keyId, ...its } = link;
  return (await isMakerLiving(ctx, { keyId, now: realNow })) ? { secret, ...its } : undefined;
}

/**
 * The secret of the session that a link has become, its customer, and the language that the link asks for; `on_behalf_of` where it is somebody else
 * who signs in as them.
 */
type SpentLink = {
  secret: string;
  profile_id: string;
  locale: PortalLocale | null;
  on_behalf_of: string | null;
};

type NewLink = {
  profileId: string;
  returnUrl?: string | null;
  locale?: PortalLocale | null;
  /** The key that it ends with; none for a link that the customer asks for. */
  madeByKey?: string | null;
  /** Whoever signs in as the customer: the id of a member of staff, or a name. */
  standIn?: { madeBy: string | null } | undefined;
  /** Statements that refuse it. */
  guards?: Statement[];
};

const hasCustomer = sql`EXISTS (SELECT 1 FROM profiles WHERE profiles.account_seq = ${portalLinks.account_seq}
  AND profiles.id = ${portalLinks.profile_id} AND profiles.deleted_at IS NULL)`;
