import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { libsqlDb } from "../../src/base/db/client.ts";
import type { Db } from "../../src/base/db/port.ts";

/** The migrations, in the order in which they are applied. */
export function migrations(): string[] {
  return readdirSync("migrations")
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => readFileSync(join("migrations", name), "utf8"));
}

/** A libSQL database of the service in a file of its own. */
export async function libsqlFile(): Promise<{ db: Db; path: string }> {
  const path = join(mkdtempSync(join(tmpdir(), "perennial-")), "test.db");
  const client = createClient({ url: `file:${path}` });
  for (const migration of migrations()) await client.executeMultiple(migration);
  return { db: libsqlDb(async () => client), path };
}
