import { eq, getTableColumns } from "drizzle-orm";
import { z } from "zod";
import { selectId, selectSeq } from "../../../base/db/account-seq.ts";
import type { Db, Statement } from "../../../base/db/port.ts";
import { build, first, type Params, prepare, statement } from "../../../base/db/statement.ts";
import { seal, unseal } from "../../../base/lib/secrets/sealed.ts";
import { hourMs } from "../../../base/lib/time/durations.ts";
import { ttlCache } from "../../../base/lib/ttl-cache.ts";
import { UnknownOutcomeError } from "../../port.ts";
import { ownerOf } from "../../seal-owner.ts";
import type { ShopAccess } from "../client.ts";
import { shopifyConnections } from "../tables.ts";
import type { App } from "./app.ts";
import { type InstalledCredentials, installedSchema } from "./installed-credentials.ts";
import { ensureFreshToken } from "./refresh.ts";
import { grantToken } from "./token.ts";

/** The access to an account's store: at the domain its credentials were verified for. Throws UnknownOutcomeError if it is disconnected. */
export async function openConnection(
  db: Db,
  key: string | undefined,
  accountId: string,
  nowMs: number,
  app?: App,
): Promise<ShopAccess> {
  const opened = await readCredentials(db, key, accountId);
  const { shop, credentials, disconnected_at } = opened;
  if (disconnected_at !== null) throw new UnknownOutcomeError("The store has disconnected the account");
  if ("app_id" in credentials)
    return openInstalledConnection({ db, key, accountId, nowMs, app, opened: { ...opened, credentials } });
  const token = "token" in credentials ? undefined : tokens.get(tokenKey(shop, credentials.client_id), nowMs);
  return token === undefined ? openFreshConnection(shop, credentials, nowMs) : { shop, token };
}

/** The access to a shop that has installed the app, with a token that has not expired. */
export async function openInstalledConnection({ key = "", opened, ...rest }: Installed): Promise<ShopAccess> {
  const owner = ownerOf(rest.accountId, opened.shop);
  return { shop: opened.shop, token: await ensureFreshToken({ ...rest, ...opened, key, owner }) };
}

/** The access to a shop with these credentials; client credentials are exchanged for a new token. */
export async function openFreshConnection(
  shop: string,
  credentials: ShopifyCredentials,
  nowMs: number,
): Promise<ShopAccess> {
  if ("token" in credentials) return { shop, token: credentials.token };
  const token = await grantToken(shop, credentials.client_id, credentials.secret);
  tokens.set(tokenKey(shop, credentials.client_id), token, nowMs);
  return { shop, token };
}

/** An account's credentials, also while it is disconnected. Throws UnknownOutcomeError if it has none, or they cannot be opened. */
export async function readCredentials(
  db: Db,
  key: string | undefined,
  accountId: string,
): Promise<OpenedShopifyConnection> {
  const stored = await first(db, selectOfAccount({ account_id: accountId }));
  if (!stored) throw new UnknownOutcomeError("The account has no connection to its store");
  return unsealConnection(key, { ...stored, account_id: accountId });
}

/** The connection whose credentials were verified for this domain, whatever its account is called. */
export function findConnection(db: Db, shop: string): Promise<StoredConnection | undefined> {
  return first(db, selectOfShop({ shop }));
}

/** Opens a stored connection. Throws UnknownOutcomeError if the deployment's key does not open it. */
export async function unsealConnection(
  key: string | undefined,
  { account_id, shop, credentials: sealed, disconnected_at }: StoredConnection,
): Promise<OpenedShopifyConnection> {
  if (key === undefined) throw new UnknownOutcomeError("STORE_CREDENTIALS_KEY is not set");
  const opened = await unseal(key, ownerOf(account_id, shop), sealed).catch(() => undefined);
  if (opened === undefined)
    throw new UnknownOutcomeError("STORE_CREDENTIALS_KEY does not open the credentials");
  return { shop, credentials: storedSchema.parse(JSON.parse(opened)), sealed, disconnected_at };
}

