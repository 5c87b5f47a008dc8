import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Db, Statement } from "../../db/client.ts";
import { build, first, type Params, prepare, statement } from "../../db/statement.ts";
import { seal, unseal } from "../../lib/sealed.ts";
import { ttlCache } from "../../lib/ttl-cache.ts";
import { StoreRefusalError, StoreThrottledError, UnknownOutcomeError } from "../port.ts";
import type { Connection } from "./client.ts";
import { adminUrl } from "./domain.ts";
import { shopifyConnections } from "./tables.ts";

const text = z.string().min(1);
/** While the app's secret is replaced, deliveries may still be signed with the one before. */
const previous_secret = text.optional();

/** What an operator gives: an app's access token, or its client credentials; the secret is what webhooks are signed with. */
export const credentialsSchema = z.union([
  z.strictObject({ token: text, secret: text.optional(), previous_secret }),
  z.strictObject({ client_id: text, secret: text, previous_secret }),
]);
export type Credentials = z.output<typeof credentialsSchema>;

/** An account's connection as it is stored. */
export type StoredConnection = typeof shopifyConnections.$inferSelect;

const ofAccount = prepare((p: Params<{ account_id: string }>) =>
  build
    .select()
    .from(shopifyConnections)
    .where(eq(shopifyConnections.account_id, p("account_id"))),
);

const ofShop = prepare((p: Params<{ shop: string }>) =>
  build
    .select()
    .from(shopifyConnections)
    .where(eq(shopifyConnections.shop, p("shop"))),
);

/** The connection whose credentials were verified for this domain, whatever its account is called. */
export const findConnection = (db: Db, shop: string): Promise<StoredConnection | undefined> =>
  first(db, ofShop({ shop }));

/** Whom credentials are sealed for: they open for this account and this domain only, so neither can be exchanged. */
export const ownerOf = (accountId: string, shop: string): string => `${accountId} ${shop}`;

type NewConnection = { accountId: string; shop: string; credentials: Credentials; now: string };

/** Stores credentials with the domain they were verified for; with them the account is connected, whatever was before. */
export const connectionWrite = async (
  key: string,
  { accountId, shop, credentials, now }: NewConnection,
): Promise<Statement> => {
  const sealed = await seal(key, ownerOf(accountId, shop), JSON.stringify(credentials));
  const values = { account_id: accountId, credentials: sealed, shop, created_at: now, updated_at: now };
  return statement(
    build
      .insert(shopifyConnections)
      .values(values)
      .onConflictDoUpdate({
        target: shopifyConnections.account_id,
        set: { credentials: sealed, shop, updated_at: now, disconnected_at: null },
      }),
  );
};

type OpenedConnection = {
  /** The domain that the credentials were verified for: they are sent nowhere else. */
  shop: string;
  credentials: Credentials;
  /** The text they are sealed in, by which it is known whether they are still the same. */
  sealed: string;
  disconnected_at: string | null;
};

/** Opens what is stored. Throws where it has no verified domain, or the deployment's key does not open it. */
export const unsealConnection = async (
  key: string | undefined,
  { account_id, shop, credentials: sealed, disconnected_at }: StoredConnection,
): Promise<OpenedConnection> => {
  if (shop === null) throw new UnknownOutcomeError("The account has to be connected to its store again");
  if (key === undefined) throw new UnknownOutcomeError("STORE_CREDENTIALS_KEY is not set");
  const opened = await unseal(key, ownerOf(account_id, shop), sealed).catch(() => undefined);
  if (opened === undefined)
    throw new UnknownOutcomeError("STORE_CREDENTIALS_KEY does not open the credentials");
  return { shop, credentials: credentialsSchema.parse(JSON.parse(opened)), sealed, disconnected_at };
};

/** An account's credentials, also while it is disconnected. Throws where it has none, or they cannot be opened. */
export const readCredentials = async (
  db: Db,
  key: string | undefined,
  accountId: string,
): Promise<OpenedConnection> => {
  const stored = await first(db, ofAccount({ account_id: accountId }));
  if (!stored) throw new UnknownOutcomeError("The account has no connection to its store");
  return unsealConnection(key, stored);
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
  const response = await fetch(adminUrl(shop, "oauth/access_token"), {
    method: "POST",
    headers: { Accept: "application/json" },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined);
  if (!response || response.status >= 500) throw new UnknownOutcomeError("Shopify grants no token now");
  if (response.status === 429) throw new StoreThrottledError("Shopify grants no token now", 2);
  if (!response.ok)
    throw new StoreRefusalError("Shopify does not take these client credentials", ["CREDENTIALS"]);
  const answer = granted.safeParse(await response.json().catch(() => undefined));
  if (!answer.success) throw new UnknownOutcomeError("Shopify's grant cannot be read");
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

/** How an account's store is reached: at the domain its credentials were verified for. Throws UnknownOutcomeError where it is disconnected. */
export const openConnection = async (
  db: Db,
  key: string | undefined,
  accountId: string,
  nowMs: number,
): Promise<Connection> => {
  const { shop, credentials, disconnected_at } = await readCredentials(db, key, accountId);
  if (disconnected_at !== null) throw new UnknownOutcomeError("The store has disconnected the account");
  return connectionOf(shop, credentials, nowMs);
};
