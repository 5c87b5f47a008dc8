import { calculateChecksum, hashOfKey, keyPrefix } from "../../src/base/accounts/api-key.ts";
import { forgetAccount, forgetKey } from "../../src/base/accounts/queries.ts";
import { apiKeys } from "../../src/base/accounts/tables.ts";
import { commit } from "../../src/base/db/commit.ts";
import { insertRow } from "../../src/base/db/row-writes.ts";
import { perAccount } from "../kernel/per-account.ts";
import { instantOf, type World } from "../kernel/world.ts";

/** The key of an account of which people and programs ask over HTTP; the others call the actions themselves. */
export const apiKeyOf = perAccount((): string | undefined => undefined);

/** Gives the account a key, of which no isolate knows anything from an earlier run of this schedule. */
export async function createApiKey(world: World): Promise<void> {
  const { account, database, newId } = world;
  const id = newId();
  const apiKey = keyText(id, "k");
  apiKeyOf.set(world, apiKey);
  forgetKey(id);
  forgetAccount(account.id);
  const row: typeof apiKeys.$inferInsert = {
    id,
    account_seq: account.seq,
    name: "Key",
    key_hash: await hashOfKey(apiKey),
    created_at: instantOf(world),
    last_used_at: inUse,
    revoked_at: null,
    scopes: null,
    expires_at: null,
    requires_preview: 0,
    max_amount: null,
  };
  await commit({ db: database }, [insertRow(apiKeys, row)]);
}

/** The text of a key with this id, whose secret is one letter. */
export function keyText(id: string, letter: string): string {
  const body = `${keyPrefix}${id}_${letter.repeat(43)}`;
  return body + calculateChecksum(body);
}

/** So late that no request has to note its use. */
const inUse = "9999-01-01T00:00:00.000Z";
