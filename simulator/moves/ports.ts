import { readEntry } from "../../src/base/accounts/queries.ts";
import type { Db } from "../../src/base/db/port.ts";
import { newOvertakenError } from "../../src/edges/operator/as-read.ts";
import { mayBeErased, type Ports } from "../../src/edges/operator/move/state.ts";
import type { Database } from "../kernel/database.ts";
import { dbAt } from "../kernel/ports.ts";
import { call, type Task } from "../kernel/task.ts";
import { instantOf, type World } from "../kernel/world.ts";
import { openObject } from "./enter.ts";
import { homesOf } from "./homes.ts";

/** The databases of both engines as a step of a move sees them. */
export function portsOf(world: World, task: Task): Ports {
  const { d1, object } = homesOf(world)!;
  const toObject = coarse(world, task, object);
  const erase = async () => {
    const entry = await readEntry(d1, { id: world.account.id });
    if (entry && !mayBeErased(entry)) throw newOvertakenError();
    object.erase();
    return {};
  };
  return {
    d1: coarse(world, task, d1),
    object: {
      ...toObject,
      batch: async (statements, mode) => {
        const entry = await readEntry(d1, { id: world.account.id });
        if (entry) await openObject(world, toObject, entry);
        return toObject.batch(statements, mode);
      },
    },
    get now() {
      return instantOf(world);
    },
    eraseObject: () => call(task, { kind: "write", what: () => "erase the object", perform: erase }),
  };
}

/** A pass reads every table at both ends; others have their turn between few of these reads, and before each write. */
function coarse(world: World, task: Task, database: Database): Db {
  const db = dbAt(world, task, database);
  return {
    ...db,
    batch: (statements, mode) => {
      if (mode === "write" || world.choices.chance(60)) return db.batch(statements, mode);
      db.usage.db_round_trips++;
      return database.batch(statements, mode);
    },
  };
}
