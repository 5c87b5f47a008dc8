import { DomainError } from "../errors.ts";
import { isBefore } from "../lib/versions.ts";
import { version } from "./newest-migration.ts";
import type { Db } from "./port.ts";
import { minVersion } from "./schema-tables.ts";
import { build, first, prepare } from "./statement.ts";
import { wrapDb } from "./wrapped/wrap-db.ts";

/** The sentence that refuses a version of the code; undefined where a schema still serves it. */
export function versionFault(floor: string | undefined, its = version): string | undefined {
  if (floor === undefined || !isBefore(its, floor)) return undefined;
  return `The database needs version ${floor} or a later one: this is ${its}`;
}

/**
 * A database that refuses this code where a migration has left it behind. An isolate asks once, beside its first read, by a trip of its own;
 * one that fails is made again. Whatever writes has read before who may.
 */
export function requireMinVersion(db: Db, beside: () => Db, isolate = thisIsolate): Db {
  const look = async (): Promise<void> => {
    const found = await first(beside(), selectMinVersion({})).catch(() => "unknown" as const);
    if (found === "unknown") return;
    const fault = versionFault(found?.version);
    if (fault !== undefined) throw new DomainError("UNAVAILABLE", fault);
    isolate.isServed = true;
  };
  return wrapDb(db, (statements, mode) => {
    const batch = db.batch(statements, mode);
    return isolate.isServed || mode === "write"
      ? batch
      : Promise.all([batch, look()]).then(([results]) => results);
  });
}

/** Whether this isolate knows that it is served. */
const thisIsolate = { isServed: false };

const selectMinVersion = prepare(() => build.select({ version: minVersion.version }).from(minVersion));
