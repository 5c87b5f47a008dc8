import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Account } from "../../src/base/accounts/tables.ts";
import type { Db } from "../../src/base/db/port.ts";
import { first, raw } from "../../src/base/db/statement.ts";
import { findTables, rowsOf } from "../../src/edges/operator/move/copy.ts";
import { type RowLine, textOf } from "./account-file.ts";
import { type Commands, recordsOf, required } from "./command.ts";

export const exportCommands: Commands = {
  export: {
    takes: ["shop", "account", "to"],
    async run(where, values) {
      const file = required(values, "to");
      const { db, account } = await recordsOf(where, values);
      const schema = await schemaOf(db);
      let rows = 0;
      const lines = async function* () {
        yield textOf({ schema, account_id: account.id, shop: account.shop });
        for await (const line of rowLinesOf(db, account)) {
          rows++;
          yield textOf(line);
        }
        yield textOf({ rows });
      };
      await pipeline(lines, createWriteStream(file, { flags: "wx", mode: 0o600 }));
      return [{ account_id: account.id, shop: account.shop, file, rows }];
    },
  },
};

/** A line for each row: the account first, then each table after those that its rows refer to. */
async function* rowLinesOf(db: Db, account: Account): AsyncGenerator<RowLine> {
  const { seq: _, ...own } = account;
  yield { table: "accounts", row: own };
  for (const table of await findTables(db))
    for await (const row of rowsOf(db, table, account.id)) yield { table: table.name, row };
}

/** The newest migration that the database has. Whatever applies migrations notes them in a table of its own. */
async function schemaOf(db: Db): Promise<string> {
  const known = "'d1_migrations', 'applied_migrations', 'object_migrations'";
  const table = await first(
    db,
    raw<{ name: string }>(`SELECT name FROM sqlite_master WHERE name IN (${known})`),
  );
  if (!table) throw new Error("The database has no migrations");
  const newest = await first(db, raw<{ name: string }>(`SELECT MAX(name) AS name FROM ${table.name}`));
  return newest!.name;
}
