import { globSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, test } from "vitest";

const migration = "migrations/0024_account_history.sql";
const files = globSync("migrations/*.sql").sort();

let database: DatabaseSync;
const apply = (of: string[]): void => {
  for (const file of of) database.exec(readFileSync(file, "utf8"));
};
const log = (id: string, type: string, action = "integration_x"): void => {
  database
    .prepare(
      `INSERT INTO activity_logs (id, account_id, action, actor_type, actor_name, loggable_type, loggable_id, created_at)
        VALUES (?, 'a', ?, 'admin', 'Ada', ?, 'r', '2026-01-01T10:00:00.000Z')`,
    )
    .run(id, action, type);
};
const all = (sql: string) =>
  database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));

beforeEach(() => {
  database = new DatabaseSync(":memory:");
  apply(files.filter((file) => file < migration));
  database.exec(`INSERT INTO accounts (id, name, shop, timezone, currency_code, created_at, updated_at)
    VALUES ('a', 'Acme', 'a.example', 'UTC', 'EUR', '', '')`);
  log("2", "subscription");
  log("1", "order");
});

test("entries of before stay as they are, in their order, and are not counted twice", () => {
  const contents = () => [
    all("SELECT * FROM activity_logs ORDER BY rowid"),
    all("SELECT * FROM activity_counts"),
    all("SELECT * FROM activity_names"),
  ];
  const before = contents();
  apply([migration]);
  expect(contents()).toEqual(before);
});

test("entries about profiles, the account and its keys are taken, and not counted in the feed", () => {
  apply([migration]);
  const counted = () => [all("SELECT * FROM activity_counts"), all("SELECT * FROM activity_names")];
  const before = counted();
  for (const type of ["profile", "account", "api_key"]) log(type, type, "integration_y");
  expect(counted()).toEqual(before);
  log("3", "order", "integration_y");
  expect(counted()).not.toEqual(before);
  expect(() => log("4", "reason")).toThrow("CHECK constraint failed");
});

test("the feed's indexes are there", () => {
  const indexes = () =>
    all(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'activity_logs' AND sql IS NOT NULL ORDER BY name",
    );
  const before = indexes();
  apply([migration]);
  expect(indexes()).toEqual(before);
});
