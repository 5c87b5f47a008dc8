import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { AccountStub, Forwarded, ForwardedMessage } from "../../src/base/accounts/objects.ts";
import { readAccount } from "../../src/base/accounts/queries.ts";
import type { Account, ForeignAccount } from "../../src/base/accounts/tables.ts";
import { d1Db } from "../../src/base/db/client.ts";
import type { AccountSeq } from "../../src/base/db/columns.ts";
import { objectDb } from "../../src/base/db/object.ts";
import type { Db, Result, Statement } from "../../src/base/db/port.ts";
import { emptyUsage } from "../../src/base/db/usage.ts";
import { type Bindings, parseEnv } from "../../src/base/env.ts";
import { migrations } from "../../src/host/migrations.ts";
import { AccountObject } from "../../src/runtime/engine/account-object.ts";
import { followDirectory } from "../../src/runtime/engine/directory.ts";
import { noteMigrations } from "../../src/runtime/engine/migrate.ts";
import { tick } from "../../src/runtime/jobs/tick.ts";
import type { Copied } from "./host/objects.ts";
import { aroundBatchesOf } from "./slow-database.ts";
import { withWatchedStorage } from "./watched-object.ts";

/** Whether the accounts of a file's tests have objects: all in the project `host-objects`, those that vitest.config.ts names in `workers`. */
export let areOnObjects: boolean = env.TEST_ENGINE === "object";
if (!areOnObjects && env.TEST_ENGINE !== "d1")
  throw new Error("The project does not say on which engine its accounts are");

/** Files on both engines follow each other on one Worker. */
export function chooseEngine(path: string): void {
  areOnObjects = env.TEST_ON_OBJECTS.some((named) => path.includes(named));
}

export function forgetObjects(): void {
  opened.clear();
}

/** Does something within an account's object, beside its storage. */
export function inObject<T>(id: string, act: (state: DurableObjectState) => Promise<T> | T): Promise<T> {
  return runInDurableObject(env.ACCOUNTS.getByName(id), (_, state) => act(state) as Promise<T>);
}

/**
 * Begins the object of an account, so that tests can write its rows before anybody has called it. Its schema is made as the other
 * engine's is (setup.ts), which takes a tenth of what the migrations do. Returns the account's number there.
 */
export async function beginObject(account: Account): Promise<AccountSeq> {
  await inObject(account.id, ({ storage }) => makeSchema(storage));
  await (env.ACCOUNTS.getByName(account.id) as unknown as AccountStub).work(account, "perennial-jobs", []);
  opened.set(account.id, account);
  return (await readAccount(dbOfObject(account.id), account.id))!.seq;
}

/** An object without an account, for tests of its storage. */
export function beginEmptyObject(id: string): Promise<void> {
  return inObject(id, ({ storage }) => makeSchema(storage));
}

/** Has an object know at once of what was changed in the directory. */
export function showDirectory(id: string): Promise<unknown> {
  return inObject(id, ({ storage }) => followDirectory(parseEnv({ ...env, STORAGE: { storage } })));
}

/** The rows of one account's object. */
export function dbOfObject(id: string): Db {
  const usage = emptyUsage();
  return {
    engine: "object",
    usage,
    batch: (statements, mode) =>
      inObject(id, ({ storage }) => objectDb({ storage }, usage).batch(statements, mode)),
  };
}

/**
 * All rows of the tests' accounts: keys are in the directory, everything else is in the object of the account that a statement's
 * parameters name, or in that of any account if they name none.
 */
export function rowsOfObjects(): Db {
  return {
    engine: "object",
    usage: emptyUsage(),
    async batch(statements, mode) {
      if (statements.every(isOfDirectory)) return d1Db(env.DB).batch(statements, mode);
      const here = statements.filter(isOfDirectory);
      const inThere = statements.filter((statement) => !isOfDirectory(statement));
      const results = [
        ...(here.length === 0 ? [] : await d1Db(env.DB).batch(here, mode)),
        ...(await everywhere(namedIn(inThere), inThere, mode)),
      ];
      const order = [...here, ...inThere];
      return statements.map((statement) => results[order.indexOf(statement)] as Result);
    },
  };
}

