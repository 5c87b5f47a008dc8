import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { migrationTexts } from "../../scripts/migrations.ts";
import { clientDb } from "../../scripts/storage/libsql.ts";
import type { Db } from "../../src/base/db/port.ts";

/** A libSQL database of the service in a file of its own. */
export async function libsqlFile(): Promise<{ db: Db; path: string }> {
  const path = join(mkdtempSync(join(tmpdir(), "perennial-")), "test.db");
  const client = createClient({ url: `file:${path}` });
  for (const migration of migrationTexts()) await client.executeMultiple(migration);
  return { db: clientDb(client), path };
}
