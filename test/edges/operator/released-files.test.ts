/** A file that an earlier version has exported is imported whole. */
import { env } from "cloudflare:workers";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeEach, expect, test } from "vitest";
import { inspect, pagesIn } from "../../../scripts/account/account-file.ts";
import { root } from "../../../scripts/paths.ts";
import { keyOfFile, writeAccountFile } from "../../../scripts/release/account-file.ts";
import type { Row } from "../../../src/base/db/port.ts";
import { demoId } from "../../../src/base/demo.ts";
import { parseEnv } from "../../../src/base/env.ts";
import { type AccountPage, isOwnPage, rowsIn } from "../../../src/edges/operator/account-page.ts";
import { continueDeletion } from "../../../src/edges/operator/deletion.ts";
import { beginImport, endImport, importPage } from "../../../src/edges/operator/import.ts";
import { importPortsOf, portsOf } from "../../../src/edges/operator/move/ports.ts";
import { accountNow, directory, everyRow } from "./moving.ts";

const folder = mkdtempSync(`${tmpdir()}/perennial-released-`);
await writeAccountFile(`${folder}/account.jsonl`);
afterAll(() => rmSync(folder, { recursive: true }));

const released = existsSync(`${root}released`) ? readdirSync(`${root}released`) : [];
const files = [
  ["this version", folder],
  ...released.map((version) => [version, `${root}released/${version}`]),
]
  .map(([version, each]) => [version!, `${each}/account.jsonl`] as const)
  .filter(([, file]) => existsSync(file));

const id = demoId("account", 1);
beforeEach(async () => {
  for (let nowMs = Date.now(); await accountNow(id); nowMs += 36_000)
    await continueDeletion(portsOf(parseEnv(env), await accountNow(id), new Date(nowMs)), id);
});

test.each(files)("that of %s is read, to the last row", async (_, file) => {
  const ports = importPortsOf(parseEnv(env), new Date());
  const { schema, account, own, rows } = await inspect(file);
  expect(await isOwnPage(keyOfFile, id, own)).toBe(true);
  const { run } = await beginImport(ports, { schema, account, engine: "d1" });
  const pages: AccountPage[] = [];
  for await (const signed of pagesIn(file)) {
    expect(await isOwnPage(keyOfFile, id, signed)).toBe(true);
    pages.push(signed.page);
  }
  for (let changed = 1, pass = 0; changed > 0 && pass < 5; pass++) {
    changed = 0;
    for (const page of pages) {
      const its = { table: page.table, after: page.after, upTo: page.up_to, original: rowsIn(page) };
      changed += await importPage(ports, { accountId: id, run, ...its });
    }
  }
  await endImport(ports, { accountId: id, run });
  const found = await everyRow(directory(), id);
  expect(Object.values(found).flat().length).toBe(rows - 1);
  for (const page of pages)
    expect(sorted(found[page.table]!), page.table).toMatchObject(
      sorted(pages.flatMap((one) => (one.table === page.table ? rowsIn(one) : []))),
    );
});

function sorted(rows: Row[]): Row[] {
  const textOf = (row: Row) => String(row.id ?? JSON.stringify(Object.entries(row).toSorted()));
  return rows.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
}
