/** A line of an exported file is read back as it was, whatever separators its text has. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, expect, test } from "vitest";
import { inspect, pagesIn, textOf } from "../../scripts/account/account-file.ts";

const folder = mkdtempSync(`${tmpdir()}/perennial-account-file-`);
afterAll(() => rmSync(folder, { recursive: true }));

test("a text with any separator of lines in it is read back as it was", async () => {
  const path = `${folder}/account.jsonl`;
  const note = "one\u2028two\u2029three\u0085four\r\nfive";
  const page = (table: string, columns: string[], rows: string[][]) => ({
    page: { table, columns, after: null, up_to: null, rows },
    mac: "x",
  });
  const first = { format: 1, version: "0.1.0", schema: "0001_x.sql", account_id: "a", shop: "a.example" };
  const lines = [
    { ...first, as_of_sequence: 0 },
    page("accounts", ["id"], [["a"]]),
    page("subscriptions", ["id", "note"], [["1", note]]),
    { pages: 2, rows: 2 },
  ];
  writeFileSync(path, lines.map((line) => textOf(line)).join(""));
  expect(await inspect(path)).toMatchObject({ account: { id: "a" }, rows: 2 });
  const read: unknown[] = [];
  for await (const { page } of pagesIn(path)) read.push(...page.rows);
  expect(read).toEqual([["1", note]]);
});
