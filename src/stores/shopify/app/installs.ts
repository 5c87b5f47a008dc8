import { and, eq, getTableName, lte } from "drizzle-orm";
import { findAccountByShop, forgetAccount, readAccount } from "../../../base/accounts/queries.ts";
import { normalizeShop } from "../../../base/accounts/shop.ts";
import type { Account } from "../../../base/accounts/tables.ts";
import { ConstraintError } from "../../../base/db/commit.ts";
import type { Statement } from "../../../base/db/port.ts";
import { insertRow } from "../../../base/db/row-writes.ts";
import { build, first, statement } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import { randomSecret } from "../../../base/lib/secrets/sealed.ts";
import { minuteMs } from "../../../base/lib/time/durations.ts";
import type { InstallStep, InstallVisit, StoreInstalls } from "../../installs.ts";
import { StoreRefusalError, UnknownOutcomeError } from "../../port.ts";
import { shopifyInstallations as installations } from "../tables.ts";
import { type App, appOf } from "./app.ts";
import { connectShopify } from "./connect.ts";
import { findConnection, unsealConnection } from "./connection.ts";
import { adminUrl, isMyshopifyDomain, shopOrigin } from "./domain.ts";
import {
  type InstallState,
  isSessionTokenOf,
  isSignedByShopify,
  openState,
  sealState,
} from "./install-proofs.ts";
import { installedCredentials } from "./refresh.ts";
import { remoteMethodScopes, scopesToAskFor } from "./scopes.ts";
import { type OfflineToken, tokenOfCode, tokenOfSession } from "./token.ts";

/** Installing the deployment's app at Shopify: the authorization code grant, or token exchange for an app in Shopify's admin. */
export const shopifyInstalls: StoreInstalls = { start, finish };

/** The time that the merchant may take for the consent. */
const stateMs = 10 * minuteMs;
const browserBytes = 32;

type RefusalStatus = 400 | 404 | 409 | 503;

class InstallRefusedError extends Error {
  readonly status: RefusalStatus;
  /** Whether the merchant may begin again, which the page then offers. */
  readonly mayBegin: boolean;

  constructor(status: RefusalStatus, reason: string, { mayBegin = false } = {}) {
    super(reason);
    this.status = status;
    this.mayBegin = mayBegin;
  }
}

function start(visit: InstallVisit): Promise<InstallStep> {
  return answerStep(visit, async () => {
    const { app, key, account, shop } = await openInstall(visit);
    const { env, url, now } = visit;
    if (url.searchParams.has("hmac") && !(await isSignedByShopify(app, url)))
      throw new InstallRefusedError(400, "This address was not signed by Shopify.");
    const idToken = url.searchParams.get("id_token");
    if (idToken !== null) return startEmbedded(visit, idToken);
    const browser = randomSecret(browserBytes);
    const expires_at = new Date(now.getTime() + stateMs).toISOString();
    const state = await sealState(key, { shop: account.shop, browser, expires_at });
    const to = new URL(adminUrl(shop, "oauth/authorize"));
    to.search = new URLSearchParams({
      client_id: app.clientId,
      scope: askedScopes(account, url).join(","),
      redirect_uri: `${env.PUBLIC_URL}/shopify/callback`,
      state,
    }).toString();
    return { step: "redirect", to: to.href, browser };
  });
}

/**
 * The scopes that the merchant is asked for. Those by which cards of payment providers are taken over are asked for where the address says
 * so, while subscriptions are moved in: few shops need them, and Shopify protects one of them, so that an app has to have applied for it.
 */
function askedScopes(account: Account, { searchParams }: URL): string[] {
  const remote = searchParams.get("remote_payment_methods") === "true" ? remoteMethodScopes : [];
  return [...new Set([...scopesToAskFor(account), ...remote])];
}

/** The app was opened in Shopify's admin, whose session token is exchanged if the store is not connected yet. */
async function startEmbedded(visit: InstallVisit, idToken: string): Promise<InstallStep> {
  const { app, key, account, shop } = await openInstall(visit);
  if (!(await isSessionTokenOf(app, shop, idToken)))
    throw new InstallRefusedError(400, "The session of Shopify's admin is not valid, or is over.");
  const live = await liveConnection(visit, shop);
  if (live === "installed") return connectedStep(account, false);
  if (live === "other")
    throw new InstallRefusedError(
      409,
      `${shop} is connected with other credentials. To replace them, open ${visit.env.PUBLIC_URL}/shopify/install?shop=${shop} in a tab of its own.`,
    );
  return connect(visit, { app, key, account }, () => tokenOfSession(shop, app, idToken));
}

function finish(visit: InstallVisit, isConfirmed: boolean): Promise<InstallStep> {
  return answerStep(visit, async () => {
    const { app, key, account, shop } = await openInstall(visit);
    const { searchParams } = visit.url;
    if (!(await isSignedByShopify(app, visit.url)))
      throw new InstallRefusedError(400, "This address was not signed by Shopify.");
    const state = await openState(key, searchParams.get("state") ?? "");
    requireOwnState(state, visit, shop);
    const code = searchParams.get("code");
    if (!code) throw new InstallRefusedError(400, "Shopify has sent no authorization.");
    if (!isConfirmed && (await liveConnection(visit, shop)) !== undefined) return { step: "confirm", shop };
    await requireUnfinished(visit, account, state);
    const writes = insertFinished(visit, account, state);
    return connect(visit, { app, key, account, writes }, () => tokenOfCode(shop, app, code)).catch(
      async (error) => {
        if (isFinishedByAnother(error)) throw newFinishedError();
        // Shopify takes a code once: of two answers at once the other may have connected the store.
        if (error instanceof StoreRefusalError) await requireUnfinished(visit, account, state);
        throw error;
      },
    );
  });
}

