/** The beginning and the end of every file of the projects `workers` and `host`. */
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { selfComparisons } from "./self-comparisons.ts";

const statements = new Set<string>();

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