/** These bindings, which the tests' objects have too. */
export function sharedWithObjects(bindings: Bindings): Bindings {
  if (!areOnObjects || bindings === env || bindings.ACCOUNTS !== env.ACCOUNTS) return bindings;
  const shared = known.get(bindings) ?? { ...bindings, ACCOUNTS: objectsWith(bindings) };
  known.set(bindings, shared);
  return shared;
}

/** Has the alarm of an account's object ring, of which the directory may know nothing any more. */
export function ringIn(id: string, bindings: Bindings): Promise<void> {
  return inObject(id, (state) => new AccountObject(state, bindings).alarm());
}

/** Runs the alarms of all objects at an instant. */
export async function tickInObjects(bindings: Bindings, now: Date): Promise<void> {
  for (const id of opened.keys())
    await inObject(id, ({ storage }) => tick({ ...bindings, STORAGE: { storage } }, now));
}

/** The accounts with an object that this file has made. */
const opened = new Map<string, Account>();

/** Within Node the schema is made in one object, and copied from there into the others. */
function makeSchema(storage: DurableObjectStorage & Partial<Copied>): void {
  if (empty && storage.paste) {
    storage.paste(empty);
    return;
  }
  storage.transactionSync(() => {
    for (const sql of env.TEST_SCHEMA) storage.sql.exec(sql);
    noteMigrations({ storage, now: new Date().toISOString(), all: migrations() });
  });
  empty = storage.copy?.();
}

let empty: Uint8Array | undefined;

function isOfDirectory({ sql }: Statement): boolean {
  return /"?api_keys"?/.test(sql);
}

function namedIn(statements: Statement[]): string[] {
  const texts = statements.flatMap(({ params }) => params.map(String));
  return [...opened.keys()].filter((id) => texts.some((text) => text.includes(id)));
}

/** The results of all of these accounts, one after the other; of every account if none is named. */
async function everywhere(
  named: string[],
  statements: Statement[],
  mode: "read" | "write",
): Promise<Result[]> {
  const ids = named.length > 0 ? named : [...opened.keys()];
  const results: Result[][] = [];
  for (const id of ids) {
    const its = mode === "write" ? statements.map((statement) => rowsOfAccount(statement, id)) : statements;
    results.push(await dbOfObject(id).batch(its, mode));
  }
  const [first = [], ...others] = results;
  return first.map(({ rows }, nth) => ({
    rows: [...rows, ...others.flatMap((each) => each[nth]?.rows ?? [])],
  }));
}

/** Of the rows that a statement inserts from JSON, those of the account. */
function rowsOfAccount({ sql, params }: Statement, id: string): Statement {
  return {
    sql,
    params: params.map((param) => {
      if (typeof param !== "string" || !param.startsWith("[[")) return param;
      const rows = JSON.parse(param) as unknown[][];
      const isOfOther = (value: unknown): boolean => value !== id && opened.has(String(value));
      return JSON.stringify(rows.filter((row) => !row.some(isOfOther)));
    }),
  };
}

const known = new WeakMap<Bindings, Bindings>();

/** The objects under other bindings. Each call finds them as after an eviction. */
function objectsWith(bindings: Bindings): NonNullable<Bindings["ACCOUNTS"]> {
  const around = aroundBatchesOf(bindings.DB);
  const open = (state: DurableObjectState): AccountObject =>
    withWatchedStorage({ state, around, make: (own) => new AccountObject(own, bindings) });
  const stubOf = (id: string): AccountStub => ({
    run: (call) => inObject(id, (state) => open(state).run(call)),
    async serve(request: Request, forwarded: Forwarded) {
      const { method, url, headers } = request;
      const bytes = request.body ? await request.arrayBuffer() : null;
      return inObject(id, async (state) =>
        open(state).serve(new Request(url, { method, headers, body: bytes, redirect: "manual" }), forwarded),
      );
    },
    work: (account: ForeignAccount, queue: string, messages: ForwardedMessage[]) =>
      inObject(id, (state) => open(state).work(account, queue, messages)),
    execute: (account: ForeignAccount, statements: Statement[], mode: "read" | "write") =>
      inObject(id, (state) => open(state).execute(account, statements, mode)),
    query: (account, statements) => inObject(id, (state) => open(state).query(account, statements)),
    restore: (at) => inObject(id, (state) => open(state).restore(at)),
    restart: async () => {},
    erase: () => inObject(id, (state) => open(state).erase()),
  });
  return { getByName: stubOf } as unknown as NonNullable<Bindings["ACCOUNTS"]>;
}
