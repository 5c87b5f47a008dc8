/** The operator's door opens to the operator's key alone, and writes a batch whole or not at all. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import type { AccountStub } from "../../../src/base/accounts/objects.ts";
import type { Bindings } from "../../../src/base/env.ts";
import { restoreOnRestart } from "../../../src/runtime/engine/restore.ts";
import { deployment, nobody } from "../../support/client.ts";
import { logged } from "../../support/jobs.ts";
import { openTenant, type Tenant } from "../../support/tenant.ts";

const key = "operator-key-of-at-least-32-characters";
const operator = { credentials: { Authorization: `Bearer ${key}` } };
const call = deployment({ OPERATOR_KEY: key });
const path = "/internal/statements";

let of: Tenant;
let other: Tenant;
let onD1: Tenant;
beforeAll(async () => {
  of = await openTenant({ engine: "object" });
  other = await openTenant({ engine: "object" });
  onD1 = await openTenant({ engine: "d1" });
});

type Values = (string | number | null)[];

function run(sql: string, params: Values = [], { account = of, mode = "read" } = {}) {
  return call(operator, "POST", path, {
    body: { account_id: account.account.id, mode, statements: [{ sql, params }] },
  });
}
const guard = "INSERT INTO guards (ok) VALUES (?)";

describe("whoever has not the operator's key", () => {
  const unknown = { error: "Path not found", errorCode: "NOT_FOUND" };
  const body = { account_id: "a", mode: "read", statements: [{ sql: "SELECT 1", params: [] }] };

  test("finds nothing where the deployment has none", async () => {
    const { status, body: answer } = await deployment({})(operator, "POST", path, { body });
    expect([status, answer]).toEqual([404, { ...unknown, request_id: expect.any(String) }]);
  });

  test.each([
    ["none", undefined],
    ["another", `Bearer ${key}x`],
    ["one that is cut", `Bearer ${key.slice(0, -1)}`],
    ["an empty one", "Bearer "],
    ["another scheme", `Basic ${key}`],
  ])("is told what every unknown path says: %s", async (_, header) => {
    const caller = header === undefined ? nobody : { credentials: { Authorization: header } };
    const { status, body: answer } = await call(caller, "POST", path, { body });
    expect([status, answer]).toEqual([404, { ...unknown, request_id: expect.any(String) }]);
  });

  test("is counted by address, and refused beyond its limit", async () => {
    const empty = { limit: async () => ({ success: false }) };
    const limited = deployment({ OPERATOR_KEY: key, ADDRESS_LIMITER: empty });
    const wrong = { credentials: { Authorization: "Bearer wrong" } };
    expect((await limited(wrong, "POST", path, { body })).status).toBe(429);
    expect((await limited(operator, "POST", path, { body })).status).toBe(404);
  });

  test("an account's own key opens nothing", async () => {
    for (const caller of [of, { credentials: { Authorization: `Bearer ${of.key}` } }])
      expect((await call(caller, "POST", path, { body })).status).toBe(404);
  });
});

describe("an operator", () => {
  test("runs a batch on the storage of the account that is named, and on no other's", async () => {
    const { status, body } = await run("SELECT id, ? AS n FROM accounts", [7]);
    expect([status, body]).toEqual([200, { results: [{ rows: [{ id: of.account.id, n: 7 }] }] }]);
    const others = await run("SELECT id FROM accounts", [], { account: other });
    expect(others.body.results[0].rows).toEqual([{ id: other.account.id }]);
  });

  test("writes all statements of a batch or none, and is told what a statement was refused for", async () => {
    const rename = { sql: "UPDATE accounts SET name = ?", params: ["Renamed"] };
    const refused = await call(operator, "POST", path, {
      body: {
        account_id: of.account.id,
        mode: "write",
        statements: [rename, { sql: guard, params: [0] }],
      },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatch(/^CHECK constraint failed: guard/);
    expect((await run("SELECT name FROM accounts")).body.results[0].rows).toEqual([
      { name: of.account.name },
    ]);
    expect((await run("UPDATE accounts SET name = ?", ["Renamed"], { mode: "write" })).status).toBe(200);
    expect((await run("SELECT name FROM accounts")).body.results[0].rows).toEqual([{ name: "Renamed" }]);
    expect((await run("SELECT nonsense")).body.error).toMatch(/no such column: nonsense/);
  });

  describe("in mode read writes nothing", () => {
    const profiles = "SELECT COUNT(*) AS n FROM profiles";
    const rows = async () => JSON.stringify((await run("SELECT * FROM accounts")).body.results);

    test.each([
      ["UPDATE accounts SET name = 'x'"],
      ["  -- a comment\n/* another */ update accounts set name = 'x'"],
      ["DELETE FROM profiles WHERE 0"],
      ["INSERT INTO guards (ok) SELECT 1 WHERE 0"],
      ["REPLACE INTO guards (ok) VALUES (1)"],
      ["WITH gone AS (SELECT id FROM accounts) DELETE FROM profiles WHERE id IN gone"],
      ["WITH gone AS (SELECT id FROM accounts) UPDATE accounts SET name = 'x' WHERE id IN gone RETURNING id"],
      ["CREATE TABLE more (id TEXT)"],
      ["DROP TABLE guards"],
      ["ALTER TABLE accounts RENAME TO more"],
      ["PRAGMA foreign_keys = OFF"],
      ["PRAGMA defer_foreign_keys(1)"],
      ["PRAGMA user_version = 7"],
      ["PRAGMA table_info(accounts); DELETE FROM profiles"],
      ["VACUUM"],
      ["BEGIN"],
      ["SELECT 1; DELETE FROM profiles"],
      ["SELECT 1; DELETE FROM profiles WHERE 0"],
      ["SELECT 1) ; UPDATE accounts SET name = 'x'; SELECT * FROM (SELECT 2"],
      ["EXPLAIN SELECT 1; UPDATE accounts SET name = 'x'"],
      [""],
      [";"],
    ])("refuses %j", async (sql) => {
      const before = await rows();
      const { status, body } = await run(sql);
      expect([status, body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
      expect(await rows()).toBe(before);
    });

    test("refuses a batch whole, and says which statement is no read", async () => {
      const statements = [profiles, "DELETE FROM profiles"].map((sql) => ({ sql, params: [] }));
      const { status, body } = await call(operator, "POST", path, {
        body: { account_id: of.account.id, mode: "read", statements },
      });
      expect(status).toBe(400);
      expect(body.error).toMatch(/^Statement 2 /);
    });

    test.each([
      [profiles],
      ["  /* counts */ select count(*) AS n from profiles -- of all\n"],
      ["SELECT 1 AS n;"],
      ["VALUES (1), (2)"],
      ["WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n"],
      ["SELECT ';' AS semicolon, '-- ' AS dashes"],
      ["SELECT name FROM pragma_table_info('accounts')"],
      ["PRAGMA table_info(accounts)"],
      ['PRAGMA foreign_key_list("subscriptions")'],
      ["EXPLAIN QUERY PLAN SELECT * FROM profiles"],
      ["EXPLAIN QUERY PLAN DELETE FROM profiles"],
    ])("takes %j", async (sql) => {
      const { status, body } = await run(sql);
      expect([status, body.results[0].rows.length > 0]).toEqual([200, true]);
    });
  });

  test("reaches no account of the deployment's database, which has a command line of its own", async () => {
    const { status, body } = await run("SELECT 1", [], { account: onD1 });
    expect([status, body.errorCode]).toEqual([409, "INVALID_STATE"]);
  });

  test.each([
    ["no account", { account_id: "nobody" }, 404],
    ["no mode", { mode: "both" }, 400],
    ["no statements", { statements: [] }, 400],
    ["a value that no database takes", { statements: [{ sql: "SELECT ?", params: [true] }] }, 400],
    ["an unknown member", { more: 1 }, 400],
  ])("is refused: %s", async (_, wrong, status) => {
    const right = {
      account_id: of.account.id,
      mode: "read",
      statements: [{ sql: "SELECT 1", params: [] }],
    };
    expect((await call(operator, "POST", path, { body: { ...right, ...wrong } })).status).toBe(status);
  });

  test("sends 1 MiB at most, and JSON", async () => {
    expect((await run("SELECT ?", ["x".repeat(1024 * 1024)])).status).toBe(413);
    expect((await call(operator, "POST", path, { raw: "{" })).status).toBe(400);
  });

  test("finds no other path and no other method here", async () => {
    for (const [method, where] of [
      ["GET", path],
      ["POST", "/internal/nothing"],
    ] as const)
      expect((await call(operator, method, where)).status).toBe(404);
  });
});

