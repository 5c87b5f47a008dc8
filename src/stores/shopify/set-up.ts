import { and, eq } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { build, first, statement } from "../../base/db/statement.ts";
import { type Instant, later } from "../../base/lib/dates.ts";
import type { Log } from "../../base/lib/log.ts";
import { StoreRefusalError } from "../port.ts";
import type { Connection } from "./client.ts";
import { registerWebhooks } from "./register-webhooks.ts";
import { shopifyConnections as connections } from "./tables.ts";

type SetUp = {
  db: Db;
  connect: () => Promise<Connection>;
  accountId: string;
  realNow: Instant;
  log: Log;
};

/** Registers the webhooks of a store that has installed the app. What it refuses is logged and tried again in an hour. */
export async function setUpStore({ db, connect, accountId, realNow, log }: SetUp): Promise<void> {
  const [uri] = [(await first(db, setUpOf(accountId)))?.webhooks_uri];
  if (!uri) return;
  const next = await registerWebhooks(await connect(), uri).then(
    () => null,
    (error) => {
      if (!(error instanceof StoreRefusalError)) throw error;
      log("store_not_set_up", { alert: true, account_id: accountId, cause: error.message });
      return later(realNow, hourMs);
    },
  );
  await commit({ db }, [updateSchedule(accountId, uri, next)]);
}

const hourMs = 3_600_000;

function setUpOf(accountId: string) {
  return statement(
    build
      .select({ webhooks_uri: connections.webhooks_uri })
      .from(connections)
      .where(eq(connections.account_id, accountId)),
  );
}

function updateSchedule(accountId: string, uri: string, next_action_at: Instant | null) {
  return statement(
    build
      .update(connections)
      .set({ next_action_at })
      .where(and(eq(connections.account_id, accountId), eq(connections.webhooks_uri, uri))),
  );
}
