/** The drill brings an exported account back, and fails where a file cannot be. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { keyOfFile, writeAccountFile } from "../../scripts/release/account-file.ts";
import { childEnv } from "../support/child-env.ts";

const folder = mkdtempSync(`${tmpdir()}/perennial-drill-test-`);
afterAll(() => rmSync(folder, { recursive: true }));

test("a file is imported, exported and equal; one that somebody has changed is named, and ends it with 1", async () => {
  const [whole, changed] = [`${folder}/1-whole.jsonl`, `${folder}/2-changed.jsonl`];
  await writeAccountFile(whole);
  const text = readFileSync(whole, "utf8").replaceAll(
    "019a0000-0000-7000-8001-000000000001",
    "019a0000-0000-7000-8001-000000000002",
  );
  writeFileSync(changed, text.replace(/"name":"[^"]*"/, '"name":"x"'));
  const env = { ...childEnv, STORE_CREDENTIALS_KEY: keyOfFile };
  const ran = promisify(execFile)(process.execPath, ["scripts/restore-drill.ts", folder], { env });
  const { code, stdout } = await ran.then(
    ({ stdout }) => ({ code: 0, stdout }),
    (failed) => failed,
  );
  const lines = stdout
    .trim()
    .split("\n")
    .map((line: string) => JSON.parse(line));
  expect([code, lines]).toMatchObject([
    1,
    [
      { file: whole, rows: expect.any(Number), differing: 0 },
      { file: changed, error: expect.stringContaining("mac: is of none of the keys") },
    ],
  ]);
}, 60_000);
