import { objectDb as realObjectDb } from "../../src/base/db/object.ts";
import type { Db, Result, Usage } from "../../src/base/db/port.ts";
import type { ObjectStorage } from "../../src/base/env.ts";

type Storage = ObjectStorage["storage"];

/** The work that a test does around a batch. */
export type AroundBatch = (sqls: string[], run: () => Promise<Result[]>) => Promise<Result[]>;

/**
 * Stands in for src/base/db/object.ts in the tests (vitest.config.ts): the same, but that a test may do something
 * around the batches on the storage of one call. The statements run in the object.
 */
export function objectDb(own: ObjectStorage, usage?: Usage): Db {
  const db = realObjectDb(own, usage);
  const around = arounds.get(own.storage);
  if (!around) return db;
  return {
    ...db,
    batch: (statements, mode) =>
      around(
        statements.map(({ sql }) => sql),
        () => db.batch(statements, mode),
      ),
  };
}

/** Makes something of an object's state, whose storage has these batches watched. The storage itself stays as it is. */
export function withWatchedStorage<T>({ state, around, make }: Watching<T>): T {
  if (!around) return make(state);
  const real = state.storage;
  const storage = new Proxy(real, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  arounds.set(storage, around);
  Object.defineProperty(state, "storage", { value: storage, configurable: true });
  try {
    return make(state);
  } finally {
    Object.defineProperty(state, "storage", { value: real, configurable: true });
  }
}

const arounds = new WeakMap<Storage, AroundBatch>();

type Watching<T> = {
  state: DurableObjectState;
  around: AroundBatch | undefined;
  make: (state: DurableObjectState) => T;
};
