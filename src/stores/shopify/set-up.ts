import { eq } from "drizzle-orm";
import { selectSeq } from "../../base/db/account-seq.ts";
import type { Db } from "../../base/db/port.ts";
import { build, first, statement } from "../../base/db/statement.ts";
import { StoreRefusalError, type StoreSetUp } from "../port.ts";
import type { Connection } from "./client.ts";
import { registerWebhooks } from "./register-webhooks.ts";
import { shopifyConnections as connections } from "./tables.ts";

type Input = { db: Db; connect: () => Promise<Connection>; accountId: string };

/** Registers the webhooks of a store that has installed the app; undefined where it was connected without one. */
export async function setUpStore({ db, connect, accountId }: Input): Promise<StoreSetUp | undefined> {
  const webhooks_uri = (await first(db, selectAddress(accountId)))?.webhooks_uri;
  if (!webhooks_uri) return undefined;
  const connection = await connect();
  try {
    await registerWebhooks(connection, webhooks_uri);
  } catch (error) {
    if (error instanceof StoreRefusalError) return { webhooks_uri, refusal: error };
    throw error;
  }
  return { webhooks_uri, refusal: null };
}

function selectAddress(accountId: string) {
  return statement(
    build
      .select({ webhooks_uri: connections.webhooks_uri })
      .from(connections)
      .where(eq(connections.account_seq, selectSeq(accountId))),
  );
}
