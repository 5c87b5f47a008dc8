import type { Db, Statement } from "../../src/base/db/port.ts";
import { emptyUsage } from "../../src/base/db/usage.ts";
import type { Env } from "../../src/base/env.ts";
import type { Job } from "../../src/base/job.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { networkOf } from "../events/endpoint-network.ts";
import { noteEffect } from "../http/asked.ts";
import { checkReader, checkWriter, isElsewhere } from "../moves/watch.ts";
import { call, type Task } from "./task.ts";
import { type Database, instantOf, type World } from "./world.ts";

/** The account's database as a task sees it: the one that it takes for it, where the account moves between two. */
export function dbOf(world: World, task: Task): Db {
  return dbAt(world, task, task.home ?? world.database);
}

/** A database as a task sees it. */
export function dbAt(world: World, task: Task, database: Database): Db {
  const write = async (statements: Statement[]) => {
    const results = await database.batch(statements, "write");
    world.commits++;
    if (statements.some(isClaim)) task.claimedAtCommit = world.commits;
    const hasChanged = database.hasChanged?.() ?? true;
    if (hasChanged && isElsewhere(world, database)) {
      checkWriter(world, task);
      return results;
    }
    if (hasChanged && task.asked) noteEffect(task.asked, statements, world.commits);
    if (hasChanged && !statements.every(isBookkeeping)) {
      for (const { watch, account } of world.worlds)
        await (account === world.account ? watch.check(world.commits) : watch.checkUntouched());
      await world.aside?.afterCommit?.(task);
    }
    return results;
  };
  const read = (statements: Statement[]) => {
    if (isElsewhere(world, database)) checkReader(world, task);
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
    log: (event, { alert, problem, reference, attempt_id } = {}) => {
      if (problem === "not_yet_recorded") world.expected.set(String(reference), world.clock);
      if (event === "charge_not_reconciled" && alert)
        world.reported.set(String(reference), problem === "reactivation_lost" ? 0 : world.restores);
      if (event === "charged_another_amount" && alert) world.otherAmounts.add(String(attempt_id));
    },
    store: world.store.open(task, job),
    send: sendOf(world, task),
    network: networkOf(world, task),
  };
}

const isClaim = askedOnce((sql) => sql.includes('"claims" + 1'));

function isSweep(sql: string): boolean {
  return sql.startsWith("WITH RECURSIVE");
}

/** Leases and outbox rows, and what is only read: no rule is checked after a commit of these alone. */
const bookkeeping =
  /^(update "?(contract_syncs|shopify_contracts|webhook_deliveries|event_deliveries|webhook_endpoints|reconciliations)|insert into "?(shopify_contracts|event_deliveries|webhook_endpoints)|WITH RECURSIVE|select)/i;
const isBookkeeping = askedOnce((sql) => bookkeeping.test(sql));

/** Statements have few texts, which are long. */
function askedOnce(ask: (sql: string) => boolean): (statement: Statement) => boolean {
  const known = new Map<string, boolean>();
  return ({ sql }) => {
    const answer = known.get(sql) ?? ask(sql);
    known.set(sql, answer);
    return answer;
  };
}

/** The writes of a batch, for the trace: its activity entries, or the tables it touches. */
function summaryOf(statements: Statement[]): string {
  const words = statements.flatMap((statement) => {
    const { sql, params } = statement;
    if (/^insert into "new_entries"/.test(sql)) return [String(params[2])];
    if (isClaim(statement)) return ["claim"];
    if (isSweep(sql)) return ["sweep"];
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
