/** A read is repeated after a passing failure, and a write only where it is certain that it has done nothing. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Db, Result, Statement } from "../port.ts";
import { emptyUsage } from "../usage.ts";
import { repeatTransient } from "./repeating.ts";

const passing = new Error("D1_ERROR: Failed to get session commit token: internal error");
const overloaded = new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.");
const unanswered = new DOMException("The operation was aborted due to timeout", "TimeoutError");
const busy = new Error("D1_ERROR: database is locked: SQLITE_BUSY");
const full = new Error("D1_ERROR: Exceeded maximum DB size");
const refused = new Error("D1_ERROR: UNIQUE constraint failed: orders.number: SQLITE_CONSTRAINT");
const rows: Result[] = [{ rows: [{ id: 1 }] }];
const none: Result[] = [{ rows: [] }];

const select: Statement = { sql: "SELECT", params: [] };
const insert: Statement = { sql: "INSERT", params: [] };
const proven: Statement = { ...insert, proof: () => ({ sql: "PROOF", params: [] }) };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database that answers its trips in this order, then always as the last; says what it was asked, and when. */
function scripted(...answers: (Error | Result[])[]) {
  const began = Date.now();
  const asked: string[] = [];
  const at_ms: number[] = [];
  const batch = async (statements: Statement[]) => {
    asked.push(statements.map(({ sql }) => sql).join(" "));
    at_ms.push(Date.now() - began);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer as Result[];
  };
  return { asked, at_ms, db: repeatTransient({ engine: "d1", usage: emptyUsage(), batch } as Db) };
}

/** The result or the error of a batch, however long its pauses are. */
async function outcome(work: Promise<Result[]>): Promise<Result[] | Error> {
  const settled = work.catch((error: Error) => error);
  await vi.runAllTimersAsync();
  return settled;
}

describe("a read", () => {
  test.each([passing, overloaded, busy])("is repeated after %s", async (error) => {
    const { db, asked } = scripted(error, rows);
    expect(await outcome(db.batch([select], "read"))).toEqual(rows);
    expect(asked).toEqual(["SELECT", "SELECT"]);
  });

  test("that keeps failing is given up within two seconds", async () => {
    const { db, at_ms } = scripted(passing);
    expect(await outcome(db.batch([select], "read"))).toBe(passing);
    expect(at_ms.length).toBeGreaterThan(4);
    expect(at_ms.at(-1)).toBeLessThan(2_000);
    const pauses = at_ms.slice(1).map((at, nth) => at - at_ms[nth]!);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  });

  test("of an overloaded database is not repeated at once, nor often", async () => {
    const { db, at_ms } = scripted(overloaded);
    expect(await outcome(db.batch([select], "read"))).toBe(overloaded);
    expect(at_ms[1]).toBeGreaterThanOrEqual(400);
    expect(at_ms.length).toBeLessThanOrEqual(3);
  });

  test.each([full, refused, unanswered])("that fails by %s is not repeated", async (error) => {
    const { db, asked } = scripted(error, rows);
    expect(await outcome(db.batch([select], "read"))).toBe(error);
    expect(asked).toHaveLength(1);
  });
});

describe("a write", () => {
  test("that has done nothing is repeated as it is", async () => {
    const { db, asked } = scripted(busy, rows);
    expect(await outcome(db.batch([insert], "write"))).toEqual(rows);
    expect(asked).toEqual(["INSERT", "INSERT"]);
  });

  test.each([passing, overloaded, unanswered])(
    "without a proof whose outcome is unknown by %s is not repeated",
    async (error) => {
      const { db, asked } = scripted(error, rows);
      expect(await outcome(db.batch([insert], "write"))).toBe(error);
      expect(asked).toEqual(["INSERT"]);
    },
  );

  test("whose proof is there is answered, and not repeated", async () => {
    const { db, asked } = scripted(passing, rows);
    expect(await outcome(db.batch([select, proven], "write"))).toEqual([{ rows: [] }, { rows: [] }]);
    expect(asked).toEqual(["SELECT INSERT", "PROOF"]);
  });

  test("that is not answered in time is answered where its proof is there", async () => {
    const { db, asked } = scripted(unanswered, rows);
    expect(await outcome(db.batch([proven], "write"))).toEqual([{ rows: [] }]);
    expect(asked).toEqual(["INSERT", "PROOF"]);
  });

  test("that is not answered in time is given up where its proof is not there", async () => {
    const { db, asked } = scripted(unanswered, none, rows);
    expect(await outcome(db.batch([proven], "write"))).toBe(unanswered);
    expect(asked).toEqual(["INSERT", "PROOF"]);
  });

  test("whose proof is not there is repeated", async () => {
    const { db, asked } = scripted(passing, none, rows);
    expect(await outcome(db.batch([proven], "write"))).toEqual(rows);
    expect(asked).toEqual(["INSERT", "PROOF", "INSERT"]);
  });

  test("that arrives late, and refuses its own repetition, is answered", async () => {
    const { db, asked } = scripted(passing, none, refused, rows);
    expect(await outcome(db.batch([proven], "write"))).toEqual([{ rows: [] }]);
    expect(asked).toEqual(["INSERT", "PROOF", "INSERT", "PROOF"]);
  });

  test("that is refused when it is repeated, and was not committed before, is refused", async () => {
    const { db } = scripted(passing, none, refused, none);
    expect(await outcome(db.batch([proven], "write"))).toBe(refused);
  });

  test("whose proof cannot be read either is given up", async () => {
    const { db, asked } = scripted(passing);
    expect(await outcome(db.batch([proven], "write"))).toBe(passing);
    expect(asked.filter((sql) => sql === "INSERT").length).toBeGreaterThan(4);
  });

  test.each([full, refused])("that fails by %s has done nothing, and is not repeated", async (error) => {
    const { db, asked } = scripted(error, rows);
    expect(await outcome(db.batch([proven], "write"))).toBe(error);
    expect(asked).toHaveLength(1);
  });
});