describe("restoring", () => {
  const put = (sql: string, ...params: Values) => run(sql, params, { mode: "write" });
  const restores = "/internal/restores";
  const now = Date.now();
  const at = new Date(now - 3_600_000).toISOString();

  test("has the object begin anew as it was then, its events go on a million higher, and its store gets all again", async () => {
    const subscription_id = "a-subscription";
    await put(
      "INSERT INTO shopify_contracts (account_seq, subscription_id, lease_until, delivery) SELECT seq, ?, '', 'sent' FROM accounts",
      subscription_id,
    );
    await put(
      "INSERT INTO selling_plan_syncs (account_seq, selling_plan_id) SELECT seq, '4401' FROM accounts",
    );
    const done: string[] = [];
    const real = env.ACCOUNTS.getByName(of.account.id) as unknown as AccountStub;
    const faked = {
      restore: async (then: string) => {
        done.push(`restore ${then}`);
        return { bookmark: "b1", undo: "b2" };
      },
      restart: async () => {
        done.push("restart");
        throw new Error("It starts anew");
      },
      execute: (...args: Parameters<AccountStub["execute"]>) => {
        done.push("statements");
        return real.execute(...args);
      },
    };
    const ACCOUNTS = { getByName: () => faked } as unknown as NonNullable<Bindings["ACCOUNTS"]>;
    const body = { account_id: of.account.id, at };
    const answer = await deployment({ OPERATOR_KEY: key, ACCOUNTS })(operator, "POST", restores, { body });
    expect([answer.status, answer.body]).toEqual([200, { bookmark: "b1", undo: "b2" }]);
    expect(done).toEqual([`restore ${at}`, "restart", "statements", "statements", "statements"]);
    const { body: last } = await run("SELECT last FROM event_sequences");
    expect(last.results[0].rows[0].last).toBeGreaterThanOrEqual(1_000_000);
    const { body: sent } = await run(
      "SELECT delivery, next_action_at FROM shopify_contracts CROSS JOIN selling_plan_syncs",
    );
    expect(sent.results[0].rows).toEqual([{ delivery: null, next_action_at: "2000-01-01T00:00:00.000Z" }]);
  });

  test("an object asks its storage for the bookmark of the time, and to go there when it starts", async () => {
    const asked: unknown[] = [];
    const storage = {
      getBookmarkForTime: async (time: number | Date) => {
        asked.push(time);
        return "then";
      },
      onNextSessionRestoreBookmark: async (bookmark: string) => {
        asked.push(bookmark);
        return "before";
      },
    };
    expect(await restoreOnRestart(storage, at)).toEqual({ bookmark: "then", undo: "before" });
    expect(asked).toEqual([new Date(at), "then"]);
  });

  test.each([
    ["a time to come", new Date(now + 3_600_000).toISOString(), 400],
    ["a time that is not kept", new Date(now - 31 * 86_400_000).toISOString(), 400],
    ["no instant", "yesterday", 400],
  ])("is refused: %s", async (_, wrong, status) => {
    const body = { account_id: of.account.id, at: wrong };
    expect((await call(operator, "POST", restores, { body })).status).toBe(status);
  });

  test("is refused for an account of the deployment's database, whose Time Travel restores all of it", async () => {
    const body = { account_id: onD1.account.id, at };
    expect((await call(operator, "POST", restores, { body })).status).toBe(409);
  });
});

test("the log has whom a batch was for and how many statements, not the key, the SQL or its values", async () => {
  const lines = await logged(async () => {
    await run("SELECT 'secret-in-sql', ?", ["secret-value"]);
    await run("SELECT nonsense_secret");
  });
  expect(lines).toContainEqual(
    expect.objectContaining({ event: "operator_statements", account_id: of.account.id, statements: 1 }),
  );
  expect(JSON.stringify(lines)).not.toMatch(/secret|operator-key/);
});

test("the document, and so every agent's tools, know nothing of it", async () => {
  const { text } = await call(nobody, "GET", "/api.json");
  expect(text).not.toMatch(/internal\/|OPERATOR/);
});
