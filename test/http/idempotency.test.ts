import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createKey, revokeKey } from "../../src/accounts/keys.ts";
import worker from "../../src/worker.ts";
import { api, type Caller, deployment, type RequestOptions } from "../support/client.ts";
import { execute, select, testDb } from "../support/database.ts";
import { gate, interrupted, measured } from "../support/slow-database.ts";
import { bearer, openTenant, token } from "../support/tenant.ts";
import { useTenantPerTest } from "../support/use-account.ts";

const skip = "/api/subscriptions/skip-reasons";
const insertOfReason = /^insert into "reasons"/;
const hour = 3_600_000;

const tenant = useTenantPerTest();

const keyed = (key: string, body: unknown = { label: "Holiday" }): RequestOptions => ({
  body,
  headers: { "Idempotency-Key": key },
});
const create = (key: string, body?: unknown, as: Caller = tenant) => api(as, "POST", skip, keyed(key, body));
const reasonCount = async (): Promise<number> =>
  (
    await select<{ n: number }>("SELECT COUNT(*) AS n FROM reasons WHERE account_id = ?", tenant.account.id)
  )[0]!.n;
const rowOf = async (key: string) =>
  (
    await select("SELECT * FROM idempotency_keys WHERE account_id = ? AND key = ?", tenant.account.id, key)
  )[0];

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
        INSERT INTO idempotency_keys SELECT account_id, caller, method, path, key || n, request_hash, token, state, lease_until,
          status, headers, body, created_at, made FROM idempotency_keys, n WHERE key = 'old' AND account_id = ?`,
      tenant.account.id,
    );
    await create("new");
    const { DB, reads } = measured();
    const ctx = createExecutionContext();
    await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), { ...env, DB });
    await waitOnExecutionContext(ctx);
    const deletions = reads.filter(({ sql }) => /^delete from "idempotency_keys"/.test(sql));
    expect(deletions).toHaveLength(3);
    for (const { rows } of deletions) expect(rows).toBeLessThanOrEqual(500 * 5);
    const left = await select<{ key: string }>(
      "SELECT key FROM idempotency_keys WHERE account_id = ?",
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

describe("the key: quoted or bare, 1..255 characters, else 400", () => {
  test("a quoted key and the same key bare are one key", async () => {
    const bare = await create("abc");
    const quoted = await create('"abc"');
    expect(quoted.headers.get("Idempotency-Replayed")).toBe("true");
    expect(quoted.text).toBe(bare.text);
  });

  test.each([
    "x",
    "x".repeat(255),
    `"${"x".repeat(255)}"`,
    '"a\\"b\\\\c"',
    "with space",
    "8e03978e-40d5-43dd-bc93-6894a57f9324",
  ])("taken: %s", async (key) => {
    expect((await create(key)).status).toBe(200);
  });

  test.each(["", '""', "x".repeat(256), `"${"x".repeat(256)}"`])("400: %s", async (key) => {
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

describe("in flight: 409 IDEMPOTENCY_IN_PROGRESS", () => {
  test("a second request while the first runs; afterwards it is replayed", async () => {
    const held = gate();
    const slow = deployment({ DB: interrupted(insertOfReason, { before: held.pass }) });
    const first = slow(tenant, "POST", skip, keyed("k1"));
    await held.reached;
    const second = await create("k1");
    expect([second.status, second.body.errorCode]).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
    expect((await create("k1", { label: "Another" })).status, "another request").toBe(422);
    held.open();
    expect((await first).status).toBe(200);
    expect((await create("k1")).text).toBe((await first).text);
    expect(await reasonCount()).toBe(1);
  });

  test("of many requests at once exactly one takes effect, and the others are 409 or its replay", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create("k1")));
    const fresh = answers.filter(
      ({ status, headers }) => status === 200 && !headers.has("Idempotency-Replayed"),
    );
    expect(fresh).toHaveLength(1);
    for (const { status, text } of answers) {
      expect([200, 409]).toContain(status);
      if (status === 200) expect(text).toBe(fresh[0]?.text);
    }
    expect(await reasonCount()).toBe(1);
  });
});

describe("an abandoned claim", () => {
  const expireLease = () =>
    execute("UPDATE idempotency_keys SET lease_until = ?", "2020-01-01T00:00:00.000Z");

  test("is taken over when its lease has ended, and the first request can no longer commit", async () => {
    const held = gate();
    const slow = deployment({ DB: interrupted(insertOfReason, { before: held.pass }) });
    const first = slow(tenant, "POST", skip, keyed("k1"));
    await held.reached;
    await expireLease();
    const second = await create("k1");
    expect(second.status).toBe(200);
    held.open();
    const late = await first;
    expect([late.status, late.body.errorCode]).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
    expect(await reasonCount()).toBe(1);
    expect((await create("k1")).text).toBe(second.text);
  });

  test("is not taken over by another request", async () => {
    const held = gate();
    const slow = deployment({ DB: interrupted(insertOfReason, { before: held.pass }) });
    const first = slow(tenant, "POST", skip, keyed("k1"));
    await held.reached;
    await expireLease();
    expect((await create("k1", { label: "Another" })).status).toBe(422);
    held.open();
    expect((await first).status).toBe(200);
  });

  test("that committed before its response was stored is answered from the records, and never takes effect again", async () => {
    const dead = () => Promise.reject(new Error("isolate gone"));
    const DB = interrupted(/^update "idempotency_keys" set "state" = \?, "status"/, { before: dead });
    const first = await deployment({ DB })(tenant, "POST", skip, keyed("k1"));
    expect(first.status).toBe(200);
    expect(await rowOf("k1")).toMatchObject({ state: "COMMITTED" });
    const again = await create("k1");
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await reasonCount()).toBe(1);
  });

  test("whose database response was lost after the commit is answered from the records, and never takes effect again", async () => {
    const lost = () => Promise.reject(new Error("Network connection lost"));
    const DB = interrupted(insertOfReason, { after: lost });
    const first = await deployment({ DB })(tenant, "POST", skip, keyed("k1"));
    expect(first.status).toBe(503);
    const again = await create("k1");
    expect([again.status, again.body.data.label]).toEqual([200, "Holiday"]);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await reasonCount()).toBe(1);
  });
});

describe("a response that is made again from the records", () => {
  const dead = () => Promise.reject(new Error("isolate gone"));
  const settling = /^update "idempotency_keys" set "state" = \?, "status"/;
  const unanswered = (key: string) =>
    deployment({ DB: interrupted(settling, { before: dead }) })(tenant, "POST", skip, keyed(key));

  test("shows the current record, and is replayed from then on", async () => {
    const { body } = await unanswered("k1");
    const { id } = body.data;
    await api(tenant, "PUT", `${skip}/${id}`, { body: { label: "Changed since" } });
    const anew = await create("k1");
    expect(anew.body.data).toMatchObject({ id, label: "Changed since" });
    await api(tenant, "PUT", `${skip}/${id}`, { body: { label: "Changed again" } });
    expect((await create("k1")).text).toBe(anew.text);
  });

  test("is for the same request and the same caller only", async () => {
    await unanswered("k1");
    expect((await create("k1", { label: "Another" })).status).toBe(422);
    const other = await create("k1", undefined, await openTenant());
    expect(other.headers.get("Idempotency-Replayed")).toBeNull();
    expect(await reasonCount()).toBe(1);
  });

  test("is 409 if the record has been deleted since, and nothing replaces it", async () => {
    const { body } = await unanswered("k1");
    await api(tenant, "DELETE", `${skip}/${body.data.id}`);
    const again = await create("k1");
    expect([again.status, again.body.errorCode]).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
    expect(again.headers.get("Idempotency-Replayed")).toBeNull();
    expect(await reasonCount()).toBe(1);
  });

  test("does not replace a response that was stored meanwhile", async () => {
    const held = gate();
    const slow = deployment({ DB: interrupted(settling, { before: held.pass }) });
    const first = slow(tenant, "POST", skip, keyed("k1"));
    await held.reached;
    const anew = await create("k1");
    held.open();
    await first;
    expect((await create("k1")).text).toBe(anew.text);
    expect(await reasonCount()).toBe(1);
  });

  test("is tried again later if the database is unavailable", async () => {
    await unanswered("k1");
    const lost = () => Promise.reject(new Error("Network connection lost"));
    const DB = interrupted(/from "reasons"/, { before: lost });
    expect((await deployment({ DB })(tenant, "POST", skip, keyed("k1"))).status).toBe(503);
    expect((await create("k1")).status).toBe(200);
  });
});
