/** A line of an exported file is read back as it was, whatever separators its text has. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, expect, test } from "vitest";
import { inspect, rowsIn, textOf } from "../../scripts/account/account-file.ts";

const folder = mkdtempSync(`${tmpdir()}/perennial-account-file-`);
afterAll(() => rmSync(folder, { recursive: true }));

test("a text with any separator of lines in it is read back as it was", async () => {
  const path = `${folder}/account.jsonl`;
  const row = { id: "1", note: "one\u2028two\u2029three\u0085four\r\nfive" };
  const lines = [
    { schema: "0001_x.sql", account_id: "a", shop: "a.myshopify.com" },
    { table: "accounts", row: { id: "a" } },
    { table: "subscriptions", row },
    { rows: 2 },
  ];
  writeFileSync(path, lines.map((line) => textOf(line)).join(""));
  expect(await inspect(path)).toMatchObject({ account: { id: "a" }, rows: 2 });
  const read: unknown[] = [];
  for await (const line of rowsIn(path)) read.push(line.row);
  expect(read).toEqual([row]);
});
