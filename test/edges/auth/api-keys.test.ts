/** An API key is stored as its digest alone, and is refused within 30 seconds of its revocation. */
import { env } from "cloudflare:workers";
import { Buffer } from "node:buffer";
import { afterEach, describe, expect, test, vi } from "vitest";
import { keyIdOf, newKeyText } from "../../../src/base/accounts/api-key.ts";
import { createKey, revokeKey } from "../../../src/base/accounts/keys.ts";
import { api, deployment } from "../../support/client.ts";
import { select, testDb } from "../../support/database.ts";
import { usageOf } from "../../support/records.ts";
import { interrupted } from "../../support/slow-database.ts";
import { openTenant } from "../../support/tenant.ts";

const list = "/api/subscriptions/skip-reasons";

function nowText(): string {
  return new Date().toISOString();
}

afterEach(() => {
  vi.useRealTimers();
});

test("a key is prnl_<key id>_<43 base64url characters><6 base62 characters of CRC-32>", async () => {
  const { key, keyId } = await openTenant();
  expect(key).toMatch(/^prnl_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/);
  expect(await select("SELECT id FROM api_keys WHERE id = ?", keyId)).toHaveLength(1);
});

test("a mistyped key costs no trip to the database", async () => {
  const { key, keyId } = await openTenant();
  const asked = vi.fn(async () => {});
  const send = deployment({ DB: interrupted(/./, { before: asked }) });
  for (const text of [
    `${key.slice(0, -1)}!`,
    key.slice(0, -1),
    `${key}0`,
    key.replace(/.(.{6})$/, "~$1"),
    `${key.slice(0, 5)}${keyId}_${"A".repeat(43)}`,
  ])
    expect((await send({ credentials: { "X-API-Key": text } }, "GET", list)).status).toBe(401);
  expect(asked).not.toHaveBeenCalled();
});

test("only the SHA-256 of a key is stored: no table holds its text or its secret", async () => {
  const { key } = await openTenant();
  const tables = await select<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%'",
  );
  expect(tables.length).toBeGreaterThan(5);
  const secret = key.slice(-49, -6);
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    expect(JSON.stringify(results), name).not.toContain(secret);
  }
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  const [row] = await select<{ key_hash: string }>(
    "SELECT key_hash FROM api_keys WHERE id = ?",
    key.split("_")[1]!,
  );
  expect(row?.key_hash).toBe(Buffer.from(digest).toString("hex"));
});

describe("a revoked key", () => {
  test("is 401 with the same body as an unknown key, at most 30 s after its revocation", async () => {
    const of = await openTenant();
    expect((await api(of, "GET", list)).status).toBe(200);
    await revokeKey(testDb(), of.keyId, nowText());
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 30_001 });
    const { status, body } = await api(of, "GET", list);
    expect([status, body.error, body.errorCode]).toEqual([
      401,
      "The credential that was sent is unknown, mistyped, expired or revoked",
      "UNAUTHENTICATED",
    ]);
  });

  test("is refused at once if it was not used before", async () => {
    const of = await openTenant();
    await revokeKey(testDb(), of.keyId, nowText());
    expect((await api(of, "GET", list)).status).toBe(401);
  });

  test("does not affect the account's other keys", async () => {
    const of = await openTenant();
    const { text } = await createKey(testDb(), { accountId: of.account.id, name: "second", now: nowText() });
    await revokeKey(testDb(), of.keyId, nowText());
    expect((await api({ credentials: { "X-API-Key": text } }, "GET", list)).status).toBe(200);
  });

  test("cannot be revoked twice, and an unknown key cannot be revoked", async () => {
    const of = await openTenant();
    await revokeKey(testDb(), of.keyId, nowText());
    await expect(revokeKey(testDb(), of.keyId, nowText())).rejects.toThrow("not found");
    await expect(revokeKey(testDb(), "nope", nowText())).rejects.toThrow("not found");
  });
});

test("last_used_at is written on first use, then at most hourly", async () => {
  const of = await openTenant();
  const send = deployment({});
  const lastUsed = async () =>
    (
      await select<{ last_used_at: string | null }>(
        "SELECT last_used_at FROM api_keys WHERE id = ?",
        of.keyId,
      )
    )[0]?.last_used_at;
  expect(await lastUsed()).toBeNull();
  await send(of, "GET", list);
  const first = await lastUsed();
  expect(first).toMatch(/^\d{4}-.*Z$/);
  const start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: start + 59 * 60_000 });
  await send(of, "GET", list);
  expect(await lastUsed()).toBe(first);
  vi.setSystemTime(start + 61 * 60_000);
  await send(of, "GET", list);
  expect(await lastUsed()).toBe(new Date(start + 61 * 60_000).toISOString());
});

test("a new key works at once, even if it was tried before it existed", async () => {
  const of = await openTenant();
  const { text } = await createKey(testDb(), { accountId: of.account.id, name: "later", now: nowText() });
  const unknown = newKeyText(keyIdOf(text)!);
  expect((await api({ credentials: { "X-API-Key": unknown } }, "GET", list)).status).toBe(401);
  expect((await api({ credentials: { "X-API-Key": text } }, "GET", list)).status).toBe(200);
});

test("another key with the same id is refused while the good one is cached, and does not displace it", async () => {
  const of = await openTenant();
  expect((await api(of, "GET", list)).status).toBe(200);
  expect((await api({ credentials: { "X-API-Key": newKeyText(of.keyId) } }, "GET", list)).status).toBe(401);
  expect((await api(of, "GET", list)).status).toBe(200);
});

test("a key that is known costs no trip, one that is not costs one, which reads three rows", async () => {
  const of = await openTenant();
  await createKey(testDb(), { accountId: of.account.id, name: "another", now: nowText() });
  const first = await usageOf(() => api(of, "GET", "/api/account/test-clock"));
  const again = await usageOf(() => api(of, "GET", "/api/account/test-clock"));
  expect([first.db_round_trips, again.db_round_trips]).toEqual([3, 1]);
  expect(first.rows_read - again.rows_read).toBeLessThanOrEqual(4);
});
