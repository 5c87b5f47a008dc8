import { migrate } from "../../src/host/migrate.ts";
import { openSqlite } from "../../src/host/sqlite.ts";
import { type Found, openDemo, seconds } from "./demo.ts";

type Versions = { program: string; before: string; length: number };

/** The version before serves while this one migrates its data; then this one serves them, and then the one before again. */
export async function drillVersions({ program, before, length }: Versions): Promise<Found> {
  const demo = await openDemo(before);
  const { machine, work } = demo;
  const faults = await work(async () => {
    await seconds(length / 2)();
    migrateBeside(machine.file);
    await seconds(length / 2)();
  });
  for (const next of [program, before]) {
    await machine.restart({ program: next });
    faults.push(...(await work(seconds(length))));
  }
  const closed = await demo.close();
  return { ...closed, faults: [...faults, ...closed.faults] };
}

function migrateBeside(file: string): void {
  const sqlite = openSqlite(file);
  migrate(sqlite, file, () => undefined);
  sqlite.close();
}
