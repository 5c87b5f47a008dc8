import type { Bindings } from "../../../src/base/env.ts";
import { openSqlite, type SqlRow } from "../../../src/host/sqlite.ts";
import { limits } from "./database.ts";

/** The objects of accounts within Node, which the project `host-objects` has: each with a database of its own, without alarms of its own. */
export class HostObjects {
  #states = new Map<string, DurableObjectState>();
  readonly #env: () => Bindings;

  constructor(env: () => Bindings) {
    this.#env = env;
  }

  /** An object, which is made anew for each call, as after an eviction. */
  getByName(name: string): object {
    const state = this.#states.get(name) ?? newState();
    this.#states.set(name, state);
    const call = async (method: PropertyKey, args: unknown[]): Promise<unknown> => {
      const { AccountObject } = await import("../../../src/runtime/engine/account-object.ts");
      const object = new AccountObject(state, this.#env()) as unknown as Methods;
      return object[method]?.(...args);
    };
    const stub = new Proxy(state, {
      get:
        (_, method) =>
        (...args: unknown[]) =>
          call(method, args),
    });
    states.set(stub, state);
    return stub;
  }

  forget(): void {
    this.#states.clear();
  }
}

type Methods = Record<PropertyKey, (...args: unknown[]) => unknown>;

const states = new WeakMap<object, DurableObjectState>();

/** Does something within an object, beside its storage. */
export async function runInDurableObject<T>(
  stub: object,
  act: (object: undefined, state: DurableObjectState) => T,
): Promise<Awaited<T>> {
  return await act(undefined, states.get(stub) as DurableObjectState);
}

function newState(): DurableObjectState {
  const state = {
    storage: newStorage(),
    blockConcurrencyWhile: (work: () => Promise<unknown>) => work(),
    waitUntil() {},
    abort() {},
  };
  return state as unknown as DurableObjectState;
}

/** The alarms of all objects, which tests replace there. Nobody is woken by one. */
const alarms = {
  setAlarm: async () => {},
  getAlarm: async () => null,
  deleteAlarm: async () => {},
};

/** A database as a whole, from an object into another one that has nothing yet. */
export type Copied = { copy(): Uint8Array; paste(database: Uint8Array): void };

function newStorage() {
  let sqlite = openSqlite(":memory:", { limits });
  const storage = {
    sql: {
      exec(sql: string, ...params: unknown[]) {
        if (params.length > 0 || !isScript.test(sql))
          return cursorOf(sqlite.all(sql, params), sqlite.columnsOf(sql));
        sqlite.database.exec(sql);
        return cursorOf([], []);
      },
      databaseSize: 0,
    },
    transactionSync: <T>(work: () => T): T => sqlite.transaction(work),
    deleteAll: async () => {
      sqlite.close();
      sqlite = openSqlite(":memory:", { limits });
    },
    copy: () => sqlite.database.serialize(),
    paste: (database: Uint8Array) => sqlite.database.deserialize(database),
  };
  return Object.assign(Object.create(alarms), storage);
}

/** Several statements, as migrations are. */
const isScript = /^\s*(CREATE|ALTER)\b.*;\s*\S/s;

function cursorOf(rows: SqlRow[], columnNames: string[]) {
  return {
    ...{ columnNames, rowsRead: Number.NaN, rowsWritten: Number.NaN },
    toArray: () => rows,
    raw: () => rows.map((row) => Object.values(row)),
    one: () => rows[0],
  };
}
