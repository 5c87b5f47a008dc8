import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import { listReader } from "../../base/db/list/listing.ts";
import { build, raw, statement } from "../../base/db/statement.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { plainId } from "../../stores/ids.ts";
import type { StoreContract } from "../../stores/port/contracts.ts";
import { type UnsupportedReason, unsupportedContracts } from "./tables.ts";

/** The contract is undefined where the store does not let the app read it. */
type Refused = {
  id: number;
  contract: StoreContract | undefined;
  reason: UnsupportedReason;
  message: string;
};

/**
 * Notes that a contract cannot become a subscription, and logs it for the merchant the first time and with each other reason. A
 * contract that another job has imported meanwhile is not noted, even if a reactivation has left it since. Data of a customer that were
 * erased stay erased. Raw, because the builder has no INSERT from a condition.
 */
export async function noteUnsupported(ctx: Ctx, { id, contract, reason, message }: Refused): Promise<void> {
  const { account, now } = ctx;
  const customer = contract?.customer?.store_customer_id ?? null;
  const currency = contract?.currency_code ?? account.currency_code;
  const [noted] = await commit(ctx, [
    raw(
      `INSERT INTO unsupported_contracts
        (account_seq, store_contract_id, reason, message, currency_code, store_customer_id, first_seen_at, last_seen_at)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7
      WHERE NOT EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ?1 AND store_contract_id = ?2)
        AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ?1 AND former_contract_id = ?2)
      ON CONFLICT (account_seq, store_contract_id) DO UPDATE
        SET reason = excluded.reason, message = excluded.message, currency_code = excluded.currency_code
        WHERE reason <> excluded.reason OR message <> excluded.message OR currency_code <> excluded.currency_code
      RETURNING store_contract_id`,
      ...[account.seq, id, reason, message, currency, customer, now],
    ),
    statement(build.update(unsupportedContracts).set({ last_seen_at: now }).where(withId(account.seq, id))),
  ]);
  if (noted?.rows.length === 1)
    ctx.log("contract_not_taken_over", { alert: true, store_contract_id: id, reason, cause: message });
}

/** A contract that has become a subscription, or has ended, is no longer listed. */
export async function forgetUnsupported(ctx: Ctx, id: number): Promise<void> {
  await commit(ctx, [statement(build.delete(unsupportedContracts).where(withId(ctx.account.seq, id)))]);
}

/** Erases whose contracts they are, in any form of the customer's id. */
export async function eraseCustomerOfUnsupported({ db, account }: Ctx, customerId: string): Promise<void> {
  const { account_seq, store_customer_id } = unsupportedContracts;
  await commit({ db }, [
    statement(
      build
        .update(unsupportedContracts)
        .set({ store_customer_id: null })
        .where(and(eq(account_seq, account.seq), eq(store_customer_id, plainId("Customer", customerId)))),
    ),
  ]);
}

/**
 * The contracts that were not looked at since an instant, a page of those that have waited longest; they count as looked at from then on. Raw,
 * because the builder has no UPDATE with a limit.
 */
export async function takeUnsupportedToLookAt({ db, account, now }: Ctx, since: Instant): Promise<number[]> {
  const [taken] = await commit({ db }, [
    raw<{ store_contract_id: number }>(
      `UPDATE unsupported_contracts SET last_seen_at = ? WHERE account_seq = ? AND store_contract_id IN
        (SELECT store_contract_id FROM unsupported_contracts WHERE account_seq = ? AND last_seen_at < ?
          ORDER BY last_seen_at LIMIT ?)
      RETURNING store_contract_id`,
      ...[now, account.seq, account.seq, since, unsupportedPage],
    ),
  ]);
  return taken.rows.map(({ store_contract_id }) => store_contract_id);
}

/** The number of contracts that are looked at again at once. */
export const unsupportedPage = 25;

export const listUnsupported = listReader({
  table: unsupportedContracts,
  columns: getTableColumns(unsupportedContracts),
  scope: (p) => sql`${unsupportedContracts.account_seq} = ${p("account_seq")}`,
  tiebreaker: unsupportedContracts.store_contract_id,
  sorts: { created_at: unsupportedContracts.first_seen_at },
  filters: {},
});

function withId(accountSeq: AccountSeq, id: number) {
  return and(
    eq(unsupportedContracts.account_seq, accountSeq),
    eq(unsupportedContracts.store_contract_id, id),
  );
}
