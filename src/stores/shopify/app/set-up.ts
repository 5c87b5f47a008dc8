import { eq } from "drizzle-orm";
import { selectSeq } from "../../../base/db/account-seq.ts";
import { commit } from "../../../base/db/commit.ts";
import type { Db } from "../../../base/db/port.ts";
import { build, first, statement } from "../../../base/db/statement.ts";
import { StoreRefusalError, type StoreSetUp } from "../../port.ts";
import type { ShopAccess } from "../client.ts";
import { refusalOfRequired, refusedTopics, registerWebhooks } from "../register-webhooks.ts";
import { shopifyConnections as connections } from "../tables.ts";

type Input = { db: Db; connect: () => Promise<ShopAccess>; accountId: string };

/** Compares a store's webhooks with those that it should send, and mends what differs; undefined where nobody has said to which address. */
export async function setUpStore({ db, connect, accountId }: Input): Promise<StoreSetUp | undefined> {
  const webhooks_uri = await findWebhooksUri(db, accountId);
  if (webhooks_uri === undefined) return undefined;
  const results = await registerWebhooks(await connect(), webhooks_uri).catch((error) => {
    if (error instanceof StoreRefusalError) return error;
    throw error;
  });
  if (results instanceof StoreRefusalError) return { refusal: results, warnings: [], registered: 0 };
  return {
    refusal: refusalOfRequired(results) ?? null,
    warnings: refusedTopics(results, { required: false }),
    registered: results.filter(({ registration }) => registration === "created" || registration === "updated")
      .length,
  };
}

/** The address that an account's store sends its webhooks to, if somebody has said so. */
export async function findWebhooksUri(db: Db, accountId: string): Promise<string | undefined> {
  return (await first(db, selectAddress(accountId)))?.webhooks_uri ?? undefined;
}

/** Has the webhooks go to another address from now on: they are compared with it each night. */
export async function storeWebhooksUri(db: Db, accountId: string, uri: string, now: string): Promise<void> {
  const set = { webhooks_uri: uri, updated_at: now };
  await commit({ db }, [
    statement(
      build
        .update(connections)
        .set(set)
        .where(eq(connections.account_seq, selectSeq(accountId))),
    ),
  ]);
}

function selectAddress(accountId: string) {
  return statement(
    build
      .select({ webhooks_uri: connections.webhooks_uri })
      .from(connections)
      .where(eq(connections.account_seq, selectSeq(accountId))),
  );
}
