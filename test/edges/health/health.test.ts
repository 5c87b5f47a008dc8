/** The health check answers 200 only while every part of the deployment does its work, and says which does not. */
import { describe, expect, test } from "vitest";
import { newestMigration, version } from "../../../src/base/db/newest-migration.ts";
import type { Bindings } from "../../../src/base/env.ts";
import { DomainError } from "../../../src/base/errors.ts";
import { minuteMs } from "../../../src/base/lib/time/durations.ts";
import { type Answer, api, deployment, nobody } from "../../support/client.ts";
import { expectDocumented } from "../../support/conform.ts";
import { execute } from "../../support/database.ts";
import { operations } from "../../support/document.ts";
import { tickAt } from "../../support/jobs.ts";
import { openShop } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { openWorker } from "../../support/worker.ts";
import { queueOf } from "./queue.ts";

const health = operations.find(({ path }) => path === "/health")!;
const key = btoa(String.fromCharCode(...new Uint8Array(32).fill(7)));
const deployed = { ENVIRONMENT: "production", PUBLIC_URL: "https://perennial.test" } as const;

function check(overrides: Partial<Bindings> = {}): Promise<Answer> {
  return deployment(overrides)(nobody, "GET", "/health");
}

function expectUnavailable(answer: Answer, says: string): void {
  expect(answer.status).toBe(503);
  expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
  expect(answer.text).toContain(says);
  expectDocumented(health, answer);
}

function lastTick(at: number): Promise<unknown> {
  return execute("UPDATE heartbeats SET at = ?", new Date(at).toISOString());
}

test("GET /health is 200 with version and schema where every part does its work", async () => {
  await tickAt(Date.now());
  const answer = await api(nobody, "GET", "/health");
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status: "ok", storage: "ok", queue: "ok", version, schema: newestMigration });
});

describe("GET /health is 503 and names the part", () => {
  test("storage, where the database does not answer", async () => {
    const DB = interrupted(/./, { before: () => Promise.reject(new Error("Network connection lost")) });
    expectUnavailable(await check({ DB }), "storage: the storage does not answer");
  });

  test("schema, where a table is missing that this version works with", async () => {
    const DB = interrupted(/heartbeats/, {
      before: () => Promise.reject(new Error("D1_ERROR: no such table: heartbeats: SQLITE_ERROR")),
    });
    expectUnavailable(await check({ DB }), `schema: the schema is older than ${newestMigration}`);
  });

  test("schema, where it needs a later version", async () => {
    const needs = "The database needs version 9.0.0 or a later one: this is 0.1.0";
    const DB = interrupted(/heartbeats/, {
      before: () => Promise.reject(new DomainError("UNAVAILABLE", needs)),
    });
    expectUnavailable(await check({ DB }), `schema: ${needs}`);
  });

  test("queue, where it does not answer", async () => {
    const JOBS = { metrics: () => Promise.reject(new Error("no queue")) } as unknown as Queue;
    expectUnavailable(await check({ JOBS }), "queue: the queue of jobs does not answer");
  });

  test.each(["JOBS", "EVENTS"] as const)(
    "queue, where the oldest message of %s is older than ten minutes",
    async (name) => {
      expect((await check({ [name]: queueOf(9 * minuteMs) })).status).toBe(200);
      const says = `queue: the oldest message of ${name.toLowerCase()} has waited for 11 minutes`;
      expectUnavailable(await check({ [name]: queueOf(11 * minuteMs) }), says);
    },
  );

  test("tick, where cron has not been for five minutes, if it is expected", async () => {
    await lastTick(Date.now() - 4 * minuteMs);
    expect((await check(deployed)).status).toBe(200);
    await lastTick(Date.now() - 6 * minuteMs);
    expectUnavailable(await check(deployed), "tick: cron has not been since ");
    expect((await check({ ENVIRONMENT: "test" })).status).toBe(200);
    await tickAt(Date.now());
    expect((await check(deployed)).status).toBe(200);
  });

  test("credentials, where the key opens none of the secrets that are stored", async () => {
    const shop = await openShop();
    const worker = openWorker({ STORE_CREDENTIALS_KEY: key });
    const body = { url: "https://hooks.example.com/a" };
    expect((await worker.call(shop.api, "POST", "/api/webhook-endpoints", { body })).status).toBe(201);
    expect((await check({ STORE_CREDENTIALS_KEY: key })).status).toBe(200);
    const other = btoa(String.fromCharCode(...new Uint8Array(32).fill(8)));
    expectUnavailable(
      await check({ STORE_CREDENTIALS_KEY: other }),
      "credentials: STORE_CREDENTIALS_KEY opens none",
    );
    expect((await check({ STORE_CREDENTIALS_KEY: `${other},${key}` })).status).toBe(200);
  });
});
