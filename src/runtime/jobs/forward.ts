import { holdsJobs } from "../../base/accounts/moving.ts";
import { objectOf } from "../../base/accounts/objects.ts";
import { isElsewhere } from "../../base/accounts/queries.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { openDb } from "../../base/db/client.ts";
import type { Db } from "../../base/db/port.ts";
import { type Bindings, type Env, parseEnv } from "../../base/env.ts";
import { minuteMs } from "../../base/lib/time/durations.ts";
import { log } from "../../kit/context.ts";
import type { Delivered } from "./batch.ts";
import { invocationLimits } from "./budget.ts";

type Message = Delivered & { message: { id: string; attempts: number; body: unknown } };
type Forwarding<M extends Message> = {
  bindings: Bindings;
  queue: string;
  delivered: M[];
  /** Reads the accounts of the messages. */
  readAccounts: (db: Db) => Promise<Account[]>;
};

/**
 * Has the messages of accounts with an object worked on there, with one call for each object and batch. Returns the messages of all
 * other accounts, and never throws: messages that no object answers for are delivered again, as are those of an account that is being moved,
 * and all while the accounts cannot be read: those of an object must not be worked on here.
 */
export async function forwardJobs<M extends Message>(forwarding: Forwarding<M>): Promise<M[]> {
  const { queue, delivered } = forwarding;
  const found = await findElsewhere(forwarding);
  if (found === "unknown") {
    for (const { retry } of delivered) retry();
    return [];
  }
  const { env, elsewhere, held } = found;
  const waiting = delivered.filter(({ job }) => held.has(job.account_id));
  for (const { retry } of waiting) retry();
  const begun = delivered.filter((message) => !waiting.includes(message));
  const groups = Map.groupBy(begun, ({ job }) => elsewhere.get(job.account_id));
  const calls = [...groups].map(
    ([account, messages]) => account && forward({ env, account, queue, messages }),
  );
  await Promise.all(calls);
  return groups.get(undefined) ?? [];
}

/** The accounts whose messages are to be forwarded, and those whose jobs are not begun, as they are moved. */
type Elsewhere = { env: Env; elsewhere: Map<string, Account>; held: Set<string> };

/** Reads where the accounts of messages are. */
async function findElsewhere<M extends Message>({
  bindings,
  readAccounts,
}: Forwarding<M>): Promise<Elsewhere | "unknown"> {
  try {
    const env = parseEnv(bindings);
    const db = openDb(env);
    const accounts = await readAccounts(db);
    const elsewhere = accounts.filter((account) => isElsewhere(db, account));
    return {
      env,
      elsewhere: new Map(elsewhere.map((account) => [account.id, account])),
      held: new Set(accounts.filter(holdsJobs).map(({ id }) => id)),
    };
  } catch (error) {
    log("accounts_not_read", { cause: String(error) });
    return "unknown";
  }
}

type Call<M extends Message> = { env: Env; account: Account; queue: string; messages: M[] };

async function forward<M extends Message>({ env, account, queue, messages }: Call<M>): Promise<void> {
  const handed = messages.map(({ message: { id, attempts, body } }) => ({ id, attempts, body }));
  const done: string[] = await withinDeadline(objectOf(env, account).work(account, queue, handed)).catch(
    (error) => {
      log("object_unreachable", { alert: true, account_id: account.id, cause: String(error) });
      return [];
    },
  );
  for (const { message, ack, retry } of messages) done.includes(message.id) ? ack() : retry();
}

/**
 * The time that an object may take for a batch: as long as an invocation begins jobs, and what the last of them takes. Then its messages are
 * delivered again; what it still does holds its leases, so that nothing is done twice.
 */
const deadline_ms = invocationLimits.beginMs + 4 * minuteMs;

async function withinDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the object did not answer in time")), deadline_ms);
  });
  return Promise.race([work, expired]).finally(() => clearTimeout(timer));
}
