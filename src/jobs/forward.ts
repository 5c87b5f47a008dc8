import { objectOf } from "../accounts/objects.ts";
import { isElsewhere } from "../accounts/queries.ts";
import type { Account } from "../accounts/tables.ts";
import { log } from "../context.ts";
import { type Db, openDb } from "../db/client.ts";
import { type Bindings, type Env, parseEnv } from "../env.ts";
import type { Delivered } from "./batch.ts";

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
 * other accounts, and never throws: messages that no object answers for are delivered again.
 */
export async function forwardJobs<M extends Message>(forwarding: Forwarding<M>): Promise<M[]> {
  const { queue, delivered } = forwarding;
  const found = await findElsewhere(forwarding);
  if (!found) return delivered;
  const { env, elsewhere } = found;
  const groups = Map.groupBy(delivered, ({ job }) => elsewhere.get(job.account_id));
  const calls = [...groups].map(
    ([account, messages]) => account && forward({ env, account, queue, messages }),
  );
  await Promise.all(calls);
  return groups.get(undefined) ?? [];
}

/** The accounts whose messages are to be forwarded. If they cannot be read, no message can be worked on either. */
async function findElsewhere<M extends Message>({ bindings, readAccounts }: Forwarding<M>) {
  try {
    const env = parseEnv(bindings);
    const db = openDb(env);
    const accounts = (await readAccounts(db)).filter((account) => isElsewhere(db, account));
    return accounts.length === 0
      ? undefined
      : { env, elsewhere: new Map(accounts.map((account) => [account.id, account])) };
  } catch {
    return undefined;
  }
}

type Call<M extends Message> = { env: Env; account: Account; queue: string; messages: M[] };

async function forward<M extends Message>({ env, account, queue, messages }: Call<M>): Promise<void> {
  const handed = messages.map(({ message: { id, attempts, body } }) => ({ id, attempts, body }));
  const done: string[] = await objectOf(env, account)
    .work(account, queue, handed)
    .catch((error) => {
      log("object_unreachable", { alert: true, account_id: account.id, cause: String(error) });
      return [];
    });
  for (const { message, ack, retry } of messages) done.includes(message.id) ? ack() : retry();
}
