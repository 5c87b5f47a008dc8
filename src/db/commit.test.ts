import { expect, test } from "vitest";
import { DomainError } from "../errors.ts";
import { ConstraintError, classify } from "./commit.ts";

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
  ["D1_ERROR: FOREIGN KEY constraint failed: SQLITE_CONSTRAINT", "foreign_key", ""],
])("a broken constraint: %s", (message, kind, on) => {
  const found = classify(new Error("Failed query", { cause: new Error(message) }));
  expect(found).toBeInstanceOf(ConstraintError);
  expect(found).toMatchObject({ kind, on });
});

test("any other error stays what it is: a fault of the code is no outage", () => {
  const error = new Error("no such column: amout");
  expect(classify(error)).toBe(error);
  expect(classify(error)).not.toBeInstanceOf(DomainError);
});
