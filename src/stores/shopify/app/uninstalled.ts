import { and, eq, sql } from "drizzle-orm";
import { selectSeq } from "../../../base/db/account-seq.ts";
import { commit } from "../../../base/db/commit.ts";
import type { Db } from "../../../base/db/port.ts";
import { build, statement } from "../../../base/db/statement.ts";
import type { Log } from "../../../base/lib/log.ts";
import type { Instant } from "../../../base/lib/time/dates.ts";
import { StoreRefusalError } from "../../port.ts";
import { requestShopify, type ShopAccess } from "../client.ts";
import { readShop } from "../documents.ts";
import { shopifyConnections } from "../tables.ts";
import type { App } from "./app.ts";
import {
  type OpenedShopifyConnection,
  openFreshConnection,
  openInstalledConnection,
  readCredentials,
} from "./connection.ts";

type Installation = {
  db: Db;
  key: string | undefined;
  app: App | undefined;
  accountId: string;
  realNow: Instant;
  log: Log;
};

/**
 * Whether the shop has uninstalled the app: Shopify ends the app's credentials then, so they are tried. If they are refused, the
 * account is disconnected, unless it has received other credentials in the meantime. Throws UnknownOutcomeError.
 */
export async function disconnectIfUninstalled({
  db,
  key,
  app,
  accountId,
  realNow,
  log,
}: Installation): Promise<boolean> {
  const opened = await readCredentials(db, key, accountId);
  if (opened.disconnected_at !== null) return true;
  if (!(await areRefused({ db, key, app, accountId, opened, nowMs: Date.parse(realNow) }))) return false;
  const [disconnected] = await commit({ db }, [disconnect(accountId, opened.sealed, realNow)]);
  if (disconnected?.rows.length !== 1) return false;
  log("store_disconnected", { alert: true, account_id: accountId });
  return true;
}

type Tried = Pick<Installation, "db" | "key" | "app" | "accountId"> & {
  opened: OpenedShopifyConnection;
  nowMs: number;
};

async function areRefused(tried: Tried): Promise<boolean> {
  try {
    await requestShopify(await openConnection(tried), readShop, {});
    return false;
  } catch (error) {
    if (areCredentialsUnknown(error)) return true;
    throw error;
  }
}

function openConnection({ opened, ...rest }: Tried): Promise<ShopAccess> {
  const { shop, credentials } = opened;
  return "app_id" in credentials
    ? openInstalledConnection({ ...rest, opened: { ...opened, credentials } })
    : openFreshConnection(shop, credentials, rest.nowMs);
}

/** Shopify answers so to credentials that it has ended; any other refusal says nothing about them. */
const endedCodes = ["HTTP_401", "CREDENTIALS"];

function areCredentialsUnknown(error: unknown): boolean {
  return error instanceof StoreRefusalError && error.codes.some((code) => endedCodes.includes(code));
}

function disconnect(accountId: string, sealed: string, realNow: Instant) {
  const connections = shopifyConnections;
  return statement(
    build
      .update(connections)
      .set({
        disconnected_at: sql`COALESCE(${connections.disconnected_at}, ${realNow})`,
        next_action_at: null,
      })
      .where(and(eq(connections.account_seq, selectSeq(accountId)), eq(connections.credentials, sealed)))
      .returning({ account_seq: connections.account_seq }),
  );
}
