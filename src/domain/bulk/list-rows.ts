import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";

/** Rows that follow those that the job has, each of a subscription; an id that is none keeps its row, which then fails. */
export function insertRows({ account }: Pick<Ctx, "account">, job: MerchantJob, ids: string[]): Statement[] {
  return Array.from({ length: Math.ceil(ids.length / rowsAtOnce) }, (_, nth) =>
    insertSome(account.seq, job, ids.slice(nth * rowsAtOnce, (nth + 1) * rowsAtOnce), nth * rowsAtOnce),
  );
}

/** One statement inserts so many rows: it is to be short. */
const rowsAtOnce = 1_000;

function insertSome(seq: AccountSeq, { id, total }: MerchantJob, ids: string[], before: number): Statement {
  const first = total + before + 1;
  return raw(
    `INSERT INTO job_rows (account_seq, job_id, n, key, status, record_id, errors, summary)
      SELECT ?1, ?2, ?3 + its.key, its.value, 'PENDING',
        (SELECT id FROM subscriptions WHERE account_seq = ?1 AND id = its.value), '[]', '{}' FROM json_each(?4) AS its`,
    ...[seq, id, first, JSON.stringify(ids)],
  );
}
