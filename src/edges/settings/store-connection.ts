import { eq } from "drizzle-orm";
import { insertAccountEntry } from "../../base/accounts/history.ts";
import { readAccount } from "../../base/accounts/queries.ts";
import { type Account, builtInStore } from "../../base/accounts/tables.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import { diff } from "../../base/lib/diff.ts";
import type { Ctx } from "../../kit/context.ts";
import type { ConnectedByKeys, KeyedConnection, KeyedStore, StoreKeys } from "../../stores/keyed.ts";
import { platforms } from "../../stores/platforms.ts";

/** The connection of an account to its store. Those that it is not connected to by keys have no more to say than which they are. */
type StoreConnection = { store: Account["store"]; is_live: boolean } & {
  [Name in keyof KeyedConnection]: KeyedConnection[Name] | null;
};

export async function readStoreConnection(ctx: Ctx): Promise<StoreConnection> {
  const account = await readCurrent(ctx);
  const found = await (await keyedOf(account))?.find({ ...ctx, account });
  return {
    store: account.store,
    is_live: account.store_is_live === 1,
    ...(found ?? { store_account: null, webhook: null, checked_at: null, refused_since: null }),
  };
}

/** Connects the account to a store by its keys, of which the history names nothing but the fields that were sent. */
export async function connectStore(
  ctx: Ctx,
  { store, ...keys }: Pick<Account, "store"> & StoreKeys,
): Promise<StoreConnection & Pick<ConnectedByKeys, "warnings">> {
  const keyed = await keyedOf({ store });
  if (!keyed) throw new DomainError("INVALID_STATE", `Cannot connect ${store} by keys`);
  const account = await readCurrent(ctx);
  const before = await (await keyedOf(account))?.find({ ...ctx, account });
  const fields = Object.entries(keys).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const writes = (storeAccount: string): Statement[] => [
    insertEntry(ctx, {
      changes: diff(
        { store: account.store, store_account: before?.store_account ?? null },
        { store, store_account: storeAccount },
      ),
      fields,
    }),
    ...(store === account.store ? [] : deleteConnection(account)),
  ];
  return { store, ...(await keyed.connect({ ...ctx, account, keys, writes })) };
}

/** Ends the connection. Throws INVALID_STATE for an account at a store that is disconnected there. */
export async function disconnectStore(ctx: Ctx): Promise<void> {
  const account = await readCurrent(ctx);
  if (account.store === builtInStore) return;
  const keyed = await keyedOf(account);
  if (!keyed)
    throw new DomainError(
      "INVALID_STATE",
      `Cannot disconnect ${account.store}: its app is uninstalled there`,
    );
  const writes = (storeAccount: string): Statement[] => [
    insertEntry(ctx, {
      changes: diff(
        { store: account.store, store_account: storeAccount },
        { store: builtInStore, store_account: null },
      ),
    }),
  ];
  await keyed.disconnect({ ...ctx, account, writes });
}

async function keyedOf({ store }: Pick<Account, "store">): Promise<KeyedStore | undefined> {
  return platforms[store].keyed?.();
}

/** The account is connected to something else: nobody may sign webhooks for it, or use its credentials. */
function deleteConnection({ store, seq }: Account): Statement[] {
  const { connections } = platforms[store];
  if (!connections) return [];
  const { table } = connections;
  return [statement(build.delete(table).where(eq(table.account_seq, seq)))];
}

/** The account as it is now: the account that a credential proves may come from a cache. */
async function readCurrent({ db, account }: Ctx): Promise<Account> {
  const found = await readAccount(db, account.id);
  if (!found) throw notFound("Account");
  return found;
}

type Entry = { changes: ReturnType<typeof diff>; fields?: string[] };

function insertEntry({ account, actor, now }: Ctx, { changes, fields }: Entry): Statement {
  return insertAccountEntry({
    account: account.seq,
    action: "account_updated",
    subject: { type: "account", id: account.id },
    changes,
    ...(fields ? { metadata: { fields: fields.map((name) => `store.${name}`) } } : {}),
    author: actor,
    now,
  });
}
