import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { root } from "../../scripts/paths.ts";
import { type Found, openDemo, seconds } from "./demo.ts";

/** A copy is made under load and put back after more was done; and each account's file is imported elsewhere, and compared. */
export async function drillRestore(program: string, length: number): Promise<Found> {
  const demo = await openDemo(program);
  const { machine, state, work } = demo;
  const folder = mkdtempSync(`${tmpdir()}/perennial-copies-`);
  const copy = `${folder}/copy.sqlite`;
  const faults = await work(async () => {
    await seconds(length / 2)();
    await machine.run("backup", copy);
    await seconds(length / 2)();
  });
  await machine.end("SIGTERM");
  const later = differing(machine.file, copy);
  await machine.run("restore", copy);
  const lost = differing(machine.file, copy);
  if (later === 0) faults.push("nothing was done after the copy");
  if (lost > 0) faults.push(`${lost} rows are not as in the copy`);
  // Those that were created after the copy are not there any more.
  state.created = [];
  await machine.start();
  faults.push(...(await work(seconds(length))));

  await machine.run("account", "export", "--all", "--to", `${folder}/accounts`);
  const imported = await importAll(`${folder}/accounts`, machine.environment());
  if (imported.differing > 0)
    faults.push(`${imported.differing} rows of the file are others after an import`);
  rmSync(folder, { recursive: true });
  const closed = await demo.close();
  return {
    figures: `${later} rows after the copy taken back, ${imported.rows} rows of a file imported, ${closed.figures}`,
    faults: [...faults, ...closed.faults],
  };
}

/** The rows of one database that are not in the other, or not the same. */
function differing(file: string, other: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  database.prepare("ATTACH ? AS other").run(other);
  const counts = tables.flatMap((table) =>
    [
      ["main", "other"],
      ["other", "main"],
    ].map(([one, two]) => {
      const except = `SELECT * FROM ${one}.${table} EXCEPT SELECT * FROM ${two}.${table}`;
      return Number(database.prepare(`SELECT COUNT(*) AS count FROM (${except})`).get()?.count);
    }),
  );
  database.close();
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The records that nothing may be lost of. An account's own row gets new numbers for its events. */
const tables = [
  "profiles",
  "subscriptions",
  "orders",
  "billing_attempts",
  "activity_logs",
  "sandbox_charges",
];

async function importAll(folder: string, env: NodeJS.ProcessEnv) {
  const command = [`${root}scripts/restore-drill.ts`, folder];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  const files = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { rows: number; differing: number });
  const sum = (name: "rows" | "differing") => files.reduce((total, file) => total + file[name], 0);
  return { rows: sum("rows"), differing: sum("differing") };
}