/**
 * Stores credentials with the domain they were verified for. Whatever the account's state was, it is connected then, and all of the store's
 * contracts are to be looked at.
 */
export async function writeConnection(
  key: string,
  { accountId, shop, credentials, now, webhooksUri }: NewConnection,
): Promise<Statement> {
  const sealed = await seal(key, ownerOf(accountId, shop), JSON.stringify(credentials));
  const setUp = {
    ...(webhooksUri === undefined ? {} : { webhooks_uri: webhooksUri }),
    next_action_at: now,
    contracts_from: null,
    contracts_pass: null,
  };
  const values = {
    account_seq: selectSeq(accountId),
    credentials: sealed,
    shop,
    created_at: now,
    updated_at: now,
    ...setUp,
  };
  return statement(
    build
      .insert(shopifyConnections)
      .values(values)
      .onConflictDoUpdate({
        target: shopifyConnections.account_seq,
        set: {
          credentials: sealed,
          shop,
          updated_at: now,
          disconnected_at: null,
          refreshing_until: null,
          ...setUp,
        },
      }),
  );
}

const text = z.string().min(1);
/** While the app's secret is replaced, webhooks may still be signed with the one before. */
const previous_secret = text.optional();

/**
 * Either an app's access token or its client credentials. Webhooks are signed with the secret, without which none is accepted; session tokens
 * are taken for the client id, else for the deployment's own app.
 */
const withToken = z.strictObject({ token: text, secret: text, previous_secret, client_id: text.optional() });
const withClient = z.strictObject({ client_id: text, secret: text, previous_secret });
/** The credentials with which an operator connects a store. */
export const credentialsSchema = z.union([withToken, withClient]);
const storedSchema = z.union([withToken.partial({ secret: true }), withClient, installedSchema]);
export type StoredCredentials = z.output<typeof storedSchema>;
/** Credentials that an operator has connected a store with. */
export type ShopifyCredentials = Exclude<StoredCredentials, { app_id: string }>;

type Installed = {
  db: Db;
  key: string | undefined;
  accountId: string;
  nowMs: number;
  app: App | undefined;
  opened: Pick<OpenedShopifyConnection, "shop" | "sealed"> & { credentials: InstalledCredentials };
};

/** Shopify's granted tokens are valid for a day; an isolate reuses one for an hour at most. */
const tokens = ttlCache<string>(hourMs, 1000);

function tokenKey(shop: string, clientId: string): string {
  return `${shop} ${clientId}`;
}

const selectOfAccount = prepare((p: Params<{ account_id: string }>) =>
  build
    .select()
    .from(shopifyConnections)
    .where(eq(shopifyConnections.account_seq, selectSeq(p("account_id")))),
);

/** The columns of a connection whose account is not known yet. */
const storedConnection = {
  ...getTableColumns(shopifyConnections),
  account_id: selectId(shopifyConnections.account_seq).as("account_id"),
};

const selectOfShop = prepare((p: Params<{ shop: string }>) =>
  build
    .select(storedConnection)
    .from(shopifyConnections)
    .where(eq(shopifyConnections.shop, p("shop"))),
);

/** A connection with the id of its account, for which the credentials are sealed. */
export type StoredConnection = typeof shopifyConnections.$inferSelect & { account_id: string };

export type OpenedShopifyConnection = {
  /** The domain that the credentials were verified for: they are sent nowhere else. */
  shop: string;
  credentials: StoredCredentials;
  /** The sealed text, which changes whenever the credentials are replaced. */
  sealed: string;
  disconnected_at: string | null;
};

type NewConnection = {
  accountId: string;
  shop: string;
  credentials: StoredCredentials;
  now: string;
  /** The address that the store is to send its webhooks to; else the one of before. */
  webhooksUri?: string | undefined;
};
