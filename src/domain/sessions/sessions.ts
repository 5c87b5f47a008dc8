import { and, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";
import { isMakerLiving, isMakerLivingHere } from "../../base/accounts/key-life.ts";
import { type StaffRole, scopesOfRole, staffRoles } from "../../base/accounts/roles.ts";
import { selectSeq } from "../../base/db/account-seq.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { selectBy } from "../../base/db/row-reads.ts";
import { build, first, inJson, type Params, prepare, statement, subSelect } from "../../base/db/statement.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { type PaymentMethod, paymentMethods } from "../payment-methods/tables.ts";
import { profiles } from "../profiles/tables.ts";
import { staff } from "../staff/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { pruneExpired } from "./one-time-links.ts";
import { type PortalSession, portalLinks, portalSessions } from "./tables.ts";

/**
 * A customer's session and their name. `newest_subscriptions` is JSON: a list of NewestSubscription.
 */
export type OpenSession = PortalSession & {
  name: string | null;
  newest_subscriptions: string;
  /** The name of whoever acts as the customer; null where they do themselves. */
  stand_in: string | null;
  /** Their role where they are a member of staff. */
  stand_in_role: StaffRole | null;
};

/** The id of a subscription, that of its billing attempt in progress, and how long its payment method is valid; nulls where there is none. */
export type NewestSubscription = [
  id: string,
  attemptId: string | null,
  status: PaymentMethod["status"] | null,
  expMonth: number | null,
  expYear: number | null,
];

/**
 * The session of a cookie's secret, in one trip; undefined once it has ended, its customer was deleted, or the key that made its link was
 * revoked or is over. An object asks the directory for that key besides, at most each 30 seconds.
 */
export async function findSession(
  { db, env }: Pick<Ctx, "db" | "env">,
  { accountId, secret, now }: { accountId: string; secret: string; now: Instant },
): Promise<OpenSession | undefined> {
  const by = { account_id: accountId, token_hash: await sha256Hex(secret), now };
  const found = await first(db, selectBySecret(by));
  if (!found) return undefined;
  const { is_maker_living, is_staff_active, ...session } = found;
  const isOfStaff = session.on_behalf_of !== null && session.made_by_key === null;
  if (isOfStaff && !is_staff_active) return undefined;
  if (is_maker_living) return session;
  if (db.engine !== "object") return undefined;
  return (await isMakerLiving({ db, env }, { keyId: session.made_by_key, now })) ? session : undefined;
}

/**
 * The customer of a session's secret, also once it has ended, for as long as its row is kept; undefined where somebody else has acted as them.
 */
export async function findCustomerOf(
  { db, account }: Pick<Ctx, "db" | "account">,
  secret: string,
): Promise<string | undefined> {
  const found = await first(
    db,
    selectByHash({ account_seq: account.seq, token_hash: await sha256Hex(secret) }),
  );
  return found?.on_behalf_of === null ? found.profile_id : undefined;
}

const selectByHash = selectBy(portalSessions, "account_seq", "token_hash");

/** Ends one session. */
export async function endSession({ db, account }: Pick<Ctx, "db" | "account">, id: string): Promise<void> {
  const isIt = and(eq(portalSessions.account_seq, account.seq), eq(portalSessions.id, id));
  await commit({ db }, [statement(build.delete(portalSessions).where(isIt))]);
}

/** Ends all sessions and links of a customer, or of all customers. */
export async function endSessionsOf(
  { db, account }: Pick<Ctx, "db" | "account">,
  profileId?: string,
): Promise<void> {
  const deletions = [portalLinks, portalSessions].map((table) => {
    const isTheirs = profileId === undefined ? undefined : eq(table.profile_id, profileId);
    return statement(build.delete(table).where(and(eq(table.account_seq, account.seq), isTheirs)));
  });
  await commit({ db }, deletions);
}

/** Deletes the links and sessions that are over. */
export function pruneSessions(db: Db, now: Date): Promise<void> {
  return pruneExpired(db, now, [portalLinks, portalSessions]);
}

/** The roles that may act as a customer, as JSON. */
const standInRoles = JSON.stringify(
  staffRoles.filter((role) => scopesOfRole(role).includes("subscriptions:write")),
);

/** The number that a page of the portal shows. */
const shown = 25;

const newestOfCustomer: SQL<string> = sql<string>`(SELECT json_group_array(json_array(newest.id,
    newest.attempt_id, method.status, method.exp_month, method.exp_year)) FROM (
  SELECT ${subscriptions.account_seq} AS account_seq, ${subscriptions.id} AS id, ${subscriptions.open_attempt_id} AS attempt_id,
    ${subscriptions.payment_method_id} AS method_id FROM ${subscriptions} WHERE ${subscriptions.account_seq} = ${portalSessions.account_seq}
    AND ${subscriptions.profile_id} = ${portalSessions.profile_id}
  ORDER BY ${subscriptions.created_at} DESC, ${subscriptions.id} DESC LIMIT ${sql.raw(String(shown))}) AS newest
  LEFT JOIN ${paymentMethods} AS method ON method.account_seq = newest.account_seq AND method.id = newest.method_id)`;

const selectBySecret = prepare((p: Params<{ account_id: string; token_hash: string; now: string }>) =>
  build
    .select({
      ...getTableColumns(portalSessions),
      name: sql<
        string | null
      >`NULLIF(trim(COALESCE(${profiles.first_name}, '') || ' ' || COALESCE(${profiles.last_name}, '')), '')`.as(
        "name",
      ),
      newest_subscriptions: subSelect(newestOfCustomer, "newest_subscriptions"),
      is_maker_living: isMakerLivingHere(portalSessions.made_by_key, p("now")).as("is_maker_living"),
      stand_in: sql<string | null>`COALESCE(${staff.name}, ${portalSessions.made_by})`.as("stand_in"),
      stand_in_role: sql<StaffRole | null>`${staff.role}`.as("stand_in_role"),
      is_staff_active: sql<
        0 | 1
      >`(${staff.status} = 'ACTIVE' AND ${inJson(staff.role, sql`${standInRoles}`)})`.as("is_staff_active"),
    })
    .from(portalSessions)
    .innerJoin(
      profiles,
      and(
        eq(profiles.account_seq, portalSessions.account_seq),
        eq(profiles.id, portalSessions.profile_id),
        isNull(profiles.deleted_at),
      ),
    )
    .leftJoin(
      staff,
      and(eq(staff.account_seq, portalSessions.account_seq), eq(staff.id, portalSessions.made_by)),
    )
    .where(
      and(
        eq(portalSessions.account_seq, selectSeq(p("account_id"))),
        eq(portalSessions.token_hash, p("token_hash")),
        gt(portalSessions.expires_at, p("now")),
      ),
    ),
);
