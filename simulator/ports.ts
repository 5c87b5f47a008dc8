import type { Ctx, Job } from "../src/context.ts";
import type { Db, Statement } from "../src/db/client.ts";
import type { Env } from "../src/env.ts";
import type { Store } from "../src/store/port.ts";
import type { Authority } from "./ledger.ts";
import { type Call, call, type Task } from "./task.ts";
import { instantOf, type World } from "./world.ts";

/** What a batch writes, in a word: the entries of its history, or the tables it touches. */
const toldOf = (statements: Statement[]): string => {
  const words = statements.flatMap(({ sql, params }) => {
    if (/^insert into "activity_logs"/.test(sql)) return [String(params[2])];
    if (sql.includes('"claims" + 1')) return ["claim"];
    if (sql.startsWith("UPDATE billing_attempts SET next_action_at")) return ["sweep"];
    return [/^(?:insert into|update) "?(\w+)/i.exec(sql)?.[1] ?? "guard"];
  });
  return [...new Set(words)].join(", ");
};

const dbOf = (world: World, task: Task): Db => {
  const { database } = world;
  const write = async (statements: Statement[]) => {
    const results = await database.batch(statements, "write");
    task.lastCommit = ++world.commits;
    await world.watch.look(world.commits);
    return results;
  };
  return {
    usage: { trips: 0, rows_read: 0, rows_written: 0 },
    batch: (statements, mode) =>
      call(task, {
        kind: mode,
        isDull: mode === "read" || task.name === "cron",
        what: () => (mode === "read" ? "read" : `write ${toldOf(statements)}`),
        perform: () => (mode === "read" ? database.batch(statements, mode) : write(statements)),
      }),
  };
};

/** On whose behalf a message's charge is asked for: the key does not tell, the attempt does. */
const authorityOf = (world: World, task: Task, job: Job | undefined): Authority => {
  const attempt = job?.type === "charge" ? world.watch.attempt(job.attempt_id) : undefined;
  if (!attempt) throw new Error("The store is asked for a charge outside of an attempt");
  const { subscription_id, activation, cycle, amount } = attempt;
  const isWanted = world.watch.isWantedAt(subscription_id, activation, task.lastCommit);
  return {
    subscription_id,
    activation,
    cycle,
    isWanted,
    frozenAmount: amount,
    commit: task.lastCommit,
    restores: world.restores,
  };
};

const storeOf = (world: World, task: Task, job: Job | undefined): Store => {
  const { ledger } = world;
  const ask = <T>(what: string, perform: () => T): Promise<T> =>
    call(task, { kind: "ask", what: () => what, perform: async () => perform() });
  return {
    findPaymentMethod: (id) =>
      ask("find a payment method", () => ({
        store_payment_method_id: id,
        store_customer_id: null,
        store_customer_email: null,
        brand: "visa",
        last4: "4242",
        exp_month: 12,
        exp_year: 2034,
        is_default: false,
        status: "VALID",
      })),
    createContract: ({ subscription_id: id }) => ask("make a contract", () => ledger.contractOf(id)),
    findCharge: ({ key }) => ask("look a charge up", () => ledger.find(key)),
    withdrawCharge: ({ key }) => ask("withdraw a charge", () => ledger.withdraw(key)),
    charge(charge) {
      const authority = authorityOf(world, task, job);
      const made: Call = {
        kind: "charge",
        what: () => `charge ${charge.amount} for cycle ${authority.activation}.${authority.cycle}`,
        perform: async () => ledger.charge(charge, authority),
        arriveLater: (ms) => ledger.sendLate({ charge, authority, at: world.clock + ms }),
      };
      return call(task, made);
    },
  };
};

/** The queue as a sender sees it: what it cannot take is logged and let go (context.ts), so it never fails. */
const sendOf =
  (world: World, task: Task): Ctx["send"] =>
  (jobs, delaySeconds = 0) => {
    if (jobs.length === 0) return Promise.resolve();
    const put = async () => {
      for (const job of jobs) world.bag.put(job, world.clock + delaySeconds * 1000);
    };
    return call(task, {
      kind: "send",
      what: () => `send ${jobs.map(({ type }) => type).join(", ")}`,
      perform: put,
    });
  };

/** What an action is given: the world through its ports, at this instant. */
export const ctxOf = (world: World, task: Task, actor: Ctx["actor"], job?: Job): Ctx => ({
  env: {} as Env,
  db: dbOf(world, task),
  account: world.account,
  actor,
  now: instantOf(world),
  realNow: instantOf(world),
  newId: world.newId,
  log: () => {},
  store: storeOf(world, task, job),
  send: sendOf(world, task),
});
