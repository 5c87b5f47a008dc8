/** A request that is repeated with its Idempotency-Key is replayed through the whole Worker, and acts once. */
import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createKey, revokeKey } from "../../../../src/base/accounts/keys.ts";
import worker from "../../../../src/worker.ts";
import { api, deployment } from "../../../support/client.ts";
import { execute, select, testDb } from "../../../support/database.ts";
import { faultsOf, operations } from "../../../support/document.ts";
import { inDays, type Json, on, openShop, read, refusal, subscribe } from "../../../support/shops.ts";
import { interrupted, measured } from "../../../support/slow-database.ts";
import { bearer, openTenant, token } from "../../../support/tenant.ts";
import { keyed, skip, useKeys } from "../keys.ts";

const insertOfReason = /^insert into "reasons"/;
const hour = 3_600_000;

const { tenant, create, reasonCount, rowOf } = useKeys();

describe("same key and same request within 24 h", () => {
  test("replays status and body with Idempotency-Replayed: true, and acts once", async () => {
    const first = await create("k1");
    const second = await create("k1");
    expect(first.headers.get("Idempotency-Replayed")).toBeNull();
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get("Content-Type")).toBe(first.headers.get("Content-Type"));
    expect(await reasonCount()).toBe(1);
  });

  test("a replay leads to the record that was made, as the first answer does", async () => {
    const shop = await openShop();
    const body = { source: "old-shop", format: "csv", charge_from: inDays(5) };
    const begin = () => api<Json>(shop.api, "POST", "/api/imports", keyed("k1", body));
    const [first, second] = [await begin(), await begin()];
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    expect(second.headers.get("Location")).toBe(`/api/jobs/${first.body.data.id}`);
  });

  test("a replay has a new X-Request-Id, like every response", async () => {
    const ids = [await create("k1"), await create("k1")].map(({ headers }) => headers.get("X-Request-Id"));
    expect(ids).toEqual([expect.any(String), expect.any(String)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test("it replays until 24 h have passed, and takes effect again after them", async () => {
    await create("k1");
    const aged = (ms: number) =>
      execute(
        "UPDATE idempotency_keys SET created_at = ? WHERE key = 'k1'",
        new Date(Date.now() - ms).toISOString(),
      );
    await aged(24 * hour - 60_000);
    expect((await create("k1")).headers.get("Idempotency-Replayed")).toBe("true");
    await aged(24 * hour + 60_000);
    expect((await create("k1", { label: "Another" })).headers.get("Idempotency-Replayed")).toBeNull();
    expect(await reasonCount()).toBe(2);
  });

  test("cron deletes responses older than a day, and only those", async () => {
    await create("old");
    await create("new");
    const dayAgo = new Date(Date.now() - 24 * hour - 1).toISOString();
    await execute("UPDATE idempotency_keys SET created_at = ? WHERE key = 'old'", dayAgo);
    const ctx = createExecutionContext();
    await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), env);
    await waitOnExecutionContext(ctx);
    expect(await rowOf("old")).toBeUndefined();
    expect(await rowOf("new")).toBeDefined();
  });

  test("cron deletes them in batches, so that no statement deletes many", async () => {
    await create("old");
    const dayAgo = new Date(Date.now() - 24 * hour - 1).toISOString();
    await execute("UPDATE idempotency_keys SET created_at = ? WHERE key = 'old'", dayAgo);
    await execute(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1200)
        INSERT INTO idempotency_keys SELECT account_seq, caller, method, path, key || n, request_hash, token, state,
          status, headers, body, created_at, made FROM idempotency_keys, n WHERE key = 'old' AND account_seq = (SELECT seq FROM accounts WHERE id = ?)`,
      tenant.account.id,
    );
    await create("new");
    const { DB, reads } = measured();
    const ctx = createExecutionContext();
    await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), { ...env, DB });
    await waitOnExecutionContext(ctx);
    const deletions = reads.filter(({ sql }) => /^delete from "idempotency_keys"/.test(sql));
    expect(deletions).toHaveLength(3);
    const isAnyMoving = 1;
    for (const { rows } of deletions) expect(rows).toBeLessThanOrEqual(500 * 5 + isAnyMoving);
    const left = await select<{ key: string }>(
      "SELECT key FROM idempotency_keys WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      tenant.account.id,
    );
    expect(left).toEqual([{ key: "new" }]);
  });

  test("is replayed only after the caller has been authorised again", async () => {
    const { key, text } = await createKey(testDb(), {
      accountId: tenant.account.id,
      name: "second",
      now: new Date().toISOString(),
    });
    const as = { credentials: { "X-API-Key": text } };
    expect((await create("k1", undefined, as)).status).toBe(200);
    await revokeKey(testDb(), key.id, new Date().toISOString());
    const { "X-API-Key": good } = tenant.credentials;
    expect((await create("k1", undefined, { credentials: { "X-API-Key": `${good}x` } })).status).toBe(401);
  });
});

describe("the key: quoted or bare, 1..255 visible ASCII characters as the document has it, else 400", () => {
  test("a quoted key and the same key bare are one key", async () => {
    const bare = await create("abc");
    const quoted = await create('"abc"');
    expect(quoted.headers.get("Idempotency-Replayed")).toBe("true");
    expect(quoted.text).toBe(bare.text);
  });

  const documented = operations
    .find(({ operationId }) => operationId === "createSkipReason")
    ?.parameters?.find(({ name }) => name === "Idempotency-Key")?.schema;

  test.each([
    "x",
    "x".repeat(255),
    `"${"x".repeat(255)}"`,
    `"${'\\"'.repeat(255)}"`,
    '"a\\"b\\\\c"',
    '" "',
    "with space",
    "a, b",
    "8e03978e-40d5-43dd-bc93-6894a57f9324",
  ])("taken: %s", async (key) => {
    expect(faultsOf(documented!, key)).toEqual([]);
    expect((await create(key)).status).toBe(200);
  });

  test.each([
    "",
    '""',
    "x".repeat(256),
    `"${"x".repeat(256)}"`,
    '"',
    '"open',
    '"a"b"',
    '"a\\b"',
    "caf\u00e9",
    '"caf\u00e9"',
    "a\tb",
  ])("400: %s", async (key) => {
    expect(faultsOf(documented!, key)).not.toEqual([]);
    const { status, body } = await create(key);
    expect([status, body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
    expect(body.details[0].path).toBe("Idempotency-Key");
    expect(await reasonCount()).toBe(0);
  });
});

describe("scoped to account, caller, method and path", () => {
  test("another account has its own keys", async () => {
    await create("k1");
    const other = await create("k1", undefined, await openTenant());
    expect([other.status, other.headers.get("Idempotency-Replayed")]).toEqual([200, null]);
  });

  test("each caller has its own keys: an API key, another API key, a member of staff, another one", async () => {
    const { text } = await createKey(testDb(), {
      accountId: tenant.account.id,
      name: "second",
      now: new Date().toISOString(),
    });
    const callers = [
      tenant,
      { credentials: { "X-API-Key": text } },
      bearer(await token(tenant, { actor_type: "admin", name: "Ada" })),
      bearer(await token(tenant, { actor_type: "admin", name: "Grace" })),
      bearer(await token(tenant, { actor_type: "api", name: "Ada" })),
    ];
    for (const [index, as] of callers.entries()) {
      const { status, headers } = await create("k1", { label: `by ${index}` }, as);
      expect([status, headers.get("Idempotency-Replayed")], `caller ${index}`).toEqual([200, null]);
    }
    expect(await reasonCount()).toBe(callers.length);
  });

  test("a caller is the same under a new token", async () => {
    const as = async () => bearer(await token(tenant, { actor_type: "admin", name: "Ada" }));
    await create("k1", undefined, await as());
    expect((await create("k1", undefined, await as())).headers.get("Idempotency-Replayed")).toBe("true");
  });

  test("another path has its own keys", async () => {
    await create("k1");
    const { status, headers } = await api(tenant, "POST", "/api/subscriptions/pause-reasons", keyed("k1"));
    expect([status, headers.get("Idempotency-Replayed")]).toEqual([200, null]);
  });

  test("other methods ignore the header", async () => {
    const { body } = await create("k1");
    const put = () => api(tenant, "PUT", `${skip}/${body.data.id}`, keyed("put", { label: "Changed" }));
    await put();
    expect((await put()).headers.get("Idempotency-Replayed")).toBeNull();
    expect(await rowOf("put")).toBeUndefined();
  });
});

describe("same key, other request: 422 IDEMPOTENCY_KEY_REUSED", () => {
  test("another body", async () => {
    await create("k1");
    const { status, body } = await create("k1", { label: "Another" });
    expect([status, body.errorCode]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    expect(await reasonCount()).toBe(1);
  });

  test("another query: what a dry run has answered is no answer to the change itself", async () => {
    const shop = await openShop();
    const id = await subscribe(shop);
    const pause = (query: Record<string, boolean>) =>
      api<Json>(shop.api, "POST", on(id, "pause"), { ...keyed("k1", {}), query });
    expect((await pause({ dry_run: true })).status).toBe(200);
    expect(refusal(await pause({}))).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    expect((await read(shop, id)).status).toBe("ACTIVE");
  });

  test("the same bytes as another media type", async () => {
    const shop = await openShop();
    const upload = (type: string) =>
      api<Json>(shop.admin, "POST", "/api/profiles/bulk-upload", {
        raw: "[]",
        headers: { "Idempotency-Key": "k1", "Content-Type": type },
      });
    expect((await upload("text/csv")).status).toBe(400);
    expect(refusal(await upload("application/json"))).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  });
});

describe("2xx and 400 are stored; 401, 403, 404, 409, 429 and 5xx never are", () => {
  test("400 is stored", async () => {
    const first = await create("k1", { label: "" });
    const second = await create("k1", { label: "" });
    expect([first.status, second.status]).toEqual([400, 400]);
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    expect(second.text).toBe(first.text);
  });

  test("401 and 415 leave no trace of the key", async () => {
    const options = { ...keyed("k1"), headers: { "Idempotency-Key": "k1", "Content-Type": "text/plain" } };
    expect((await api(tenant, "POST", skip, options)).status).toBe(415);
    expect((await create("k1", undefined, { credentials: { "X-API-Key": "garbage" } })).status).toBe(401);
    expect(await rowOf("k1")).toBeUndefined();
    expect((await create("k1")).status).toBe(200);
  });

  test("5xx is not stored: the same key may be used again", async () => {
    const lost = () => Promise.reject(new Error("Network connection lost"));
    const send = deployment({ DB: interrupted(insertOfReason, { before: lost }) });
    const failed = await send(tenant, "POST", skip, keyed("k1"));
    expect([failed.status, failed.body.errorCode]).toEqual([503, "UNAVAILABLE"]);
    const again = await create("k1");
    expect([again.status, again.headers.get("Idempotency-Replayed")]).toEqual([200, null]);
    expect(await reasonCount()).toBe(1);
  });
});
