import { describe, expect, test } from "vitest";
import type { Db } from "../../src/base/db/port.ts";
import { rows } from "../../src/base/db/statement.ts";

/** Statements of the largest sizes that both take. Functions of the local D1 take more arguments than 32, which is the limit of the deployed one. */
export function limitsSuite(name: string, open: () => Db): void {
  describe(`${name} refuses more than D1 takes`, () => {
    test.each<[string, number, (size: number) => string]>([
      ["columns", 100, (size) => `SELECT ${list(size, (nth) => `${nth} AS c${nth}`)}`],
      ["terms of a compound select", 5, (size) => list(size, () => "SELECT 1", " UNION ALL ")],
      ["bytes of a pattern", 50, (size) => `SELECT 'a' LIKE '${"a".repeat(size)}'`],
      ["parameters", 100, (size) => `SELECT ?${size} IS NULL`],
      ["bytes of a statement", 100_000, (size) => `SELECT 1${" ".repeat(size - 8)}`],
      ["levels of an expression", 100, (size) => `SELECT ${"-(".repeat(size - 1)}1${")".repeat(size - 1)}`],
    ])("%s", async (_, most, statementOf) => {
      const run = (size: number) => {
        const sql = statementOf(size);
        return rows(open(), { sql, params: Array<null>(sql.includes("?") ? size : 0).fill(null) });
      };
      expect(await run(most)).not.toEqual([]);
      await expect(run(most + 1)).rejects.toThrow();
    });
  });
}

function list(count: number, of: (nth: number) => string, by = ", "): string {
  return Array.from({ length: count }, (_, nth) => of(nth)).join(by);
}
