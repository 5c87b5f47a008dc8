import { createWriteStream, linkSync, mkdirSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { closingOf } from "../../src/base/accounts/closed.ts";
import { listAccounts } from "../../src/base/accounts/queries.ts";
import type { Account } from "../../src/base/accounts/tables.ts";
import { seqOfId } from "../../src/base/db/account-seq.ts";
import { version } from "../../src/base/db/newest-migration.ts";
import type { Db } from "../../src/base/db/port.ts";
import { first, raw } from "../../src/base/db/statement.ts";
import { type AccountPage, fileFormat, pageOf, signPage } from "../../src/edges/operator/account-page.ts";
import { findTables, pagesOf } from "../../src/edges/operator/move/copy.ts";
import { textOf } from "./account-file.ts";
import { type Commands, recordsOf, required } from "./command.ts";
import { credentialsKey } from "./context.ts";
import { UsageError } from "./options.ts";

export const exportCommands: Commands = {
  export: {
    takes: ["shop", "account", "all", "to"],
    async run(where, values) {
      const to = required(values, "to");
      const keys = credentialsKey();
      if (!values.all) return [await exportAccount(await recordsOf(where, values), { file: to, keys })];
      if (values.shop !== undefined || values.account !== undefined)
        throw new UsageError("--all goes without --shop and --account");
      mkdirSync(to, { recursive: true, mode: 0o700 });
      const lines: object[] = [];
      for (const account of await listAccounts(where))
        if (!closingOf(account)) {
          const { id, shop } = account;
          const its = recordsOf(where, { ...values, account: id });
          const failed = ({ message: error }: Error) => ({ account_id: id, shop, error });
          lines.push(
            await its
              .then((found) => exportAccount(found, { file: `${to}/${shop}.jsonl`, keys }))
              .catch(failed),
          );
        }
      return lines;
    },
    leavesOpen: (lines) => lines.some((line) => "error" in line),
  },
};

type Records = { db: Db; account: Account };
/** The file to write, and the keys of which the first signs it. */
type Target = { file: string; keys: string };

/** Reads while the account is written too, again until nothing of it has happened meanwhile. A file that is there is whole. */
export async function exportAccount({ db, account }: Records, { file, keys }: Target): Promise<object> {
  const unfinished = `${file}.part`;
  rmSync(unfinished, { force: true });
  for (let tries = 1; tries <= triesMax; tries++) {
    const as_of_sequence = await lastSequence(db, account);
    const rows = await writeFile({ db, account }, { file: unfinished, keys, as_of_sequence });
    if (as_of_sequence === (await lastSequence(db, account))) {
      await takeName(unfinished, file);
      return { account_id: account.id, shop: account.shop, file, rows, as_of_sequence };
    }
    rmSync(unfinished);
  }
  throw new Error(
    `${account.shop} was written while it was exported, ${triesMax} times: try at a quieter hour`,
  );
}

const triesMax = 3;

/** A file of that name is left as it is. Throws if there is one. */
async function takeName(unfinished: string, file: string): Promise<void> {
  try {
    linkSync(unfinished, file);
  } finally {
    rmSync(unfinished);
  }
}

async function writeFile(
  { db, account }: Records,
  { file, keys, as_of_sequence }: Target & { as_of_sequence: number },
): Promise<number> {
  const schema = await schemaOf(db);
  let [pages, rows] = [0, 0];
  const lines = async function* () {
    const { id: account_id, shop } = account;
    yield textOf({ format: fileFormat, version, schema, account_id, shop, as_of_sequence });
    for await (const page of accountPages(db, account)) {
      pages++;
      rows += page.rows.length;
      yield textOf({ page, mac: await signPage(keys, account_id, page) });
    }
    yield textOf({ pages, rows });
  };
  await pipeline(lines, createWriteStream(file, { flags: "wx", mode: 0o600 }));
  return rows;
}

/** The account's own row first, then each table after those that its rows refer to. */
async function* accountPages(db: Db, account: Account): AsyncGenerator<AccountPage> {
  const { seq: _, ...own } = account;
  const whole = { rows: [own], after: null, isLast: true };
  yield pageOf({ name: "accounts", columns: Object.keys(own), key: [] }, whole);
  for (const table of await findTables(db))
    for await (const page of pagesOf(db, table, account.id)) yield pageOf(table, page);
}

/** The number of the account's newest event. */
async function lastSequence(db: Db, { id }: Account): Promise<number> {
  const its = `account_seq = ${seqOfId.replace("?", "?1")}`;
  const newest = `SELECT MAX(COALESCE((SELECT MAX(sequence) FROM activity_logs WHERE ${its}), 0),
    COALESCE((SELECT last FROM event_sequences WHERE ${its}), 0)) AS sequence`;
  return (await first(db, raw<{ sequence: number }>(newest, id)))!.sequence;
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
