import { getTableName, type InferSelectModel } from "drizzle-orm";
import type { Account } from "../accounts/tables.ts";
import { notFound } from "../errors.ts";
import type { Instant } from "../lib/time/dates.ts";
import { commit, type Writer } from "./commit.ts";
import { guard } from "./guard.ts";
import type { Statement, Value } from "./port.ts";
import { type LivingTable, updateLivingRows } from "./row-writes.ts";
import { first } from "./statement.ts";

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
  if (ctx.rehearsal?.isDry) return rehearseUpdate(ctx, { table, name, key, set }, [update, ...also]);
  const [updated] = await commit<[InferSelectModel<Table>, ...unknown[]]>(ctx, [update, ...also]);
  const row = updated.rows[0];
  if (!row) throw notFound(name);
  return row;
}

/** Reads the row that would be changed, which must be the same once it is. */
async function rehearseUpdate<Table extends LivingTable>(
  ctx: Writer & { account: Pick<Account, "seq">; now: Instant },
  { table, name, key, set }: Update<Table>,
  statements: Statement[],
): Promise<InferSelectModel<Table>> {
  const named = { account_seq: ctx.account.seq, ...key };
  const where = Object.keys(named).map((column) => `${column} = ?`);
  const sql = `SELECT * FROM ${getTableName(table)} WHERE ${where.join(" AND ")} AND deleted_at IS NULL`;
  const row = (await first(ctx.db, { sql, params: Object.values(named) as Value[] })) as
    | InferSelectModel<Table>
    | undefined;
  if (!row) throw notFound(name);
  const same = Object.keys(row).map((column) => `${column} IS ?`);
  const isGone = `NOT EXISTS (SELECT 1 FROM ${getTableName(table)} WHERE ${same.join(" AND ")})`;
  ctx.rehearsal?.guards.push(guard(isGone, Object.values(row) as Value[]));
  await commit(ctx, statements);
  return { ...row, updated_at: ctx.now, ...set };
}
