import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { select } from "./database.ts";

/**
 * D1 with one replica that lags until a test lets it catch up, because the local runtime has none. The rules of where a session
 * may read are from Cloudflare's page on D1 read replication; that a bookmark of nowhere is an error is a guess.
 */
export async function openReplicated() {
  await applyD1Migrations(env.REPLICA, env.TEST_MIGRATIONS);
  const state: State = { written: 0, copied: 0, answeredByReplica: 0 };
  const DB = {
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    withSession: (constraint: string) => sessionOf(state, constraint),
  } as unknown as D1Database;
  const catchUp = async () => {
    await copyRows();
    state.copied = state.written;
  };
  await catchUp();
  return { DB, catchUp, answeredByReplica: () => state.answeredByReplica };
}

/** How many writes the primary has made and the replica has heard of. */
type State = { written: number; copied: number; answeredByReplica: number };
type Part = { sql: string; values: unknown[] };

export function bookmarkOf(version: number): string {
  return `00000000-${version.toString(16).padStart(8, "0")}-00000000-${"0".repeat(32)}`;
}

function sessionOf(state: State, constraint: string) {
  let seen = constraint.startsWith("first-") ? 0 : versionIn(constraint);
  let mustAskPrimary = constraint === "first-primary";
  let hasAsked = false;

  const run = async (parts: Part[]): Promise<D1Result[]> => {
    if (seen > state.written) throw new Error("D1_ERROR: the bookmark is not one of this database");
    const writes = parts.some(({ sql }) => !/^\s*(select|with)\b/i.test(sql));
    const byReplica = !writes && !mustAskPrimary && state.copied >= seen;
    mustAskPrimary = false;
    hasAsked = true;
    const database = byReplica ? env.REPLICA : env.DB;
    const results = await database.batch(parts.map(({ sql, values }) => bound(database, sql, values)));
    if (writes) state.written++;
    if (byReplica) state.answeredByReplica++;
    seen = byReplica ? Math.max(seen, state.copied) : state.written;
    return results;
  };

  const parts = new WeakMap<object, Part>();
  const statement = (part: Part): object => {
    const made = {
      bind: (...values: unknown[]) => statement({ ...part, values }),
      run: async () => (await run([part]))[0],
    };
    parts.set(made, part);
    return made;
  };
  return {
    prepare: (sql: string) => statement({ sql, values: [] }),
    batch: (statements: object[]) => run(statements.map((one) => parts.get(one) as Part)),
    getBookmark: () => (hasAsked ? bookmarkOf(seen) : null),
  };
}

function bound(database: D1Database, sql: string, values: unknown[]): D1PreparedStatement {
  return values.length === 0 ? database.prepare(sql) : database.prepare(sql).bind(...values);
}

function versionIn(bookmark: string): number {
  return Number.parseInt(bookmark.split("-")[1] ?? "", 16);
}

/** The replica has the primary's rows and, because they come as they are, no triggers. */
async function copyRows(): Promise<void> {
  const { results } = await env.REPLICA.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").run<{
    name: string;
  }>();
  for (const { name } of results) await env.REPLICA.prepare(`DROP TRIGGER "${name}"`).run();
  const rows = [env.REPLICA.prepare("PRAGMA defer_foreign_keys = ON")];
  for (const table of await tables()) {
    const columns = await select<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`);
    const names = columns.map(({ name }) => `"${name}"`).join(", ");
    const values = columns.map((_, nth) => `value ->> ${nth}`).join(", ");
    const [copied] = await select<{ json: string }>(
      `SELECT json_group_array(json_array(${names})) AS json FROM "${table}"`,
    );
    rows.push(
      env.REPLICA.prepare(`DELETE FROM "${table}"`),
      env.REPLICA.prepare(`INSERT INTO "${table}" (${names}) SELECT ${values} FROM json_each(?)`).bind(
        copied?.json ?? "[]",
      ),
    );
  }
  await env.REPLICA.batch(rows);
}

/** The tables of records: not the full-text index and its parts. */
async function tables(): Promise<string[]> {
  const known = await select<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
  );
  const indexes = known.filter(({ sql }) => sql.includes("VIRTUAL")).map(({ name }) => name);
  return known
    .map(({ name }) => name)
    .filter((name) => !indexes.some((index) => name === index || name.startsWith(`${index}_`)));
}
