import { env } from "cloudflare:workers";
import { select } from "./database.ts";

/** A part of a statement's plan that reads a table from one end to the other, or all rows of an account. */
export type Scan = { table: string; detail: string; sql: string };

/** The SQL of the statements that `act` gives to D1. */
export async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
  const database: Pick<D1Database, "prepare"> = Object.getPrototypeOf(env.DB);
  const { prepare } = database;
  const statements = new Set<string>();
  database.prepare = function (sql) {
    statements.add(sql);
    return prepare.call(this, sql);
  };
  try {
    await act();
  } finally {
    database.prepare = prepare;
  }
  return [...statements];
}

/** The scans of tables with an account_seq, but for counters and for tables with one row an account, by SQLite's own plan of each statement. */
export async function scansOf(statements: Iterable<string>): Promise<Scan[]> {
  const tables = await tenantTables();
  const found: Scan[] = [];
  for (const sql of statements) {
    const isWhole = isUnbounded(sql);
    let aliases: Map<string, string> | undefined;
    for (const detail of await planOf(sql)) {
      const [, name] = scan.exec(detail) ?? (isWhole ? wholeAccount.exec(detail) : null) ?? [];
      if (!name || exceptions.some(([plan]) => plan.test(detail))) continue;
      aliases ??= aliasesOf(sql);
      const table = aliases.get(name.replaceAll(/\W/g, "").toLowerCase()) ?? name;
      if (tables.has(table)) found.push({ table, detail, sql: sql.replaceAll(/\s+/g, " ") });
    }
  }
  return found;
}

/** The names of the indexes that the statements use. */
export async function indexesOf(statements: Iterable<string>): Promise<Set<string>> {
  const found = new Set<string>();
  for (const sql of statements)
    for (const detail of await planOf(sql))
      for (const [, name = ""] of detail.matchAll(/USING (?:COVERING )?INDEX (\S+)/g)) found.add(name);
  return found;
}

/** The statements that may read a table whole, and why. */
const exceptions: [RegExp, string][] = [
  [/^SCAN accounts /, "health asks for any account, and the sweep looks at each"],
  [/webhook_endpoints_failing/, "a partial index of the endpoints that fail, which cron counts"],
  [
    /webhook_endpoints_recovering/,
    "a partial index of the endpoints that cron goes on recovering, up to a limit",
  ],
  [
    /webhook_endpoints_applying/,
    "a partial index of the accounts whose reminders cron goes on changing, up to a limit",
  ],
  [/billing_attempts_one_open/, "a partial index of the attempts in progress, of which one is enough"],
  [/subscriptions_unlinked/, "a partial index of those that are getting a contract now"],
];

const scan = /^SCAN (\S+)(?! VIRTUAL TABLE)/;
const wholeAccount = /^SEARCH (\S+) USING .*\(account_seq=\?\)/;

/**
 * A query that takes all it finds. SQLite also plans work for a write that it does not do each time, such as checks of
 * references.
 */
function isUnbounded(sql: string): boolean {
  return /^\s*(SELECT|WITH)\b/i.test(sql) && !/\bLIMIT\b/i.test(sql);
}

/** Many requests bring about the same statements, whose plans do not change while the schema stays. */
const plans = new Map<string, Promise<string[]>>();

function planOf(sql: string): Promise<string[]> {
  const plan = plans.get(sql) ?? explain(sql);
  plans.set(sql, plan);
  return plan;
}

async function explain(sql: string): Promise<string[]> {
  if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(sql)) return [];
  const bare = sql.replaceAll(/'[^']*'|"[^"]*"/g, "");
  const numbered = [...bare.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
  const count = Math.max(0, ...numbered) + [...bare.matchAll(/\?(?!\d)/g)].length;
  const values = Array.from({ length: count }, () => null);
  const plan = await select<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
  // Parts of a long statement are planned alike, hundreds of them.
  return [...new Set(plan.map(({ detail }) => detail))];
}

/** The tables that a statement gives other names, by name; of several the first. */
function aliasesOf(sql: string): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const [, table = "", alias = ""] of sql.matchAll(/"?(\w+)"?\s+AS\s+"?(\w+)/gi)) {
    const name = alias.toLowerCase();
    if (!aliases.has(name)) aliases.set(name, table);
  }
  return aliases;
}

let names: Promise<Set<string>> | undefined;

/** Every test file has the same tables, so they are looked up once. */
function tenantTables(): Promise<Set<string>> {
  names ??= findTenantTables();
  return names;
}

async function findTenantTables(): Promise<Set<string>> {
  const rows = await select<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%_counts'
      AND instr(sql, 'account_seq INTEGER NOT NULL PRIMARY KEY') = 0
      AND (instr(sql, 'account_seq INTEGER') > 0 OR name = 'accounts')`,
  );
  return new Set(rows.map(({ name }) => name));
}
