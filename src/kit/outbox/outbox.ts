import { and, eq, getTableColumns, is, isNull, lte, or, SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Statement, Value } from "../../base/db/port.ts";
import { updatesWhere } from "../../base/db/row-writes.ts";
import { build, type Params, statement } from "../../base/db/statement.ts";
import { type Instant, later as laterBy } from "../../base/lib/time/dates.ts";

/**
 * The verbs of a table whose rows are work that waits. Each verb makes a statement on one row, as it was read:
 * where somebody else has taken or ended the work since (`fence`, `open`), nothing is written; where it was asked for anew (`mark`), it
 * stays due.
 */
export function defineOutbox<
  Table extends WorkTable,
  Id extends ColumnOf<Table>,
  Fence extends ColumnOf<Table> = never,
  Mark extends ColumnOf<Table> = never,
>(definition: Definition<Table, Id, Fence, Mark>) {
  const { table, id, due, lease, open, fence = [], mark = [] } = definition;
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const column = (name: string): SQLiteColumn => columns[name] as SQLiteColumn;

  type Held = Pick<Row<Table>, "account_seq" | Id | Fence>;
  type Read = Pick<Row<Table>, "account_seq" | Id | Fence | Mark>;
  type Columns = SQLiteUpdateSetSource<Table>;

  const has = (name: string, work: object): SQL =>
    eq(column(name), (work as Record<string, Value>)[name] as Value);
  const key = [...new Set<string>(["account_seq", id, ...fence])];
  const isAsRead = (work: Held) => and(...key.map((name) => has(name, work)), open);
  const isUnmarked = (work: Read): SQL[] =>
    mark.map((name) => sql`${column(name)} IS ${(work as Record<string, Value>)[name]}`);

  /** The value for a column; what the column has where the work was asked for anew since it was read, or `condition` does not hold. */
  const unlessMarked = <V extends Value>(
    work: Read,
    name: ColumnOf<Table>,
    value: V,
    condition?: SQL,
  ): SQL | V => {
    const unmarked = and(...isUnmarked(work), condition);
    return unmarked ? sql`CASE WHEN ${unmarked} THEN ${value} ELSE ${column(name)} END` : value;
  };

  const keyOf = (work: Held) =>
    Object.fromEntries(key.map((name) => [name, (work as Record<string, Value>)[name]]));
  const updateValues = updatesWhere(table, () => open);
  const update = (work: Held, set: object): Statement =>
    Object.values(set).some((value) => is(value, SQL))
      ? statement(
          build
            .update(table)
            .set(set as Columns)
            .where(isAsRead(work)),
        )
      : updateValues(keyOf(work), set);

  /** Work that waits for its retry is not due. Nobody has work whose lease has ended, or that has none. */
  const isDueAndFree = (p: Params<DueAt>): SQL | undefined =>
    and(
      open,
      lte(column(due), p("due_by")),
      lease && or(isNull(column(lease)), lte(column(lease), p("free_at"))),
    );
  const updateDue = updatesWhere(table, isDueAndFree, { returnsRows: true });
  const withoutLease = lease ? { [lease]: null } : {};

  return {
    table,
    id,
    unlessMarked,
    /** The row of the work, unless somebody has taken or ended it since it was read. */
    isAsRead,

    /** Takes work, due or not, so that nobody else does it. Its row is returned as it then is; none if it is not to be had. */
    take(work: Held, set: Columns): Statement<Row<Table>> {
      return statement(build.update(table).set(set).where(isAsRead(work)).returning()) as Statement<
        Row<Table>
      >;
    },

    /** Takes work that is due and that nobody has. */
    takeDue(work: Held, set: Partial<Row<Table>>, realNow: Instant): Statement<Row<Table>> {
      const at: DueAt = { due_by: dueBy(realNow), free_at: realNow };
      return updateDue(keyOf(work), set, at) as Statement<Row<Table>>;
    },

    /** The work is done, and waits for nothing until it is asked for anew. It stays due unless `condition` holds. */
    done(work: Read, set: Columns = {}, condition?: SQL): Statement {
      return update(work, { ...set, ...withoutLease, [due]: unlessMarked(work, due, null, condition) });
    },

    /** The work is tried again at an instant. Until then the lease is kept that `set` names. */
    later(work: Read, at: Instant, set: Columns = {}): Statement {
      return update(work, { ...withoutLease, ...set, [due]: unlessMarked(work, due, at) });
    },

    /** Nobody does the work any more, and its row says why. */
    giveUp(work: Read, set: Columns): Statement {
      return update(work, { ...set, ...withoutLease, [due]: unlessMarked(work, due, null) });
    },

    /** Nobody does the work any more, and its row goes, unless it was asked for anew. */
    drop(work: Read): Statement {
      return statement(build.delete(table).where(and(isAsRead(work), ...isUnmarked(work))));
    },
  };
}

/** The sweep puts off what it finds by a minute and sends its message: what is due by this instant may be done now. */
export function dueBy(realNow: Instant): Instant {
  return laterBy(realNow, horizonMs);
}

const horizonMs = 90_000;

/** By when work is due, and by when its lease has ended. */
type DueAt = { due_by: Instant; free_at: Instant };

type WorkTable = SQLiteTable & Record<"account_seq", SQLiteColumn>;
type Row<Table extends WorkTable> = Table["$inferSelect"];
type ColumnOf<Table extends WorkTable> = Extract<keyof Row<Table>, string>;

type Definition<Table extends WorkTable, Id, Fence, Mark> = {
  table: Table;
  /** The column that names work within its account. */
  id: Id;
  /** When work is due, by real time; null where there is none. */
  due: ColumnOf<Table>;
  /** Until when whoever has taken work alone does it. */
  lease?: ColumnOf<Table>;
  /** The condition that holds of work until it is over. */
  open?: SQL;
  /** Columns that change when work is taken or ended. A null in them matches nothing. */
  fence?: readonly Fence[];
  /** Columns that change when work is asked for anew. */
  mark?: readonly Mark[];
};
