import { readAccount } from "../../../src/base/accounts/queries.ts";
import { parseEnv } from "../../../src/base/env.ts";
import { type Ctx, openCtx } from "../../../src/kit/context.ts";
import type { ConnectedShop } from "../../stores/shopify/shop.ts";
import { api } from "../../support/client.ts";
import { select, testDb } from "../../support/database.ts";
import type { Json } from "../../support/shops.ts";

/** The events that an action has logged, with their fields. */
export type Logged = [event: string, fields: Record<string, unknown>][];

/** The context in which the queue's consumer runs a job of a shop. */
export async function systemOf({ merchant: shop, worker }: ConnectedShop, logged: Logged = []): Promise<Ctx> {
  const account = await readAccount(testDb(), shop.of.account.id);
  if (!account) throw new Error("no account");
  return openCtx({
    env: parseEnv(worker.bindings),
    db: testDb(),
    account,
    actor: { type: "system", name: null },
    log: (event, fields = {}) => void logged.push([event, fields]),
    realNow: new Date(),
  });
}

/** An order as the API shows it, found by the store's id. */
export async function orderShown({ merchant: shop }: ConnectedShop, storeOrderId: string): Promise<Json> {
  const query = { search: storeOrderId };
  const { body } = await api<Json>(shop.admin, "GET", "/api/subscriptions/orders", { query });
  if (body.data.length !== 1) throw new Error(`${body.data.length} orders for ${storeOrderId}`);
  return body.data[0];
}

/** The entries of a shop's whole history about one type of record, oldest first. */
export async function historyOf(
  { merchant: shop }: ConnectedShop,
  type: "order" | "subscription",
): Promise<Json[]> {
  const rows = await select<Json>(
    "SELECT * FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND loggable_type = ? ORDER BY sequence",
    shop.of.account.id,
    type,
  );
  const parsed = (json: string | null) => (json === null ? null : JSON.parse(json));
  return rows.map((row) => ({ ...row, changes: parsed(row.changes), metadata: parsed(row.metadata) }));
}
