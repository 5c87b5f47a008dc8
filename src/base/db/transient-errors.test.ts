/** Only an error that passes by itself counts as one after which a statement may be repeated. */
import { expect, test } from "vitest";
import { transienceOf } from "./transient-errors.ts";

/** The errors as the vendors print them: D1's and the objects' lists of errors, SQLite's result codes, the libSQL client. */
test.each([
  ["D1_ERROR: D1 DB reset because its code was updated.", "unreachable"],
  ["D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.", "unreachable"],
  ["D1_ERROR: Network connection lost.", "unreachable"],
  ["D1_ERROR: Internal error in D1 DB storage caused object to be reset.", "unreachable"],
  ["D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.", "unreachable"],
  ["D1_ERROR: Can't read from request stream because client disconnected.", "unreachable"],
  ["D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.", "overloaded"],
  ["D1_ERROR: D1 DB is overloaded. Requests queued for too long.", "overloaded"],
  ["D1_ERROR: D1 DB is overloaded. Too many requests queued.", "overloaded"],
  ["D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.", "overloaded"],
  ["D1_ERROR: D1 DB exceeded its CPU time limit and was reset.", "overloaded"],
  ["D1_ERROR: Failed to get session commit token: internal error", "unreachable"],
  ["D1_ERROR: internal error", "unreachable"],
  ["internal error; reference = 8f2a", "unreachable"],
  ["D1_ERROR: Exceeded maximum DB size", "full"],
  ["Durable Object is overloaded. Requests queued for too long.", "overloaded"],
  ["Durable Object storage operation exceeded timeout which caused object to be reset.", "overloaded"],
  ["Durable Object reset because its code was updated.", "unreachable"],
  ["The Durable Object's code has been updated, this version can no longer access storage.", "unreachable"],
  ["Cannot access storage because object has moved to a different machine", "unreachable"],
  ["SQLITE_BUSY: database is locked", "busy"],
  ["D1_ERROR: database is locked: SQLITE_BUSY", "busy"],
  ["SQLITE_FULL: database or disk is full", "full"],
  ["fetch failed", "unreachable"],
  ["connect ECONNREFUSED 127.0.0.1:8080", "unreachable"],
  ["The operation was aborted due to timeout", "unanswered"],
  ["SERVER_ERROR: Server returned HTTP status 502", "unreachable"],
  ["SERVER_ERROR: Server returned HTTP status 503", "overloaded"],
  ["HRANA_PROTO_ERROR: STREAM_EXPIRED: The stream has expired due to inactivity", "unreachable"],
] as const)("%s is %s", (message, kind) => {
  expect(transienceOf(new Error(message))).toBe(kind);
  expect(transienceOf(new Error("Failed query", { cause: new Error(message) }))).toBe(kind);
});

test.each([
  "D1_ERROR: UNIQUE constraint failed: orders.number: SQLITE_CONSTRAINT",
  "D1_ERROR: no such column: amout: SQLITE_ERROR",
  "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
  "SQLITE_CONSTRAINT: NOT NULL constraint failed: guards.ok",
])("%s is no passing failure", (message) => {
  expect(transienceOf(new Error(message))).toBeUndefined();
});

test("an error of a call to an object says itself whether it may be repeated", () => {
  expect(transienceOf(Object.assign(new Error("?"), { retryable: true }))).toBe("unreachable");
  expect(transienceOf(Object.assign(new Error("?"), { retryable: true, overloaded: true }))).toBe(
    "overloaded",
  );
  expect(transienceOf(new Error("?"))).toBeUndefined();
});

test.each([undefined, null, "Network connection lost", 7])(
  "what is thrown need not be an error: %s",
  (thrown) => {
    expect(transienceOf(thrown)).toBeUndefined();
  },
);
