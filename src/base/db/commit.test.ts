/** A commit is one batch, and each way in which it can fail is told apart: a conflict, a lost claim, an outage, a broken constraint. */
import { describe, expect, test } from "vitest";
import { DomainError } from "../errors.ts";
import { ConstraintError, classify, commit } from "./commit.ts";
import type { Db, Statement } from "./port.ts";

test.each([
  "D1_ERROR: Network connection lost.",
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
  "Durable Object is overloaded. Requests queued for too long.",
  "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
  "D1 DB reset because its code was updated.",
  "SQLITE_BUSY: database is locked",
  "fetch failed",
  "connect ECONNREFUSED 127.0.0.1:8080",
])("an outage of the database: %s", (message) => {
  for (const error of [new Error(message), new Error("Failed query", { cause: new Error(message) })])
    expect(classify(error)).toMatchObject({ name: "DomainError", code: "UNAVAILABLE" });
});

test.each<[string, ConstraintError["kind"], string]>([
  ["D1_ERROR: UNIQUE constraint failed: orders.number: SQLITE_CONSTRAINT", "unique", "orders.number"],
  ["NOT NULL constraint failed: guards.guard", "not_null", "guards.guard"],
  ["CHECK constraint failed: guard", "check", "guard"],
  ["SQLITE_CONSTRAINT: UNIQUE constraint failed: a.b, a.c", "unique", "a.b, a.c"],
  ["FOREIGN KEY constraint failed", "foreign_key", ""],
  ["D1_ERROR: FOREIGN KEY constraint failed: SQLITE_CONSTRAINT", "foreign_key", ""],
])("a broken constraint: %s", (message, kind, on) => {
  const found = classify(new Error("Failed query", { cause: new Error(message) }));
  expect(found).toBeInstanceOf(ConstraintError);
  expect(found).toMatchObject({
    kind,
    on,
    name: "ConstraintError",
    message: `${kind} constraint failed: ${on}`,
  });
});

test.each([
  [
    "D1_ERROR: the account is being moved until 2026-11-20T12:00:00.000Z: SQLITE_CONSTRAINT",
    "MovingError",
    "The account is being moved to another database: until it is there it can be read, but not changed",
  ],
  [
    "D1_ERROR: the account is being deleted: SQLITE_CONSTRAINT",
    "DomainError",
    "The account is being deleted",
  ],
  [
    "D1_ERROR: database or disk is full: SQLITE_FULL",
    "DatabaseFullError",
    "The database is full, so nothing can be stored for now",
  ],
  ["D1_ERROR: Network connection lost.", "DomainError", "The database is not reachable, try again"],
])("a database that takes no write for now says why: %s", (fault, name, message) => {
  expect(classify(new Error(fault))).toMatchObject({ name, code: "UNAVAILABLE", message });
});

test("a broken constraint is known by its name alone, whatever its cause says besides", () => {
  const cause = new Error("SQLITE_CONSTRAINT_UNIQUE, extended code 2067");
  const found = classify(new Error("UNIQUE constraint failed: orders.number", { cause }));
  expect(found).toMatchObject({ kind: "unique", on: "orders.number" });
});

test("any other error stays what it is: a fault of the code is no outage", () => {
  const error = new Error("no such column: amout");
  expect(classify(error)).toBe(error);
  expect(classify(error)).not.toBeInstanceOf(DomainError);
});

test("what is thrown need not be an error", () => {
  expect(classify("Network connection lost")).toBe("Network connection lost");
  expect(classify(undefined)).toBeUndefined();
});

describe("commit", () => {
  const one: Statement = { sql: "UPDATE one", params: [] };
  const mark: Statement = { sql: "UPDATE idempotency_keys", params: [] };
  const databaseThat = (answers: (sql: string[]) => unknown) => {
    const seen: unknown[] = [];
    const batch = async (statements: Statement[], mode: string) => {
      seen.push([statements.map(({ sql }) => sql), mode]);
      return answers(statements.map(({ sql }) => sql));
    };
    return { seen, db: { batch } as unknown as Db };
  };
  const echo = (sql: string[]) => sql.map((text) => ({ rows: [text] }));
  const fail = (message: string) => () => {
    throw new Error(message);
  };

  test("is one writing batch, and answers its results", async () => {
    const { db, seen } = databaseThat(echo);
    expect(await commit({ db }, [one])).toEqual([{ rows: ["UPDATE one"] }]);
    expect(seen).toEqual([[["UPDATE one"], "write"]]);
  });

  test("under a claim its mark joins the batch, first, and its result is nobody's", async () => {
    const { db, seen } = databaseThat(echo);
    expect(await commit({ db, claim: () => mark }, [one])).toEqual([{ rows: ["UPDATE one"] }]);
    expect(seen).toEqual([[["UPDATE idempotency_keys", "UPDATE one"], "write"]]);
  });

  test("a claim that another request has taken over is an error of its own", async () => {
    const { db } = databaseThat(fail("NOT NULL constraint failed: idempotency_keys.state"));
    await expect(commit({ db, claim: () => mark }, [one])).rejects.toMatchObject({
      code: "IDEMPOTENCY_IN_PROGRESS",
      message: "Another request took this Idempotency-Key over",
    });
  });

  test.each([
    ["NOT NULL constraint failed: orders.id", { name: "ConstraintError", on: "orders.id" }],
    ["Network connection lost", { code: "UNAVAILABLE", message: "The database is not reachable, try again" }],
    ["idempotency_keys.state", { message: "idempotency_keys.state" }],
  ])("any other failure is thrown as it is classed: %s", async (message, expected) => {
    const { db } = databaseThat(fail(message));
    await expect(commit({ db }, [one])).rejects.toMatchObject(expected);
  });
});
