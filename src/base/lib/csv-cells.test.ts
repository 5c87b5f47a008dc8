/** A table is written as CSV by RFC 4180, and no cell of it can run as a formula in a spreadsheet. */
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seeded } from "../../../test/support/seeded.ts";
import { csvLine, csvOf } from "./csv-cells.ts";

describe("a table as CSV", () => {
  test("has a line of names and one for each row, each with CRLF (RFC 4180)", () => {
    const rows = [
      { name: "Kibble", n: 2 },
      { name: "Bone", n: 0 },
    ];
    expect(csvOf(["name", "n"], rows)).toBe("\ufeffname,n\r\nKibble,2\r\nBone,0\r\n");
    expect(csvOf(["name"], [])).toBe("\ufeffname\r\n");
  });

  test.each([
    [null, ""],
    [undefined, ""],
    [-1.5, "-1.5"],
    ["a,b", '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ["a\nb", '"a\nb"'],
    ["a\rb", '"a\rb"'],
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@me", "'@me"],
    ["\tx", "'\tx"],
    ["\rx", '"\'\rx"'],
    ["'tis", "''tis"],
    ["a=b", "a=b"],
  ])("%j is %j", (value, cell) => {
    expect(csvOf(["v"], [{ v: value }])).toBe(`\ufeffv\r\n${cell}\r\n`);
  });

  test("no text begins a cell that a spreadsheet takes for a formula, and none is lost", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const cell = csvOf(["v"], [{ v: value }]).slice("\ufeffv\r\n".length, -"\r\n".length);
        const text = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        expect(text).not.toMatch(/^[=+\-@\t\r]/);
        expect(text.replace(/^'(?=[=+\-@\t\r'])/, "")).toBe(value);
      }),
      seeded(300),
    );
  });

  test("rows that a reader of CSV parses, with the apostrophes taken off, are those that were written", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.stringMatching(/^[=+\-@\t\r'",\n #]{1,6}$/),
      fc.constantFrom("# end,1,abc", "\ufeff", "''", '"', "\r\n"),
    );
    const rows = fc.array(fc.tuple(hostile, hostile, fc.integer()), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, (written) => {
        const text = csvLine(["a", "b", "n"]) + written.map(csvLine).join("");
        const [, ...parsed] = parse(text, { relax_column_count: false }) as string[][];
        const read = parsed.map((row) => row.map((cell) => cell.replace(/^'(?=[=+\-@\t\r'])/, "")));
        expect(read).toEqual(written.map((row) => row.map(String)));
      }),
      seeded(200),
    );
  });
});
