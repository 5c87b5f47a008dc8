import { seqOfId } from "../../../base/db/account-seq.ts";
import type { Db } from "../../../base/db/port.ts";
import { first, raw } from "../../../base/db/statement.ts";
import type { Instant } from "../../../base/lib/time/dates.ts";
import { type MovedTable, quoteName } from "./row-statements.ts";

type Looked = { accountId: string; tables: MovedTable[]; now: Instant };

/**
 * Whether something of an account is being worked on, by real time. Of the rows that may be leased those are looked at which are still to be
 * done: of the others there may be millions.
 */
export async function hasOpenLease(db: Db, { accountId, tables, now }: Looked): Promise<boolean> {
  const looks = tables
    .filter(({ name, columns }) => columns.includes("lease_until") && name !== "event_deliveries")
    .map(({ name, columns }) => {
      const isOpen = columns.includes("next_action_at") ? "AND next_action_at IS NOT NULL" : "";
      return `EXISTS (SELECT 1 FROM ${quoteName(name)} WHERE ${its} ${isOpen} AND lease_until > ?2)`;
    });
  const sql = `SELECT ${[...looks, isDelivering].join(" OR ")} AS isOpen`;
  const found = await first(db, raw<{ isOpen: number }>(sql, accountId, now));
  return found?.isOpen === 1;
}

const its = `account_seq = ${seqOfId.replace("?", "?1")}`;

/** Deliveries that are sent are found by their endpoint. */
const isDelivering = `EXISTS (SELECT 1 FROM webhook_endpoints AS e JOIN event_deliveries AS d ON d.endpoint_id = e.id
  WHERE e.${its} AND d.status = 'PENDING' AND d.lease_until IS NOT NULL AND d.lease_until > ?2)`;
