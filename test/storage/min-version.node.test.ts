/** Code that a migration has left behind is refused with a sentence, and all other code is served on a schema of a later version. */
import { expect, test } from "vitest";
import { d1Db } from "../../src/base/db/client.ts";
import { requireMinVersion } from "../../src/base/db/min-version.ts";
import type { Db } from "../../src/base/db/port.ts";
import { openD1 } from "../../src/host/d1.ts";
import { migratedSqlite } from "../support/migrated-sqlite.ts";

const select = [{ sql: "SELECT COUNT(*) AS n FROM accounts", params: [] }];
const write = [{ sql: "UPDATE heartbeats SET ms = ms + 1 RETURNING ms", params: [] }];

function opened(floor: string): { db: Db; looks: () => number; raise: (floor: string) => void } {
  const sqlite = migratedSqlite();
  const raise = (to: string) => void sqlite.all("UPDATE min_version SET version = ?", [to]);
  raise(floor);
  let looks = 0;
  const beside = (): Db => {
    looks++;
    return d1Db(openD1(sqlite));
  };
  const db = requireMinVersion(d1Db(openD1(sqlite)), beside, { isServed: false });
  return { db, looks: () => looks, raise };
}

test("a version that the schema still serves asks once", async () => {
  const { db, looks } = opened("0.1.0");
  expect((await db.batch(select, "read"))[0]?.rows).toEqual([{ n: 0 }]);
  await db.batch(write, "write");
  expect(looks()).toBe(1);
});

test("a version that it has left behind is refused at its first read, and at each further one", async () => {
  const { db, raise } = opened("9.1.0");
  const sentence = /^The database needs version 9\.1\.0 or a later one: this is \d+\.\d+\.\d+$/;
  for (let nth = 0; nth < 2; nth++) await expect(db.batch(select, "read")).rejects.toThrow(sentence);
  raise("0.1.0");
  expect((await db.batch(select, "read"))[0]?.rows).toEqual([{ n: 0 }]);
});
