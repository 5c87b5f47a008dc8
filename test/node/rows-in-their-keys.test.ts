import { globSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, test } from "vitest";

const migration = "migrations/0056_rows_in_their_keys.sql";

let database: DatabaseSync;
const apply = (files: string[]): void => {
  for (const file of files) database.exec(readFileSync(file, "utf8"));
};
const all = (sql: string) =>
  database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
const contents = () =>
  ["subscription_skips", "sandbox_contracts", "sandbox_charges"].map((table) =>
    all(`SELECT * FROM ${table} ORDER BY 1, 2, 3`),
  );

beforeEach(() => {
  database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  apply(
    globSync("migrations/*.sql")
      .sort()
      .filter((file) => file < migration),
  );
  database.exec(`
    INSERT INTO subscription_skips (id, account_id, subscription_id, cycle, skip_weeks, reason, previous_anchor_date,
        schedule_revision, created_at)
      VALUES ('2', 'a', 's', 1, 1, 'away', '2026-01-01', 2, '2026-01-02'), ('1', 'a', 's', 2, 1, NULL, '2026-01-08', 3, '2026-01-02');
    INSERT INTO sandbox_contracts VALUES (7, 'a', 's', '2026-01-01'), (8, 'a', 't', '2026-01-01');
    INSERT INTO sandbox_charges VALUES (4, 'a', 'k', 'SUCCEEDED', 100, 'EUR', NULL, '2026-01-01', 's'),
      (5, 'a', 'j', 'DECLINED', 100, 'EUR', 'declined', '2026-01-01', 's');`);
});

test("skips, and what the sandbox store keeps, stay as they are", () => {
  const before = contents();
  apply([migration]);
  expect(contents()).toEqual(before);
});

test("the sandbox store counts on", () => {
  apply([migration]);
  database.exec(`
    INSERT INTO sandbox_contracts (account_id, subscription_id, created_at) VALUES ('a', 'u', '2026-01-02'), ('b', 'v', '2026-01-02');
    INSERT INTO sandbox_charges (account_id, idempotency_key, state, amount, currency_code, created_at)
      VALUES ('a', 'new', 'SUCCEEDED', 1, 'EUR', '2026-01-02');`);
  const numbers = all(`SELECT contract_id AS number FROM sandbox_contracts WHERE subscription_id IN ('u', 'v')
    UNION ALL SELECT charge_number FROM sandbox_charges WHERE idempotency_key = 'new'`);
  expect(numbers.map(({ number }) => number)).toEqual([9, 1, 6]);
});
