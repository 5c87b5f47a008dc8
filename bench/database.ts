import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { migrationNames } from "../scripts/migrations.ts";
import { root } from "../scripts/paths.ts";
import { loadInBulk } from "../scripts/seed/bulk.ts";
import { seed } from "../scripts/seed/index.ts";
import { fileOf, openFile } from "../scripts/storage/local.ts";

/** A database of the demo store with so many subscriptions, made once and kept until the migrations or the seed change. */
export async function seededFile(subscriptions: number): Promise<string> {
  const file = `${folder}${subscriptions}-${version()}.sqlite`;
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder))
    if (name.startsWith(`${subscriptions}-`) && name.endsWith(".sqlite"))
      rmSync(folder + name, { force: true });
  const unfinished = `${file}.${process.pid}`;
  await makeFile(unfinished, subscriptions);
  renameSync(unfinished, file);
  return file;
}

/** The folder of a local D1 by that name, with a copy of the file as its database; in memory where there is room. */
export function persisted(
  file: string,
  database: string,
): { folder: string; file: string; remove: () => void } {
  const memory = "/dev/shm";
  const path = mkdtempSync(`${existsSync(memory) ? memory : tmpdir()}/bench-`);
  const copy = fileOf(database, `${path}/d1/`);
  mkdirSync(copy.slice(0, copy.lastIndexOf("/")), { recursive: true });
  copyFileSync(file, copy);
  persistedFolders.add(path);
  const remove = () => {
    persistedFolders.delete(path);
    rmSync(path, { recursive: true, force: true });
  };
  return { folder: path, file: copy, remove };
}

const persistedFolders = new Set<string>();
process.once("exit", () => {
  for (const path of persistedFolders) rmSync(path, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

const folder = `${root}.wrangler/bench/`;
/** The records of the demo store. */
const demo = { profiles: 60, subscriptions: 60, orders: 300 };

/** Makes such a database, as it would have been made at this time. */
export async function makeFile(file: string, subscriptions: number, now = new Date()): Promise<void> {
  const database = new DatabaseSync(file);
  for (const name of migrationNames()) database.exec(readFileSync(`${root}migrations/${name}`, "utf8"));
  database.close();
  const db = openFile(file);
  await seed(db, now);
  db.close();
  const count = subscriptions - demo.subscriptions;
  const amounts = { profiles: count, subscriptions: count, orders: count * 5 };
  const filled = new DatabaseSync(file, { defensive: false });
  filled.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  if (count > 0) loadInBulk(filled, { amounts, after: demo, nextNumber: 1001 + demo.subscriptions }, now);
  filled.close();
}

function version(): string {
  const hash = createHash("sha256");
  for (const name of migrationNames()) hash.update(readFileSync(`${root}migrations/${name}`));
  for (const name of readdirSync(`${root}scripts/seed`))
    hash.update(readFileSync(`${root}scripts/seed/${name}`));
  return hash.digest("hex").slice(0, 12);
}
