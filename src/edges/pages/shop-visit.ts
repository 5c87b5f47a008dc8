import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { cachedElsewhere, findAccountByShop } from "../../base/accounts/queries.ts";
import { normalizeShop } from "../../base/accounts/shop.ts";
import type { Account } from "../../base/accounts/tables.ts";
import type { Db } from "../../base/db/port.ts";
import { sideBySide } from "../../base/db/wrapped/side-by-side.ts";
import { perEnv } from "../../base/env.ts";
import { notFound } from "../../base/errors.ts";
import { hourMs } from "../../base/lib/time/durations.ts";
import { ttlCache } from "../../base/lib/ttl-cache.ts";
import type { HonoEnv } from "../../kit/http/document/operation.ts";
import { forwardUnproven } from "../../kit/http/forward.ts";
import { countByAddress } from "../../kit/http/rate-limit.ts";

/** The time that a session lasts. */
export const sessionSeconds = 12 * 3_600;

/** The cookie of a session. It names its account, so that the pages of another shop do not take it for their own. */
export type SessionCookie = { name: string; sameSite: "Lax" | "Strict"; maxAge: number };

/** The console's, which no other site's page sends along. */
export const staffCookie: SessionCookie = {
  name: "__Host-perennial-console",
  sameSite: "Strict",
  maxAge: sessionSeconds,
};

/** Signs the browser in: its session is a cookie of this host alone. */
export function keepSession(
  c: Context<HonoEnv>,
  { name, ...its }: SessionCookie,
  { account: { id }, secret }: { account: Pick<Account, "id">; secret: string },
): void {
  const options = { path: "/", secure: true, httpOnly: true, ...its } as const;
  setCookie(c, name, `${id}.${secret}`, options);
}

type BySecret = { accountId: string; secret: string; now: string };
type Finding<Session> = {
  cookie: SessionCookie;
  find: (db: Db, by: BySecret) => Promise<Session | undefined>;
};

/**
 * The shop and the session of a request, in one trip; or the answer of the shop's object, which proves and counts sessions itself once
 * this isolate knows the shop. Throws NOT_FOUND where there is no such shop.
 */
export async function openShop<Session>(
  c: Context<HonoEnv>,
  { cookie: { name }, find }: Finding<Session>,
): Promise<{ account: Account; shop: string; session: Session | undefined } | Response> {
  const shop = normalizeShop(c.req.param("shop") ?? "");
  const now = c.get("now");
  const forwarded = await forwardUnproven(c, cachedElsewhere(c.get("db"), shop, now.getTime()));
  if (forwarded) return forwarded;
  const cookie = getCookie(c, name) ?? "";
  const [accountId = "", secret = ""] = cookie.split(".");
  const seen = proven(c.get("env"));
  if (!seen.get(cookie, now.getTime())) await countByAddress(c);
  const [account, found] = await sideBySide(c.get("db"), [
    (db) => findAccountByShop(db, shop, now.getTime()),
    async (db) => (secret === "" ? undefined : find(db, { accountId, secret, now: now.toISOString() })),
  ] as const);
  if (!account) throw notFound("Shop");
  const answered = await forwardUnproven(c, account);
  if (answered) return answered;
  const session = accountId === account.id ? found : undefined;
  if (session) seen.set(cookie, true, now.getTime());
  return { account, shop, session };
}

/** Sessions that this isolate has proven: their requests are counted by whose they are, all others by client address. */
const proven = perEnv(() => ttlCache<true>(hourMs, 10_000));
