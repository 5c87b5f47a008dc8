/** Reads that several works make at the same time share one trip to the database, and each work gets its own answers. */
import { expect, test } from "vitest";
import type { Db, Statement } from "../port.ts";
import { sideBySide } from "./side-by-side.ts";

/** A database that answers each statement with its own text, and remembers its trips. */
function echo() {
  const trips: string[][] = [];
  const db: Db = {
    engine: "d1",
    usage: { db_round_trips: 0, db_statements: 0, rows_read: 0, rows_written: 0 },
    batch: async (statements) => {
      trips.push(statements.map(({ sql }) => sql));
      if (statements.some(({ sql }) => sql === "broken")) throw new Error("broken");
      return statements.map(({ sql }) => ({ rows: [{ sql }] }));
    },
  };
  return { db, trips };
}

function one(sql: string): Statement[] {
  return [{ sql, params: [] }];
}

async function textsIn(db: Db, ...texts: string[]): Promise<unknown[]> {
  const statements = texts.map((sql) => ({ sql, params: [] }));
  return (await db.batch(statements, "read")).map(({ rows }) => rows[0]?.sql);
}

test("what several works read at the same time is one trip, and each gets its own answers", async () => {
  const { db, trips } = echo();
  const answers = await sideBySide(db, [
    (of) => textsIn(of, "a", "b"),
    (of) => textsIn(of, "c"),
    async () => "nothing",
  ]);
  expect(answers).toEqual([["a", "b"], ["c"], "nothing"]);
  expect(trips).toEqual([["a", "b", "c"]]);
});

test("together they take as many trips as the longest of them", async () => {
  const { db, trips } = echo();
  await sideBySide(db, [
    async (of) => {
      for (const sql of ["a1", "a2", "a3"]) await textsIn(of, sql);
    },
    async (of) => {
      await Promise.resolve();
      await textsIn(of, "b1");
      await new Promise((resolve) => setTimeout(resolve, 5));
      await textsIn(of, "b2");
    },
    (of) => Promise.all([textsIn(of, "c1"), textsIn(of, "c2")]),
  ]);
  expect(trips.map((trip) => trip.toSorted())).toEqual([["a1", "b1", "c1", "c2"], ["a2", "b2"], ["a3"]]);
});

test("writes go their own way", async () => {
  const { db, trips } = echo();
  await sideBySide(db, [(of) => of.batch(one("write"), "write"), (of) => textsIn(of, "read")]);
  expect(trips).toHaveLength(2);
  expect(trips).toContainEqual(["write"]);
});

test("a trip that fails fails every work that shared it", async () => {
  const { db } = echo();
  const outcomes: string[] = [];
  const record = (of: Db, sql: string) =>
    textsIn(of, sql).then(
      () => outcomes.push("answered"),
      () => outcomes.push("failed"),
    );
  await sideBySide(db, [(of) => record(of, "broken"), (of) => record(of, "good")]);
  expect(outcomes).toEqual(["failed", "failed"]);
});

test("a work that fails fails the whole, and keeps none of the others waiting", async () => {
  const { db } = echo();
  const fails = async (): Promise<never> => {
    throw new Error("no");
  };
  await expect(sideBySide(db, [fails, (of) => textsIn(of, "a")])).rejects.toThrow("no");
});