type Opened = { app: App; key: string; account: Account; shop: string };

/** The deployment's app and the account of the shop. The service makes no accounts for strangers. */
async function openInstall({ env, db, url, now }: InstallVisit): Promise<Opened> {
  const app = appOf(env);
  const key = env.STORE_CREDENTIALS_KEY;
  if (!app || key === undefined)
    throw new InstallRefusedError(404, "This deployment has no app that can be installed.");
  const shop = normalizeShop(url.searchParams.get("shop") ?? "");
  if (!isMyshopifyDomain(shop))
    throw new InstallRefusedError(400, "The address has to name a shop: ?shop=NAME.myshopify.com");
  const known = await findAccountByShop(db, shop, now.getTime());
  const account = known && (await readAccount(db, known.id));
  if (!account || account.shop !== shop)
    throw new InstallRefusedError(404, `${shop} has no account here. Ask whoever runs this service for one.`);
  return { app, key, account, shop };
}

/** An answer to somebody else's question would connect their store to this browser's, or the other way round. */
function requireOwnState(
  state: InstallState | undefined,
  { browser, now }: InstallVisit,
  shop: string,
): asserts state is InstallState {
  const isOwn = state !== undefined && state.shop === shop && state.browser === browser;
  if (!isOwn || state.expires_at <= now.toISOString())
    throw new InstallRefusedError(
      400,
      "This installation was begun in another browser, or too long ago. Begin again.",
      { mayBegin: true },
    );
}

/** Whether the shop has a connection that works, and whether this app has made it. */
async function liveConnection(
  { db, env }: InstallVisit,
  shop: string,
): Promise<"installed" | "other" | undefined> {
  const stored = await findConnection(db, shop);
  if (!stored || stored.disconnected_at !== null) return undefined;
  const opened = await unsealConnection(env.STORE_CREDENTIALS_KEY, stored).catch(() => undefined);
  if (!opened) return undefined;
  const { credentials } = opened;
  return "app_id" in credentials && credentials.app_id === appOf(env)?.clientId ? "installed" : "other";
}

/** Throws InstallRefusedError if the installation has connected the store before. */
async function requireUnfinished(
  { db }: InstallVisit,
  { seq }: Account,
  { browser: nonce }: InstallState,
): Promise<void> {
  const isIt = and(eq(installations.account_seq, seq), eq(installations.nonce, nonce));
  const query = build.select({ nonce: installations.nonce }).from(installations).where(isIt);
  if (await first(db, statement(query))) throw newFinishedError();
}

/**
 * Notes that an installation is finished, in the batch that connects the store: one that was interrupted is not finished, and of two at
 * once the second fails.
 */
function insertFinished(
  { now }: InstallVisit,
  { seq }: Account,
  { browser: nonce, expires_at }: InstallState,
): Statement[] {
  return [
    statement(build.delete(installations).where(lte(installations.expires_at, now.toISOString()))),
    insertRow(installations, { account_seq: seq, nonce, expires_at }),
  ];
}

function isFinishedByAnother(error: unknown): boolean {
  return (
    error instanceof ConstraintError &&
    error.kind === "unique" &&
    error.on.startsWith(getTableName(installations))
  );
}

function newFinishedError(): InstallRefusedError {
  return new InstallRefusedError(400, "This installation is finished already.");
}

async function connect(
  { db, env, now }: InstallVisit,
  { app, key, account, writes = [] }: Omit<Opened, "shop"> & { writes?: Statement[] },
  request: () => Promise<OfflineToken>,
): Promise<InstallStep> {
  const credentials = installedCredentials(await request(), app, now.getTime());
  await connectShopify(db, key, account, credentials, now.toISOString(), {
    webhooksUri: `${env.PUBLIC_URL}/webhooks/shopify`,
    writes,
  });
  forgetAccount(account.id);
  return connectedStep(account, true);
}

function connectedStep({ id, shop }: Account, isNew: boolean): InstallStep {
  const frames = ["https://admin.shopify.com", shopOrigin(shop)];
  return { step: "connected", shop, account_id: id, isNew, frames };
}

/** A step; or why there is none, and where to begin again if that helps. */
async function answerStep({ url }: InstallVisit, act: () => Promise<InstallStep>): Promise<InstallStep> {
  try {
    return await act();
  } catch (error) {
    const { status, message: reason, mayBegin } = explainRefusal(error);
    const shop = normalizeShop(url.searchParams.get("shop") ?? "");
    const begin = mayBegin && isMyshopifyDomain(shop) ? { begin: `/shopify/install?shop=${shop}` } : {};
    return { step: "refused", status, reason, ...begin };
  }
}

/** Throws what is no refusal. */
function explainRefusal(error: unknown): InstallRefusedError {
  if (error instanceof InstallRefusedError) return error;
  if (error instanceof StoreRefusalError)
    return new InstallRefusedError(
      400,
      "Shopify has not accepted this installation; it accepts each one once. Begin again if the store is not connected.",
      {
        mayBegin: true,
      },
    );
  if (error instanceof UnknownOutcomeError)
    return new InstallRefusedError(
      503,
      "Shopify does not answer now. Nothing is connected yet: reload this page in a minute, or begin again.",
      { mayBegin: true },
    );
  if (error instanceof DomainError && error.code === "INVALID_STATE")
    return new InstallRefusedError(409, error.message);
  throw error;
}
