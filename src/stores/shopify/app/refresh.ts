import { and, eq, isNull, lte, or } from "drizzle-orm";
import { selectSeq } from "../../../base/db/account-seq.ts";
import { commit } from "../../../base/db/commit.ts";
import type { Db } from "../../../base/db/port.ts";
import { build, statement } from "../../../base/db/statement.ts";
import { seal } from "../../../base/lib/secrets/sealed.ts";
import { minuteMs } from "../../../base/lib/time/durations.ts";
import { StoreThrottledError, UnknownOutcomeError } from "../../port.ts";
import { shopifyConnections as connections } from "../tables.ts";
import type { App } from "./app.ts";
import type { InstalledCredentials } from "./installed-credentials.ts";
import { type OfflineToken, refreshToken } from "./token.ts";

type Input = {
  db: Db;
  key: string;
  app: App | undefined;
  accountId: string;
  shop: string;
  /** The one whom the credentials are sealed for. */
  owner: string;
  sealed: string;
  credentials: InstalledCredentials;
  nowMs: number;
};

/**
 * The token of an installed app, refreshed if it is about to expire. One at a time refreshes it, and a new refresh token is stored
 * before its access token is used: a refresh whose answer is lost is repeated with the token that is stored. Throws
 * UnknownOutcomeError if the token has expired and there is no other yet, StoreRefusalError if Shopify has ended it.
 */
export async function ensureFreshToken(input: Input): Promise<string> {
  const { credentials, nowMs } = input;
  const expiresMs = Date.parse(credentials.expires_at);
  if (expiresMs - nowMs > marginMs) return credentials.access_token;
  try {
    return await refresh(input);
  } catch (error) {
    const isStillGood = expiresMs - nowMs > leaseMs;
    if (isStillGood && error instanceof UnknownOutcomeError) return credentials.access_token;
    throw error;
  }
}

/** The credentials to store for a token, with the instants at which it expires. */
export function installedCredentials(
  { access_token, expires_in, refresh_token, refresh_token_expires_in }: OfflineToken,
  { clientId }: App,
  nowMs: number,
): InstalledCredentials {
  const after = (seconds: number) => new Date(nowMs + seconds * 1000).toISOString();
  return {
    app_id: clientId,
    access_token,
    expires_at: after(expires_in),
    refresh_token,
    refresh_expires_at: after(refresh_token_expires_in),
  };
}

/** Well before the hour is over, so that a refresh that fails can be repeated while the token is still good. */
const marginMs = 10 * minuteMs;
const leaseMs = 45_000;
const retryAfterSeconds = 3;

async function refresh(input: Input): Promise<string> {
  const { app, shop, credentials, nowMs, key, owner } = input;
  if (!app) throw new UnknownOutcomeError("STORE_CLIENT_ID and STORE_CLIENT_SECRET are not set");
  await takeLease(input);
  const answer = await refreshToken(shop, app, credentials.refresh_token).catch(async (error) => {
    await storeValues(input, { refreshing_until: null });
    throw error;
  });
  const fresh = installedCredentials(answer, app, nowMs);
  const sealed = await seal(key, owner, JSON.stringify(fresh));
  await storeValues(input, { credentials: sealed, refreshing_until: null });
  return fresh.access_token;
}

async function takeLease({ db, accountId, sealed, nowMs }: Input): Promise<void> {
  const now = new Date(nowMs).toISOString();
  const [taken] = await commit({ db }, [
    statement(
      build
        .update(connections)
        .set({ refreshing_until: new Date(nowMs + leaseMs).toISOString() })
        .where(
          and(
            eq(connections.account_seq, selectSeq(accountId)),
            eq(connections.credentials, sealed),
            or(isNull(connections.refreshing_until), lte(connections.refreshing_until, now)),
          ),
        )
        .returning({ account_seq: connections.account_seq }),
    ),
  ]);
  if (taken.rows.length !== 1)
    throw new StoreThrottledError("The store's token is being refreshed", retryAfterSeconds);
}

/** Throws StoreThrottledError if the credentials were replaced meanwhile: those are to be read. */
async function storeValues(
  { db, accountId, sealed }: Input,
  values: { credentials?: string; refreshing_until: null },
): Promise<void> {
  const [updated] = await commit({ db }, [
    statement(
      build
        .update(connections)
        .set(values)
        .where(and(eq(connections.account_seq, selectSeq(accountId)), eq(connections.credentials, sealed)))
        .returning({ account_seq: connections.account_seq }),
    ),
  ]);
  if (updated.rows.length !== 1)
    throw new StoreThrottledError("The store's credentials were replaced", retryAfterSeconds);
}
