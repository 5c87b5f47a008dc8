import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { loadWorkerOnce } from "./load-once.ts";
import { emptyDatabase, leadToNearDatabase } from "./near.ts";
import { areOnObjects, forgetObjects, inObject } from "./objects.ts";
import { selfComparisons } from "./self-comparisons.ts";

leadToNearDatabase();
loadWorkerOnce();

const statements = new Set<string>();

/** Files share one isolate, for speed; each begins with an empty database. The schema is made in one batch, which takes a tenth of what the migrations do. */
beforeAll(async () => {
  await reset();
  await emptyDatabase();
  await env.DB.batch(env.TEST_SCHEMA.map((sql) => env.DB.prepare(sql)));
});

/** An alarm at an instant of a test's own clock would ring at once, beside the test; `tick` does what alarms do. */
beforeAll(async () => {
  forgetObjects();
  if (!areOnObjects) return;
  await inObject("alarms", ({ storage }) => {
    Object.getPrototypeOf(storage).setAlarm = async () => {};
  });
});

/** Every statement that a file's tests bring about is remembered. */
beforeAll(() => {
  const database: Pick<D1Database, "prepare"> = Object.getPrototypeOf(env.DB);
  const { prepare } = database;
  database.prepare = function (sql) {
    statements.add(sql);
    return prepare.call(this, sql);
  };
  return () => {
    database.prepare = prepare;
  };
});

/** The lines that the Worker logs are shown for tests that fail; to report each as it comes takes a fifth of a file's time. */
const logged: unknown[][] = [];
const { log } = console;
beforeAll(() => {
  console.log = (...line) => void logged.push(line);
  return () => {
    console.log = log;
  };
});
beforeEach(() => void logged.splice(0));
afterEach(({ task }) => {
  if (task.result?.state === "fail") for (const line of logged) log(...line);
});

/** A tenant condition that compares a column with itself holds for every account's rows. */
afterAll(() => {
  const found = [...statements].filter((sql) => selfComparisons(sql).length > 0);
  expect(found, "statements that compare a column with itself").toEqual([]);
});
