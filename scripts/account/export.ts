import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Account } from "../../src/accounts/tables.ts";
import type { Db } from "../../src/db/client.ts";
import { rowsOf, tablesOf } from "../../src/operator/move/copy.ts";
import { type Commands, recordsOf, required } from "./command.ts";

export const exportCommands: Commands = {
  export: {
    takes: ["shop", "account", "to"],
    async run(where, values) {
      const file = required(values, "to");
      const { db, account } = await recordsOf(where, values);
      let rows = 0;
      const counted = async function* () {
        for await (const line of linesOf(db, account)) {
          rows++;
          yield `${line}\n`;
        }
      };
      await pipeline(counted, createWriteStream(file, { flags: "wx", mode: 0o600 }));
      return [{ account_id: account.id, shop: account.shop, file, rows }];
    },
  },
};

/** A line for each row: the account first, then each table after those that its rows refer to. */
async function* linesOf(db: Db, account: Account): AsyncGenerator<string> {
  yield JSON.stringify({ table: "accounts", row: account });
  for (const table of await tablesOf(db))
    for await (const row of rowsOf(db, table, account.id)) yield JSON.stringify({ table: table.name, row });
}
