import { constants, type DatabaseSync, type StatementSync } from "node:sqlite";

/** A table, how often it has changed, and whether it has rows, as far as that is known. */
export type Table = { name: string; version: number; isEmpty: boolean | undefined };

/** A prepared statement with the tables that it reads and writes, triggers included. */
type Known = {
  statement: StatementSync;
  reads: Table[];
  writes: Table[];
  /** The tables of `writes` whose rows it may delete. */
  deletes: Table[];
  /** The table whose rows it updates or deletes, if it does no more. */
  changes: Table | undefined;
};

export type TableRegister = {
  prepare: (sql: string) => Known;
  isEmpty: (table: Table) => boolean;
  /** Counts a change of the tables that a statement writes, if it has just been run and has changed a row. */
  noteChanges: (known: Known) => void;
  /** How many rows have changed since the database was opened. */
  changed: () => number;
  forget: () => void;
};

/** Learns from SQLite, which asks for permission while it compiles, what each statement reads and writes. */
export function tableRegister(database: DatabaseSync): TableRegister {
  const tables = new Map<string, Table>();
  const probes = new Map<Table, StatementSync>();
  const countChanges = database.prepare("SELECT total_changes()");
  countChanges.setReturnArrays(true);
  let changed = 0;
  let asked: { code: number; table: string; isTrigger: boolean }[] = [];
  database.setAuthorizer((code, table, _column, _database, trigger) => {
    if (table !== null) asked.push({ code, table, isTrigger: trigger !== null });
    return SQLITE_OK;
  });

  const tableOf = (name: string): Table => {
    const table = tables.get(name) ?? { name, version: 0, isEmpty: undefined };
    tables.set(name, table);
    return table;
  };
  const tablesOf = (...codes: number[]): Table[] => [
    ...new Set(asked.filter(({ code }) => codes.includes(code)).map(({ table }) => tableOf(table))),
  ];
  const probe = (table: Table): StatementSync => {
    const known = probes.get(table) ?? database.prepare(`SELECT 1 FROM ${table.name} LIMIT 1`);
    probes.set(table, known);
    return known;
  };
  return {
    prepare(sql) {
      asked = [];
      const statement = database.prepare(sql);
      const [first] = asked.filter(({ code, isTrigger }) => !isTrigger && isWrite(code));
      return {
        statement,
        reads: tablesOf(SQLITE_READ),
        writes: tablesOf(SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE),
        deletes: tablesOf(SQLITE_DELETE),
        changes: first && first.code !== SQLITE_INSERT ? tableOf(first.table) : undefined,
      };
    },
    isEmpty(table) {
      table.isEmpty ??= probe(table).get() === undefined;
      return table.isEmpty;
    },
    noteChanges({ writes, deletes }) {
      const [changes] = countChanges.get() as unknown as [number];
      if (changes === changed) return;
      changed = changes;
      for (const table of writes) {
        table.version++;
        // A row that is inserted or updated fills an empty table; only one that is deleted may leave an empty one.
        if (table.isEmpty) table.isEmpty = undefined;
      }
      for (const table of deletes) table.isEmpty = undefined;
    },
    changed: () => changed,
    forget() {
      for (const table of tables.values()) {
        table.version++;
        table.isEmpty = undefined;
      }
    },
  };
}

const { SQLITE_OK, SQLITE_READ, SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE } = constants;

function isWrite(code: number): boolean {
  return code === SQLITE_INSERT || code === SQLITE_UPDATE || code === SQLITE_DELETE;
}
