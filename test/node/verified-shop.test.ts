import { globSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";

const migration = "migrations/0021_verified_shop.sql";
const files = globSync("migrations/*.sql").sort();
const apply = (database: DatabaseSync, of: string[]): void => {
  for (const file of of) database.exec(readFileSync(file, "utf8"));
};

let database: DatabaseSync;
const connect = (id: string, disconnectedAt: string | null): void => {
  database
    .prepare(
      `INSERT INTO accounts (id, name, shop, timezone, currency_code, created_at, updated_at, store)
        VALUES (?, 'Acme', ? || '.myshopify.com', 'UTC', 'EUR', '', '', 'shopify')`,
    )
    .run(id, id);
  database
    .prepare(
      `INSERT INTO shopify_connections (account_id, credentials, created_at, updated_at, disconnected_at)
        VALUES (?, 'sealed', '', '', ?)`,
    )
    .run(id, disconnectedAt);
};
const rowOf = (id: string) => ({
  ...database.prepare("SELECT * FROM shopify_connections WHERE account_id = ?").get(id),
});

beforeEach(() => {
  database = new DatabaseSync(":memory:");
  apply(
    database,
    files.filter((file) => file < migration),
  );
  connect("a", null);
  connect("b", "2026-01-01T00:00:00.000Z");
  apply(
    database,
    files.filter((file) => file >= migration),
  );
});

test("credentials of before have no verified domain, and their accounts count as disconnected", () => {
  const text = { credentials: "sealed", shop: null };
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(rowOf("a")).toMatchObject({ ...text, disconnected_at: instant });
  expect(rowOf("b")).toMatchObject({ ...text, disconnected_at: "2026-01-01T00:00:00.000Z" });
});

describe("the verified domain", () => {
  const set = (id: string, shop: string) =>
    database.prepare("UPDATE shopify_connections SET shop = ? WHERE account_id = ?").run(shop, id);

  test.each(["a.myshopify.com", "9-lives.myshopify.com"])("may be %s", (shop) => {
    set("a", shop);
    expect(rowOf("a")).toMatchObject({ shop });
  });

  test.each([
    "",
    ".myshopify.com",
    "myshopify.com",
    "127.0.0.1",
    "evil.example",
    "A.myshopify.com",
    "-a.myshopify.com",
    "a.b.myshopify.com",
    "a/b.myshopify.com",
    "a.myshopify.com.evil.example",
  ])("may not be %j", (shop) => {
    expect(() => set("a", shop)).toThrow("CHECK constraint failed");
  });

  test("is one account's alone", () => {
    set("a", "a.myshopify.com");
    expect(() => set("b", "a.myshopify.com")).toThrow("UNIQUE constraint failed: shopify_connections.shop");
  });
});
