import { and, eq, isNull } from "drizzle-orm";
import { selectSeq } from "../../base/db/account-seq.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import type { Log } from "../../base/lib/log.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { StoreRefusalError } from "../port.ts";
import type { OpenedStripeConnection } from "./connection.ts";
import type { AskStripe } from "./request.ts";
import { stripeConnections as connections } from "./tables.ts";

type Refused = {
  db: Db;
  ask: AskStripe;
  connection: OpenedStripeConnection;
  accountId: string;
  realNow: Instant;
  log: Log;
};

/**
 * Whether Stripe refuses the key of an account, which was revoked or has expired. It is tried once more; if it is refused again, the account
 * is disconnected, unless it has received another key in the meantime. Nobody is charged then until it is connected again.
 */
export async function disconnectIfRefused(refused: Refused): Promise<boolean> {
  const { db, ask, connection, accountId, realNow, log } = refused;
  if (!(await isRefused(ask))) return false;
  const [disconnected] = await commit({ db }, [
    statement(
      build
        .update(connections)
        .set({ disconnected_at: realNow, next_action_at: null })
        .where(
          and(
            eq(connections.account_seq, selectSeq(accountId)),
            eq(connections.credentials, connection.sealed),
            isNull(connections.disconnected_at),
          ),
        )
        .returning({ account_seq: connections.account_seq }),
    ),
  ]);
  if (disconnected?.rows.length === 1) log("store_disconnected", { alert: true, account_id: accountId });
  return true;
}

async function isRefused(ask: AskStripe): Promise<boolean> {
  try {
    await ask({ method: "GET", path: "/v1/account" });
    return false;
  } catch (error) {
    if (error instanceof StoreRefusalError) return error.codes.includes("HTTP_401");
    throw error;
  }
}
