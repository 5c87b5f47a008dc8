import { and, asc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { selectId } from "../../base/db/account-seq.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { build, rows, statement } from "../../base/db/statement.ts";
import { type Resealed, reseal } from "../../base/lib/secrets/sealed.ts";
import { ownerOf } from "./secrets.ts";
import { type WebhookEndpoint, webhookEndpoints } from "./tables.ts";

/**
 * Seals the secrets of all endpoints with the first of the keys, so that the others can be removed. A secret that is rotated meanwhile
 * stays as it then is. Repeating it is harmless. `not_opened` are endpoints whose secret none of the keys opens: it has to be rotated.
 */
export async function resealEndpointSecrets(db: Db, keys: string, now: string): Promise<Resealed> {
  const result: Resealed = { resealed: 0, unchanged: 0, not_opened: [] };
  for (let after = { account_seq: 0, id: "" }; ; ) {
    const page = await endpointsAfter(db, after);
    const updates: Statement[] = [];
    for (const endpoint of page) {
      const sealed = await resealSecrets(keys, endpoint);
      if (sealed === undefined) result.not_opened.push(endpoint.id);
      else if (isUnchanged(endpoint, sealed)) result.unchanged++;
      else updates.push(update(endpoint, sealed, now));
    }
    if (updates.length > 0) await commit({ db }, updates);
    result.resealed += updates.length;
    const last = page.at(-1);
    if (page.length < batchSize || !last) return result;
    after = last;
  }
}

const batchSize = 100;

/** An endpoint with the id of its account, for which its secrets are sealed. */
type StoredEndpoint = WebhookEndpoint & { account_id: string };
type Secrets = Pick<WebhookEndpoint, "secret" | "previous_secret">;

/** Undefined if no key opens the secret. A previous secret that no key opens signs no more, and is forgotten. */
async function resealSecrets(keys: string, endpoint: StoredEndpoint): Promise<Secrets | undefined> {
  if (endpoint.secret === "") return endpoint;
  const owner = ownerOf({ id: endpoint.account_id }, endpoint);
  const secret = await reseal(keys, owner, endpoint.secret);
  if (secret === undefined) return undefined;
  const { previous_secret } = endpoint;
  return {
    secret,
    previous_secret: previous_secret === null ? null : ((await reseal(keys, owner, previous_secret)) ?? null),
  };
}

function isUnchanged(endpoint: Secrets, { secret, previous_secret }: Secrets): boolean {
  return endpoint.secret === secret && endpoint.previous_secret === previous_secret;
}

function endpointsAfter(db: Db, { account_seq, id }: { account_seq: number; id: string }) {
  return rows(
    db,
    statement(
      build
        .select({
          ...getTableColumns(webhookEndpoints),
          account_id: selectId(webhookEndpoints.account_seq).as("account_id"),
        })
        .from(webhookEndpoints)
        .where(
          and(
            sql`(${webhookEndpoints.account_seq}, ${webhookEndpoints.id}) > (${account_seq}, ${id})`,
            isNull(webhookEndpoints.deleted_at),
          ),
        )
        .orderBy(asc(webhookEndpoints.account_seq), asc(webhookEndpoints.id))
        .limit(batchSize),
    ),
  );
}

function update(endpoint: WebhookEndpoint, sealed: Secrets, updated_at: string): Statement {
  return statement(
    build
      .update(webhookEndpoints)
      .set({ ...sealed, updated_at })
      .where(
        and(
          eq(webhookEndpoints.account_seq, endpoint.account_seq),
          eq(webhookEndpoints.id, endpoint.id),
          eq(webhookEndpoints.secret, endpoint.secret),
        ),
      ),
  );
}
