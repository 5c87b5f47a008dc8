import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { webhookEndpoints } from "../../domain/webhook-endpoints/tables.ts";
import { selectSeq } from "../db/account-seq.ts";
import type { Db } from "../db/port.ts";
import { build, rows, statement } from "../db/statement.ts";

type KeyOf = { accountId: string; keyId: string };

/** The endpoints that a key has made, which its end does not end: their ids, from the database that has the account's rows. */
export async function listEndpointsOfKey(db: Db, of: KeyOf): Promise<string[]> {
  return (await rows(db, statement(endpointsOf(of)))).map(({ id }) => id);
}

/** The metadata of the entry of a key's revocation, in SQL, with the ids of these endpoints, if the database has any. */
export function withEndpoints(metadata: string, of: KeyOf): SQL<string> {
  const ids = sql`(SELECT json_group_array(made.id) FROM ${endpointsOf(of)} AS made)`;
  return sql<string>`json_patch(${metadata}, json_object(${endpointsField}, json(NULLIF(${ids}, '[]'))))`;
}

export const endpointsField = "webhook_endpoint_ids";

function endpointsOf({ accountId, keyId }: KeyOf) {
  const { id, account_seq, made_by_key, deleted_at, created_at } = webhookEndpoints;
  const isTheirs = and(
    eq(account_seq, selectSeq(accountId)),
    eq(made_by_key, keyId),
    isNull(deleted_at),
    sql`${webhookEndpoints.kind} = 'http'`,
  );
  return build.select({ id }).from(webhookEndpoints).where(isTheirs).orderBy(created_at, id);
}
