import { select } from "./database.ts";

/** What a key's use writes, whatever the request. */
const volatile = new Set(["last_used_at"]);

const tablesOfAccounts = (): Promise<{ name: string }[]> =>
  select<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND instr(sql, 'account_id TEXT') > 0 ORDER BY name",
  );

/** All rows of an account in all tables, as one text to compare. */
export const rowsOf = async (accountId: string): Promise<string> => {
  const tables = await tablesOfAccounts();
  const found = [
    `accounts ${JSON.stringify(await select("SELECT * FROM accounts WHERE id = ?", accountId))}`,
  ];
  for (const { name } of tables) {
    const rows = await select(`SELECT * FROM "${name}" WHERE account_id = ?`, accountId);
    const lines = rows.map((row) => JSON.stringify(row, (key, value) => (volatile.has(key) ? null : value)));
    found.push(...lines.sort().map((line) => `${name} ${line}`));
  }
  return found.join("\n");
};
