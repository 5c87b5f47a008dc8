import { globSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, test } from "vitest";
import { newId } from "../../src/lib/ids.ts";

const migration = "migrations/0057_entries_by_sequence.sql";
const files = globSync("migrations/*.sql").sort();

let database: DatabaseSync;
const apply = (of: string[]): void => {
  for (const file of of) database.exec(readFileSync(file, "utf8"));
};
const all = (sql: string) =>
  database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
const at = "2026-01-01T10:00:00.000Z";
const log = (id: string, { into = "new_entries", type = "order", created_at = at } = {}): void => {
  database
    .prepare(
      `INSERT INTO ${into} (id, account_id, action, actor_type, actor_name, loggable_type, loggable_id, created_at, type, recorded_at)
        VALUES (?, 'a', 'integration_x', 'admin', 'Ada', ?, 'r', ?, 'integration.x', ?)`,
    )
    .run(id, type, created_at, at);
};

beforeEach(() => {
  database = new DatabaseSync(":memory:");
  apply(files.filter((file) => file < migration));
  database.exec(`INSERT INTO accounts (id, name, shop, timezone, currency_code, created_at, updated_at)
    VALUES ('a', 'Acme', 'a.example', 'UTC', 'EUR', '${at}', '${at}')`);
  log("2");
  log("1", { into: "activity_logs", type: "subscription", created_at: "2027-01-01T10:00:00.000Z" });
  log("3", { type: "profile" });
});

test("entries of before keep their place in the stream, and are not counted twice", () => {
  const columns =
    "id, action, actor_type, actor_name, loggable_type, loggable_id, created_at, type, sequence";
  const contents = () => [
    all(
      `SELECT ${columns}, COALESCE(recorded_at, created_at) AS recorded FROM activity_logs ORDER BY sequence`,
    ),
    all("SELECT * FROM activity_counts"),
    all("SELECT * FROM activity_names"),
  ];
  const before = contents();
  expect(before[0]?.map(({ id }) => id)).toEqual(["2", "1", "3"]);
  apply([migration]);
  expect(contents()).toEqual(before);
});

test("the stream goes on, and an entry without a place is refused", () => {
  apply([migration]);
  log("4");
  expect(all("SELECT sequence FROM activity_logs WHERE id = '4'")).toEqual([{ sequence: 4 }]);
  expect(() => log("5", { into: "activity_logs" })).toThrow(
    "NOT NULL constraint failed: activity_logs.sequence",
  );
});

test("only an id that does not hold its entry's time is in an index of its own, in which it is unique", () => {
  apply([migration]);
  const [own, other] = [newId(at), newId("2026-01-01T10:00:00.001Z")];
  for (const id of [own, other]) log(id);
  log(newId(at), { created_at: "2026-01-01T10:00:00Z" });
  const found = all("SELECT id, other_id FROM activity_logs WHERE sequence > 3 ORDER BY sequence");
  expect(found.map(({ id, other_id }) => id === other_id)).toEqual([false, true, true]);
  expect(() => log(other)).toThrow("UNIQUE constraint failed");
});
