import { read } from "../../src/base/db/statement.ts";
import { numbersOf, select, testDb } from "./database.ts";

/** All rows of an account in all tables, as one text to compare; also of one that was erased. */
export async function rowsOf(accountId: string): Promise<string> {
  const tables = await tablesOfAccounts();
  const statements = [
    { sql: "SELECT * FROM accounts WHERE id = ?", params: [accountId] },
    ...tables.map((name) => ({
      sql: `SELECT * FROM "${name}" WHERE account_seq = COALESCE((SELECT seq FROM accounts WHERE id = ?), ?)`,
      params: [accountId, numbersOf.get(accountId)?.[name === "api_keys" ? "directory" : "own"] ?? null],
    })),
  ];
  const found = await read(testDb(), statements);
  return found
    .flatMap((rows, nth) => {
      const name = tables[nth - 1] ?? "accounts";
      return rows.map((row) => `${name} ${serialized(row)}`).sort();
    })
    .join("\n");
}

/** Using a key writes this column, whatever the request does. */
const volatile = new Set(["last_used_at"]);

let tables: string[] | undefined;

/** The names of all tables with an account_seq. Every test file has the same tables, so they are looked up once. */
async function tablesOfAccounts(): Promise<string[]> {
  const sql =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND instr(sql, 'account_seq INTEGER') > 0 ORDER BY name";
  tables ??= (await select<{ name: string }>(sql)).map(({ name }) => name);
  return tables;
}

function serialized(row: unknown): string {
  return JSON.stringify(row, (key, value) => (volatile.has(key) ? null : value));
}
