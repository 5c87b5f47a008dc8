import type { Db, Statement } from "../../src/base/db/port.ts";
import { emptyUsage } from "../../src/base/db/usage.ts";
import type { Env } from "../../src/base/env.ts";
import type { Job } from "../../src/base/job.ts";
import type { Ctx } from "../../src/kit/context.ts";
import type { Database } from "./database.ts";
import { networkOf } from "./network.ts";
import { call, type Task } from "./task.ts";
import { instantOf, type World } from "./world.ts";

/** The account's database as a task sees it: the one that it takes for it, where the account moves between two. */
export function dbOf(world: World, task: Task): Db {
  return dbAt(world, task, task.home ?? world.database);
}

/** A database as a task sees it. */
export function dbAt(world: World, task: Task, database: Database): Db {
  const { parts, whereabouts } = world;
  const write = async (statements: Statement[]) => {
    const results = await database.batch(statements, "write");
    world.commits++;
    const hasChanged = database.hasChanged?.() ?? true;
    if (hasChanged && whereabouts?.isElsewhere(database)) {
      whereabouts.checkWriter(task);
      return results;
    }
    for (const { wrote } of parts) wrote?.(world, { task, statements, hasChanged });
    if (hasChanged && !statements.every(({ sql }) => keepsBooks(world, sql)))
      for (const { watch } of parts) {
        const looking = watch?.(world, task);
        if (looking) await looking;
      }
    return results;
  };
  const read = (statements: Statement[]) => {
    if (whereabouts?.isElsewhere(database)) whereabouts.checkReader(task);
    return database.batch(statements, "read");
  };
  const usage = emptyUsage();
  return {
    engine: database.engine,
    usage,
    batch: (statements, mode) => {
      usage.db_statements += statements.length;
      usage.db_round_trips++;
      const perform = () => (mode === "read" ? read(statements) : write(statements));
      const isCron = task.name === "cron";
      return call(task, {
        kind: mode,
        isRoutine: mode === "read" || isCron,
        what: () => (mode === "read" ? "read" : `write ${summaryOf(statements)}`),
        perform,
      });
    },
  };
}

/** The context of an action at this instant, with the simulated ports. */
export function ctxOf(world: World, task: Task, actor: Ctx["actor"], job?: Job): Ctx {
  return {
    env,
    db: dbOf(world, task),
    account: task.account ?? world.account,
    actor,
    now: instantOf(world),
    realNow: instantOf(world),
    newId: world.newId,
    log: (event, fields = {}) => {
      for (const { noteLog } of world.parts) noteLog?.(world, event, fields);
    },
    store: world.store.open(task, job),
    send: sendOf(world, task),
    network: networkOf(world, task),
  };
}

/** Whether a statement only reads, or keeps the books of work that is under way: no rule is checked after a commit of these alone. */
function keepsBooks({ parts }: World, sql: string): boolean {
  const known = books.get(sql);
  if (known !== undefined) return known;
  const answer = reads.test(sql) || parts.some((part) => part.keepsBooks?.test(sql));
  books.set(sql, answer);
  return answer;
}

const reads = /^(WITH RECURSIVE|select)/i;
/** Statements have few texts, which are long. */
const books = new Map<string, boolean>();

/** The writes of a batch, for the trace: its activity entries, or the tables it touches. */
function summaryOf(statements: Statement[]): string {
  const words = statements.flatMap(({ sql, params }) => {
    if (/^insert into "new_entries"/.test(sql)) return [String(params[2])];
    if (sql.startsWith("WITH RECURSIVE")) return ["sweep"];
    if (/^select/i.test(sql)) return [];
    return [/^(?:insert into|update) "?(\w+)/i.exec(sql)?.[1] ?? "guard"];
  });
  return [...new Set(words)].join(", ");
}

/** The queue as a sender sees it. It never fails: the Worker logs what the queue does not take (context.ts). */
function sendOf(world: World, task: Task): Ctx["send"] {
  return (jobs, delaySeconds = 0) => {
    if (jobs.length === 0) return Promise.resolve();
    const put = async () => {
      for (const job of jobs) world.queue.put(job, world.clock + delaySeconds * 1000);
    };
    return call(task, {
      kind: "send",
      what: () => `send ${jobs.map(({ type }) => type).join(", ")}`,
      perform: put,
    });
  };
}

/** The settings that actions read. */
export const env = {
  ENVIRONMENT: "test",
  PUBLIC_URL: "https://subscriptions.example.com",
  STORE_CLIENT_SECRET: [] as string[],
  STORE_CREDENTIALS_KEY: btoa(String.fromCharCode(...new Uint8Array(32).fill(7))),
} as Env;
