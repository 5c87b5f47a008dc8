/** An object has the schema of the deployment, or stays as it was and says so. */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { newestMigration } from "../../../src/base/db/newest-migration.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { migrations } from "../../../src/host/migrations.ts";
import { migrate as migrateTo } from "../../../src/runtime/engine/migrate.ts";
import { readMigrations } from "../../../src/runtime/engine/migrations.ts";
import { api } from "../../support/client.ts";
import { logged } from "../../support/jobs.ts";
import { inObject } from "../../support/objects.ts";
import { openTenant } from "../../support/tenant.ts";

function schemaOf({ sql }: DurableObjectStorage): unknown {
  return sql
    .exec(
      "SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT LIKE '%cf_%' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .toArray();
}

const now = "2026-11-22T12:00:00.000Z";
const migrate = (given: Partial<Parameters<typeof migrateTo>[0]> & { storage: DurableObjectStorage }): void =>
  migrateTo({ now, all: migrations(), ...given });
const column = "ALTER TABLE reasons ADD COLUMN later TEXT;";

test("a new object has the schema of the deployment's database", async () => {
  const made = await inObject(newId(), ({ storage }) => {
    migrate({ storage });
    return schemaOf(storage);
  });
  const { results } = await env.DB.prepare(
    "SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT LIKE '%cf_%' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  ).all();
  const own = (rows: unknown) =>
    (rows as { name: string }[]).filter(({ name }) => name !== "object_migrations");
  expect(own(made)).toEqual(results);
});

test("an object that has some takes the others, once, and keeps its rows", async () => {
  const of = await openTenant({ engine: "object" });
  await api(of, "POST", "/api/subscriptions/skip-reasons", { body: { label: "Away" } });
  const rows = await inObject(of.account.id, ({ storage }) => {
    const all: [string, string][] = [
      ...migrations(),
      ["9000_later.sql", `${column} UPDATE reasons SET later = 'yes';`],
    ];
    migrate({ storage, all });
    migrate({ storage, all });
    return storage.sql.exec("SELECT label, later FROM reasons").toArray();
  });
  expect(rows).toEqual([{ label: "Away", later: "yes" }]);
});

test("one that builds on a backfill has it done first", async () => {
  const of = await openTenant({ engine: "object" });
  await api(of, "POST", "/api/subscriptions/skip-reasons", { body: { label: "Away" } });
  const rows = await inObject(of.account.id, ({ storage }) => {
    const all: [string, string][] = [
      ...migrations(),
      ["9000_later.sql", `${column} INSERT INTO backfills (name) VALUES ('later');`],
      ["9001_build.sql", "UPDATE backfills SET required_by = '9001_build.sql' WHERE name = 'later';"],
    ];
    const known = [
      { name: "later", table: "reasons", key: ["id"], set: "later = label", missing: "later IS NULL" },
    ];
    expect(() => migrate({ storage, all })).toThrow("backfill_is_done");
    migrate({ storage, all, known });
    return storage.sql.exec("SELECT later FROM reasons").toArray();
  });
  expect(rows).toEqual([{ later: "Away" }]);
});

test("one of a later version leaves the object to this one, unless it needs a later one", async () => {
  const of = await openTenant({ engine: "object" });
  await inObject(of.account.id, ({ storage }) => {
    const all: [string, string][] = [
      ...migrations(),
      ["9000_later.sql", "UPDATE min_version SET version = '9.0.0' WHERE id = 1;"],
    ];
    storage.sql.exec("INSERT INTO min_version (id, version) VALUES (1, '0.1.0')");
    migrate({ storage, all: [...migrations(), ["8000_later.sql", column]] });
    migrate({ storage });
    migrate({ storage, all });
    expect(() => migrate({ storage })).toThrow("The database needs version 9.0.0 or a later one");
  });
});

test("one that fails half way leaves the object as it was", async () => {
  const outcome = await inObject(newId(), ({ storage }) => {
    migrate({ storage });
    const before = schemaOf(storage);
    const broken: [string, string][] = [
      ...migrations(),
      ["9000_later.sql", column],
      ["9001_broken.sql", "CREATE TABLE half (id TEXT); INSERT INTO nowhere VALUES (1);"],
    ];
    expect(() => migrate({ storage, all: broken })).toThrow("nowhere");
    return { before, after: schemaOf(storage), rows: storage.sql.exec("SELECT * FROM reasons").columnNames };
  });
  expect(outcome.after).toEqual(outcome.before);
  expect(outcome.rows).not.toContain("later");
});

test("an object is not opened by migrations that cannot be read, or are another version's", async () => {
  const answer = (response: Response) =>
    readMigrations({ ASSETS: { ...env.ASSETS, fetch: async () => response } });
  await expect(answer(new Response(null, { status: 404 }))).rejects.toThrow("cannot be read: HTTP 404");
  await expect(answer(Response.json([["0001_schema.sql", ""]]))).rejects.toThrow(
    `end with 0001_schema.sql, and not with ${newestMigration}`,
  );
  expect(await readMigrations(env)).toEqual(migrations());
});

test("an object that cannot be migrated answers 503, and operators are alerted", async () => {
  const of = await openTenant({ engine: "object" });
  await inObject(of.account.id, ({ storage }) => {
    storage.sql.exec("DELETE FROM object_migrations WHERE name = ?", newestMigration);
  });
  await evictDurableObject(env.ACCOUNTS.getByName(of.account.id));
  let status = 0;
  const lines = await logged(async () => {
    const answer = await api(of, "GET", "/api/subscriptions/skip-reasons");
    status = answer.status;
    expect([answer.body.errorCode, answer.headers.get("Retry-After")]).toEqual([
      "UNAVAILABLE",
      expect.any(String),
    ]);
  });
  expect(status).toBe(503);
  expect(lines).toContainEqual(expect.objectContaining({ event: "object_not_opened", alert: true }));
});
