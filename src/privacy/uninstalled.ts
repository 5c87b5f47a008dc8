import type { Ctx } from "../context.ts";
import { commit } from "../db/commit.ts";
import type { Outcome } from "../job.ts";
import { StoreRefusalError } from "../store/port.ts";
import { requestShopify } from "../store/shopify/client.ts";
import { freshConnectionOf, readCredentials } from "../store/shopify/connection.ts";
import { readShop } from "../store/shopify/documents.ts";

/** The store knows the credentials no more; any other refusal tells nothing of that. */
const refusals = ["HTTP_401", "CREDENTIALS"];
const isUnknownThere = (error: unknown): boolean =>
  error instanceof StoreRefusalError && error.codes.some((code) => refusals.includes(code));

const areRefused = async (
  { realNow }: Ctx,
  { shop, credentials }: Awaited<ReturnType<typeof readCredentials>>,
) => {
  try {
    await requestShopify(await freshConnectionOf(shop, credentials, Date.parse(realNow)), readShop, {});
    return false;
  } catch (error) {
    if (isUnknownThere(error)) return true;
    throw error;
  }
};

/**
 * Whether the store has uninstalled the app: asked of the store itself, by the credentials it is to have ended. Where it
 * has, the account is disconnected, unless it has been given other credentials meanwhile. Throws UnknownOutcomeError.
 */
export const isUninstalled = async (ctx: Ctx): Promise<boolean> => {
  const { db, env, account, realNow } = ctx;
  const kept = await readCredentials(db, env.STORE_CREDENTIALS_KEY, account.id);
  if (kept.disconnected_at !== null) return true;
  if (!(await areRefused(ctx, kept))) return false;
  const [disconnected] = await commit({ db }, [
    {
      sql: `UPDATE shopify_connections SET disconnected_at = COALESCE(disconnected_at, ?)
        WHERE account_id = ? AND credentials = ? RETURNING account_id`,
      params: [realNow, account.id, kept.sealed],
    },
  ]);
  if (disconnected?.rows.length !== 1) return false;
  ctx.log("store_disconnected", { alert: true, account_id: account.id });
  return true;
};

export const checkInstallation = async (ctx: Ctx): Promise<Outcome> => {
  await isUninstalled(ctx);
  return "done";
};
