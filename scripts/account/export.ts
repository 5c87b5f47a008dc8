import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Account } from "../../src/accounts/tables.ts";
import type { Db } from "../../src/db/client.ts";
import { newestMigration } from "../../src/db/newest-migration.ts";
import { rowsOf, tablesOf } from "../../src/operator/move/copy.ts";
import { type RowLine, textOf } from "./account-file.ts";
import { type Commands, recordsOf, required } from "./command.ts";

export const exportCommands: Commands = {
  export: {
    takes: ["shop", "account", "to"],
    async run(where, values) {
      const file = required(values, "to");
      const { db, account } = await recordsOf(where, values);
      let rows = 0;
      const lines = async function* () {
        yield textOf({ schema: newestMigration, account_id: account.id, shop: account.shop });
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
  yield { table: "accounts", row: account };
  for (const table of await tablesOf(db))
    for await (const row of rowsOf(db, table, account.id)) yield { table: table.name, row };
}
