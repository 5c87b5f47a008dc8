/** An object has the schema of the deployment, or stays as it was and says so. */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { migrate } from "../../../src/runtime/engine/migrate.ts";
import { migrations } from "../../../src/runtime/engine/migrations.ts";
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
const column = "ALTER TABLE reasons ADD COLUMN later TEXT;";

test("a new object has the schema of the deployment's database", async () => {
  const made = await inObject(newId(), ({ storage }) => {
    migrate({ storage, now });
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
    migrate({ storage, now, all });
    migrate({ storage, now, all });
    return storage.sql.exec("SELECT label, later FROM reasons").toArray();
  });
  expect(rows).toEqual([{ label: "Away", later: "yes" }]);
});

test("one that fails half way leaves the object as it was", async () => {
  const outcome = await inObject(newId(), ({ storage }) => {
    migrate({ storage, now });
    const before = schemaOf(storage);
    const broken: [string, string][] = [
      ...migrations(),
      ["9000_later.sql", column],
      ["9001_broken.sql", "CREATE TABLE half (id TEXT); INSERT INTO nowhere VALUES (1);"],
    ];
    expect(() => migrate({ storage, now, all: broken })).toThrow("nowhere");
    return { before, after: schemaOf(storage), rows: storage.sql.exec("SELECT * FROM reasons").columnNames };
  });
  expect(outcome.after).toEqual(outcome.before);
  expect(outcome.rows).not.toContain("later");
});

test("an object that cannot be migrated answers 503, and operators are alerted", async () => {
  const of = await openTenant({ engine: "object" });
  await inObject(of.account.id, ({ storage }) => {
    storage.sql.exec("DELETE FROM object_migrations WHERE name = '0001_schema.sql'");
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
