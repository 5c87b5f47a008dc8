/** A stored answer is sealed where it has a secret, and is deleted when it is a day old. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Statement } from "../../../../src/base/db/port.ts";
import { raw, rows } from "../../../../src/base/db/statement.ts";
import { pruneIdempotencyKeys } from "../../../../src/kit/http/idempotency/idempotency.ts";
import { idempotentApp, insertReason, isReplayed, started, type World } from "./idempotent-app.ts";

let app: World;
beforeEach(async () => {
  app = await idempotentApp();
});

describe("an answer with a secret", () => {
  const secret = "whsec_0123456789";
  const ask = (request: object = {}) => app.send({ key: "k", path: "/secret", ...request });
  const move = (column: string, value: string) =>
    app.database.batch([raw(`UPDATE idempotency_keys SET ${column} = ?`, value)], "write");
  beforeEach(async () => {
    app.handler = (c) => c.text(secret);
    await ask();
  });

  test("is stored sealed, and replayed as it was", async () => {
    expect((await app.rowOf("k"))?.body).toMatch(/^[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
    const again = await ask();
    expect([again.status, again.text, isReplayed(again)]).toEqual([200, secret, true]);
  });

  test.each([
    ["caller", "key-2", { caller: "key-2" }],
    ["method", "PATCH", { method: "PATCH" }],
    ["path", "/secrets", { path: "/secrets" }],
    ["key", "other", { key: "other" }],
  ])("is for its own %s alone: a row that is moved does not open", async (column, value, request) => {
    await move(column, value);
    const { status, text } = await ask(request);
    expect([status, text.includes(secret)]).toEqual([500, false]);
  });

  test("does not open for a request whose path and key read the same side by side", async () => {
    await ask({ key: "xk" });
    const moved = "UPDATE idempotency_keys SET path = '/secretx', key = 'k' WHERE key = 'xk'";
    await app.database.batch([raw(moved)], "write");
    expect((await app.send({ key: "k", path: "/secretx" })).status).toBe(500);
  });

  test("that has no body is stored without one", async () => {
    app.handler = (c) => c.body(null, 204);
    await ask({ key: "empty" });
    expect((await app.rowOf("empty"))?.body).toBeNull();
    const again = await ask({ key: "empty" });
    expect([again.status, again.text]).toEqual([204, ""]);
  });

  test("of an operation without secrets is stored as it is", async () => {
    await app.send({ key: "plain" });
    expect((await app.rowOf("plain"))?.body).toBe(secret);
  });
});

describe("keys are deleted when they are a day old", () => {
  const now = new Date(started);
  const dayAgo = started - 24 * 3_600_000;
  const at = (ms: number) => new Date(ms).toISOString();

  /** So many keys, each a second older than the one before. */
  const insert = (count: number, newest: number) =>
    app.database.batch(
      [
        raw(
          `WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < ? - 1)
            INSERT INTO idempotency_keys (account_seq, caller, method, path, key, request_hash, token, state, created_at)
            SELECT (SELECT seq FROM accounts WHERE id = ?), 'c', 'POST', '/', n, '', '', 'DONE', strftime('%Y-%m-%dT%H:%M:%fZ', ? - n, 'unixepoch') FROM n`,
          count,
          app.account.id,
          newest / 1000,
        ),
      ],
      "write",
    );
  const keys = async () =>
    (
      await rows(app.database, raw<{ key: string }>("SELECT key FROM idempotency_keys ORDER BY created_at"))
    ).map(({ key }) => key);
  /** Prunes, and says how many statements that took. */
  const prune = async (): Promise<number> => {
    let statements = 0;
    const batch = (some: Statement[], mode: "read" | "write") => {
      statements += some.length;
      return app.database.batch(some, mode);
    };
    await pruneIdempotencyKeys({ ...app.database, batch }, now);
    return statements;
  };

  test("and not before, to the millisecond", async () => {
    app.handler = async (c) => c.json({ id: await insertReason(c) });
    for (const [key, created] of [
      ["older", dayAgo - 1],
      ["a day", dayAgo],
      ["new", started],
    ] as const) {
      app.clock = created;
      await app.send({ key, body: key });
    }
    await prune();
    expect(await keys()).toEqual(["a day", "new"]);
  });

  test.each([
    [0, 1],
    [499, 1],
    [500, 2],
    [1_200, 3],
  ])("%i of them in %i statements of at most 500", async (count, statements) => {
    if (count > 0) await insert(count, dayAgo - 1_000);
    expect(await prune()).toBe(statements);
    expect(await keys()).toEqual([]);
  });

  test("the oldest first, at most 50,000 at a time", async () => {
    await insert(50_002, dayAgo - 1_000);
    expect(await prune()).toBe(100);
    expect(await keys()).toEqual(["1", "0"]);
  });

  test("each for its own: a key that two accounts share goes only where it is old", async () => {
    await insert(1, dayAgo - 1_000);
    app.clock = started;
    await app.send({ key: "0" });
    await prune();
    expect(await keys()).toEqual(["0"]);
    expect((await app.rowOf("0"))?.created_at).toBe(at(started));
  });
});
