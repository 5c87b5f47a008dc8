/** The parts of an export have each row once and in order, and stay the same whatever is added later. */
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seeded } from "../../../test/support/seeded.ts";
import type { Ctx } from "../../kit/context.ts";
import { rangesOf, selectRanges } from "./ranges.ts";
import { type ExportResource, exportResources } from "./resources.ts";

const size = 4;
const ctx = { account: { seq: 1 } } as Ctx;
const isNumbered = (resource: ExportResource) => ["subscriptions", "events"].includes(resource);
const idOf = (n: number) => `01a21877-0000-7000-8000-${String(n).padStart(12, "0")}`;

/** A database with rows of these numbers, and ids of the same order, and as many of another account. */
function open(numbers: number[]): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  for (const [table, key] of [
    ["profiles", "id TEXT"],
    ["orders", "id TEXT"],
    ["billing_attempts", "id TEXT"],
    ["subscriptions", "number INTEGER"],
    ["activity_logs", "sequence INTEGER"],
  ] as const) {
    const name = key.split(" ")[0]!;
    db.exec(`CREATE TABLE ${table} (account_seq INTEGER, ${key}, PRIMARY KEY (account_seq, ${name}))`);
    const insert = db.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
    for (const n of numbers) for (const seq of [1, 2]) insert.run(seq, name === "id" ? idOf(n) : n);
  }
  return db;
}

function rangesIn(db: DatabaseSync, resource: ExportResource, upTo?: string | number) {
  const { sql, params } = selectRanges(ctx, resource, { upTo, size });
  return rangesOf(resource, db.prepare(sql).all(...params) as never);
}

describe.each(exportResources)("the parts of %s", (resource) => {
  test("have each row once, in order, and no more than they say", () => {
    const someNumbers = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 30 });
    fc.assert(
      fc.property(someNumbers, (numbers) => {
        const keys = numbers.toSorted((a, b) => a - b).map((n) => (isNumbered(resource) ? n : idOf(n)));
        const ranges = rangesIn(open(numbers), resource);
        const inParts = ranges.map(({ after, up_to }) => keys.filter((key) => key > after && key <= up_to));
        expect(inParts.flat()).toEqual(keys);
        for (const [nth, { rows_at_most }] of ranges.entries()) {
          expect(inParts[nth]!.length).toBeLessThanOrEqual(rows_at_most);
          expect(rows_at_most).toBeLessThanOrEqual(size);
          if (keys.length > 0) expect(inParts[nth]).not.toEqual([]);
        }
        if (!isNumbered(resource))
          expect(ranges.slice(0, -1).map(({ rows_at_most }) => rows_at_most)).toEqual(
            ranges.slice(0, -1).map(() => size),
          );
      }),
      seeded(100),
    );
  });

  test("are the same again up to a key, whatever came after it", () => {
    const first = rangesIn(open([1, 2, 3, 5, 8, 9, 10]), resource);
    const later = open([1, 2, 3, 5, 8, 9, 10, 11, 12, 20]);
    expect(rangesIn(later, resource, first.at(-1)!.up_to)).toEqual(first);
  });

  test("are one without rows where there is nothing", () => {
    const [only, ...more] = rangesIn(open([]), resource);
    expect([only?.rows_at_most, more]).toEqual([0, []]);
  });
});
