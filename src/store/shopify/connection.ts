import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Account } from "../../accounts/tables.ts";
import type { Db, Statement } from "../../db/client.ts";
import { build, first, prepare, statement } from "../../db/statement.ts";
import { seal, unseal } from "../../lib/sealed.ts";
import { ttlCache } from "../../lib/ttl-cache.ts";
import { StoreBusyError, StoreRefusalError, StoreSilenceError } from "../port.ts";
import type { Connection } from "./client.ts";
import { shopifyConnections } from "./tables.ts";

/** What an operator gives: an app's access token, or its client credentials; the secret is what webhooks are signed with. */
export const credentialsSchema = z.union([
  z.strictObject({ token: z.string().min(1), secret: z.string().min(1).optional() }),
  z.strictObject({ client_id: z.string().min(1), secret: z.string().min(1) }),
]);
export type Credentials = z.output<typeof credentialsSchema>;

const ofAccount = prepare<{ account_id: string }>((p) =>
  build
    .select()
    .from(shopifyConnections)
    .where(eq(shopifyConnections.account_id, p("account_id"))),
);

/** Keeps an account's credentials, sealed for this account alone; with them it is connected, whatever was before. */
export const connectionWrite = async (
  key: string,
  accountId: string,
  credentials: Credentials,
  now: string,
): Promise<Statement> => {
  const sealed = await seal(key, accountId, JSON.stringify(credentials));
  const values = { account_id: accountId, credentials: sealed, created_at: now, updated_at: now };
  return statement(
    build
      .insert(shopifyConnections)
      .values(values)
      .onConflictDoUpdate({
        target: shopifyConnections.account_id,
        set: { credentials: sealed, updated_at: now, disconnected_at: null },
      }),
  );
};

type Kept = {
  credentials: Credentials;
  /** The text they are sealed in, by which it is known whether they are still the same. */
  sealed: string;
  disconnected_at: string | null;
};

/** An account's credentials, also while it is disconnected. Throws where it has none, or the deployment's key does not open them. */
export const readCredentials = async (db: Db, key: string | undefined, accountId: string): Promise<Kept> => {
  const row = await first<{ credentials: string; disconnected_at: string | null }>(
    db,
    ofAccount({ account_id: accountId }),
  );
  if (!row) throw new StoreSilenceError("The account has no connection to its store");
  if (key === undefined) throw new StoreSilenceError("STORE_CREDENTIALS_KEY is not set");
  const opened = await unseal(key, accountId, row.credentials).catch(() => undefined);
  if (opened === undefined)
    throw new StoreSilenceError("STORE_CREDENTIALS_KEY does not open the credentials");
  const credentials = credentialsSchema.parse(JSON.parse(opened));
  return { credentials, sealed: row.credentials, disconnected_at: row.disconnected_at };
};

const granted = z.object({ access_token: z.string(), expires_in: z.number().positive() });

/** Granted tokens live a day; an isolate keeps one for an hour at most. */
const tokens = ttlCache<string>(3_600_000, 1000);

/** Exchanges client credentials for a token. Throws StoreRefusalError where they are not taken. */
export const grantToken = async (shop: string, clientId: string, secret: string): Promise<string> => {
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: secret,
  });
  const response = await fetch(`https://${shop}/admin/oauth/access_token`, {
    method: "POST",
    headers: { Accept: "application/json" },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined);
  if (!response || response.status >= 500) throw new StoreSilenceError("Shopify grants no token now");
  if (response.status === 429) throw new StoreBusyError("Shopify grants no token now", 2);
  if (!response.ok)
    throw new StoreRefusalError("Shopify does not take these client credentials", ["CREDENTIALS"]);
  const answer = granted.safeParse(await response.json().catch(() => undefined));
  if (!answer.success) throw new StoreSilenceError("Shopify's grant cannot be read");
  return answer.data.access_token;
};

/** How a shop is reached with these credentials, by a token granted now. */
export const freshConnectionOf = async (
  shop: string,
  credentials: Credentials,
  nowMs: number,
): Promise<Connection> => {
  if ("token" in credentials) return { shop, token: credentials.token };
  const token = await grantToken(shop, credentials.client_id, credentials.secret);
  tokens.set(`${shop} ${credentials.client_id}`, token, nowMs);
  return { shop, token };
};

/** How a shop is reached with these credentials. */
export const connectionOf = async (
  shop: string,
  credentials: Credentials,
  nowMs: number,
): Promise<Connection> => {
  const known =
    "client_id" in credentials ? tokens.get(`${shop} ${credentials.client_id}`, nowMs) : undefined;
  return known === undefined ? freshConnectionOf(shop, credentials, nowMs) : { shop, token: known };
};

/** How an account's own shop is reached. Throws StoreSilenceError where it is disconnected. */
export const openConnection = async (
  db: Db,
  key: string | undefined,
  account: Account,
  nowMs: number,
): Promise<Connection> => {
  const { credentials, disconnected_at } = await readCredentials(db, key, account.id);
  if (disconnected_at !== null) throw new StoreSilenceError("The store has disconnected the account");
  return connectionOf(account.shop, credentials, nowMs);
};
