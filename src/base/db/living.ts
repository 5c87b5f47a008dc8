import type { InferSelectModel } from "drizzle-orm";
import type { Account } from "../accounts/tables.ts";
import { notFound } from "../errors.ts";
import type { Instant } from "../lib/time/dates.ts";
import { commit, type Writer } from "./commit.ts";
import type { Statement } from "./port.ts";
import { type LivingTable, updateLivingRows } from "./row-writes.ts";

/** An update of one row of an account, unless the row is deleted. */
type Update<Table extends LivingTable> = {
  table: Table;
  /** The name of the record in the error that there is none. */
  name: string;
  key: Partial<InferSelectModel<Table>>;
  set: Partial<InferSelectModel<Table>>;
  /** Further writes of the same batch, which take place even if there is no such row. */
  also?: Statement[];
};

/**
 * Sets columns of the row that has this key and is not deleted, and `updated_at` unless `set` names that too. Returns the row as it is then.
 * For records without a history; the others are changed by the journal. Throws NOT_FOUND.
 */
export async function changeLiving<Table extends LivingTable>(
  ctx: Writer & { account: Pick<Account, "seq">; now: Instant },
  { table, name, key, set, also = [] }: Update<Table>,
): Promise<InferSelectModel<Table>> {
  const update = updateLivingRows(
    table,
    { account_seq: ctx.account.seq, ...key },
    { updated_at: ctx.now, ...set },
  );
  const [updated] = await commit<[InferSelectModel<Table>, ...unknown[]]>(ctx, [update, ...also]);
  const row = updated.rows[0];
  if (!row) throw notFound(name);
  return row;
}
