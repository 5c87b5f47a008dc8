import { readEntry } from "../../src/base/accounts/queries.ts";
import { newestMigration } from "../../src/base/db/newest-migration.ts";
import type { Db, Row } from "../../src/base/db/port.ts";
import { continueDeletion } from "../../src/edges/operator/deletion.ts";
import { beginImport, endImport, importPage } from "../../src/edges/operator/import.ts";
import type { Ports } from "../../src/edges/operator/move/state.ts";
import { start } from "../kernel/invocations.ts";
import { dbAt } from "../kernel/ports.ts";
import type { Task } from "../kernel/task.ts";
import { instantOf, type World } from "../kernel/world.ts";
import { type AccountFile, deleting, exportFile, importing, type newRemovalWatch } from "./watch.ts";

type Watch = ReturnType<typeof newRemovalWatch>;

/**
 * Operators who delete an account, and mostly import it again from the file that they have exported before. Two may be at it at once, and
 * each of their calls may die.
 */
export function newOperator(world: World, id: string, watch: Watch) {
  const { choices } = world;
  const comesBack = choices.chance(700);
  let stage: "living" | "deleting" | "importing" | "done" = "living";
  let file: AccountFile | undefined;
  let notBefore = 0;

  const isAtWork = (name: string): number => world.tasks.filter((task) => task.name === name).length;

  const remove = (): Promise<void> => {
    world.count("steps of deletions");
    const step = async (task: Task): Promise<void> => {
      const { isDone, waitMs } = await continueDeletion(portsOf(world, task), id);
      notBefore = world.clock + waitMs;
      if (isDone && stage === "deleting") stage = comesBack ? "importing" : "done";
    };
    return start(world, deleting, step, () => {});
  };

  const bringBack = (from: AccountFile): Promise<void> => {
    world.count("imports of accounts");
    watch.beginImport(from);
    const run = async (task: Task): Promise<void> => {
      await importFile(world, task, from);
      stage = "done";
    };
    return start(world, importing, run, () => {});
  };

  return {
    isDone: () => stage === "done",
    notBefore: () => notBefore,
    canGoOn(): boolean {
      if (stage === "done" || notBefore > world.clock) return false;
      // Whoever deletes an account that is being imported wants just that, so a late call must be over before.
      if (stage === "importing" && isAtWork(deleting) > 0) return false;
      return isAtWork(deleting) + isAtWork(importing) < 2;
    },
    async goOn(): Promise<void> {
      if (stage === "living") {
        file = await exportFile(world, id);
        stage = "deleting";
      }
      // The call that ended the import may have died after that.
      if (stage === "importing" && watch.state() === "open") stage = "done";
      if (stage === "deleting") return remove();
      if (stage === "importing" && file) return bringBack(file);
    },
    async checkEnd(): Promise<void> {
      const entry = await readEntry(world.database, { id });
      const isRight = stage === "done" && (comesBack ? entry?.moving === null : entry === undefined);
      if (isRight) return comesBack ? undefined : watch.checkGone();
      const rule = stage === "importing" ? "an import comes to its end" : "a deletion comes to its end";
      world.report(rule, `it is ${stage}, and the account ${entry ? entry.moving : "gone"}`);
    },
  };
}

const pageSize = 20;
const passesMax = 10;

/** As scripts/account/import.ts: all rows again and again, until a pass has found each of them there. */
async function importFile(world: World, task: Task, { account, tables }: AccountFile): Promise<void> {
  const { d1, now } = portsOf(world, task);
  const ports = { d1, objectOf: () => d1, now, findUrlFault: () => undefined };
  const begun = await beginImport(ports, { schema: newestMigration, account, engine: "d1" });
  const its = { accountId: String(account.id), run: begun.run };
  for (let pass = 1; pass <= passesMax; pass++) {
    let changed = 0;
    for (const table of begun.tables) {
      const rows = tables[table.name] ?? [];
      let after: Row[string][] | null = null;
      for (let at = 0; at === 0 || at < rows.length; at += pageSize) {
        const original = rows.slice(at, at + pageSize);
        const isLast = at + pageSize >= rows.length;
        const upTo = isLast ? null : table.key.map((column) => original.at(-1)![column]!);
        changed += await importPage(ports, { ...its, table: table.name, original, after, upTo });
        after = upTo;
      }
    }
    if (changed === 0) return endImport(ports, its);
  }
  world.report("an import comes to its end", `after ${passesMax} passes rows still differ`);
}

function portsOf(world: World, task: Task): Ports {
  const db = dbAt(world, task, world.database);
  // Every table is read, and most have no rows: others have their turn between few of these reads, and before each write.
  const coarse: Db = {
    ...db,
    batch: (statements, mode) =>
      mode === "write" || world.choices.chance(60)
        ? db.batch(statements, mode)
        : world.database.batch(statements, mode),
  };
  return {
    ...{ d1: coarse, object: coarse, eraseObject: async () => ({}) },
    get now() {
      return instantOf(world);
    },
  };
}
