import { eq } from "drizzle-orm";
import type { Db } from "../../base/db/port.ts";
import { build, first, statement } from "../../base/db/statement.ts";
import { StoreRefusalError, type StoreSetUp } from "../port.ts";
import type { Connection } from "./client.ts";
import { refusalOfRequired, refusedTopics, registerWebhooks } from "./register-webhooks.ts";
import { shopifyConnections as connections } from "./tables.ts";

type Input = { db: Db; connect: () => Promise<Connection>; accountId: string };

/** Registers the webhooks of a store that has installed the app; undefined where it was connected without one. */
export async function setUpStore({ db, connect, accountId }: Input): Promise<StoreSetUp | undefined> {
  const webhooks_uri = (await first(db, addressOf(accountId)))?.webhooks_uri;
  if (!webhooks_uri) return undefined;
  const results = await registerWebhooks(await connect(), webhooks_uri).catch((error) => {
    if (error instanceof StoreRefusalError) return error;
    throw error;
  });
  if (results instanceof StoreRefusalError) return { webhooks_uri, refusal: results, warnings: [] };
  const refusal = refusalOfRequired(results) ?? null;
  return { webhooks_uri, refusal, warnings: refusedTopics(results, { required: false }) };
}

function addressOf(accountId: string) {
  return statement(
    build
      .select({ webhooks_uri: connections.webhooks_uri })
      .from(connections)
      .where(eq(connections.account_id, accountId)),
  );
}
