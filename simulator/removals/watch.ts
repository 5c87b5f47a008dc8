import { type Closing, closingOf } from "../../src/base/accounts/closed.ts";
import { lookupTtlMs, readEntry } from "../../src/base/accounts/queries.ts";
import type { Account } from "../../src/base/accounts/tables.ts";
import type { Row } from "../../src/base/db/port.ts";
import { first, raw } from "../../src/base/db/statement.ts";
import { accountTables } from "../../src/domain/privacy/account-tables.ts";
import { findTables, rowsOf } from "../../src/edges/operator/move/copy.ts";
import type { Task } from "../kernel/task.ts";
import type { World } from "../kernel/world.ts";

/** The file that `account -- export` writes of an account. */
export type AccountFile = { account: Row; tables: Record<string, Row[]> };

/** Where an account is in its life, as the directory has it. */
type State = "open" | Closing["step"] | "gone";

/** Looks at an account after each commit: whether it is closed, and its rows from then on until it is open again. */
export function newRemovalWatch(world: World, { id }: Pick<Account, "id">) {
  const { database, report } = world;
  const numbers = new Set<number>();
  let state: State = "open";
  let closedAt = Number.POSITIVE_INFINITY;
  let rows: AccountFile["tables"] | undefined;
  let imported: AccountFile | undefined;

  const read = async (): Promise<AccountFile["tables"]> => (await exportFile(world, id)).tables;

  return {
    state: (): State => state,
    /** The file that is imported from now on. */
    beginImport: (file: AccountFile): void => {
      imported = file;
    },
    async afterCommit(task: Task): Promise<void> {
      const entry = await readEntry(database, { id });
      const before = state;
      state = entry === undefined ? "gone" : (closingOf(entry)?.step ?? "open");
      if (entry) numbers.add(entry.seq);
      if (before === "open" && state === "open") return;
      if (before === "open") closedAt = world.clock;
      const [earlier, now] = [rows, state === "gone" ? {} : await read()];
      rows = state === "open" ? undefined : now;
      if (before !== "open" && state === before && !isOperator(task) && !isSame(earlier, now))
        report("nothing of a closed account is written", `${task.name} writes to it`);
      if (state === "deleting" && countOf(now) < countOf(earlier) && world.clock - closedAt < lookupTtlMs)
        report("no row goes while an isolate may serve it", `after ${world.clock - closedAt} ms`);
      if (state === "gone" && before !== "gone") await this.checkGone();
      if (state === "open" && !isSame(imported?.tables, now))
        report("an account is imported whole", differenceOf(imported?.tables ?? {}, now));
    },
    /** Nothing is left of an account that was deleted, under any number that it had. */
    async checkGone(): Promise<void> {
      for (const { name } of await accountTables(database)) {
        const left = raw<{ n: number }>(
          `SELECT COUNT(*) AS n FROM "${name}" WHERE account_seq IN (SELECT value FROM json_each(?))`,
          JSON.stringify([...numbers]),
        );
        const n = (await first(database, left))?.n ?? 0;
        if (n > 0) report("a deleted account leaves nothing", `${n} rows of ${name}`);
      }
      numbers.clear();
    },
    /** An isolate has looked the account up, and serves it from now on. */
    checkServed: (account: Account): void => {
      if (closingOf(account)) report("nobody is served from a closed account", `it is ${account.moving}`);
    },
  };
}

export async function exportFile({ database }: World, id: string): Promise<AccountFile> {
  const { seq: _, ...account } = (await readEntry(database, { id })) ?? {};
  const tables: AccountFile["tables"] = {};
  for (const table of await findTables(database)) {
    const found: Row[] = [];
    for await (const row of rowsOf(database, table, id)) found.push(row);
    tables[table.name] = found;
  }
  return { account: account as Row, tables };
}

/** Operators' tasks have names of their own. */
export const [deleting, importing] = ["delete the account", "import the account"] as const;

export function isOperator({ name }: Task): boolean {
  return name === deleting || name === importing;
}

function isSame(one: AccountFile["tables"] | undefined, other: AccountFile["tables"]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function countOf(tables: AccountFile["tables"] = {}): number {
  return Object.values(tables).reduce((sum, { length }) => sum + length, 0);
}

function differenceOf(file: AccountFile["tables"], now: AccountFile["tables"]): string {
  const names = Object.keys(now).filter((name) => JSON.stringify(file[name]) !== JSON.stringify(now[name]));
  return `${names.join(", ")} of the file are others`;
}
