/** Files that each command makes are written only where they have changed: a server that runs beside it watches them. */
import { execFileSync } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { expect, test } from "vitest";

const made = ["public/**", "src/host/migrations.ts", "src/base/db/newest-migration.ts"];

function changedAt(): Record<string, number> {
  return Object.fromEntries(globSync(made).map((path) => [path, statSync(path).mtimeMs]));
}

test("a command that is run beside a server changes no file that the server watches", () => {
  const before = changedAt();
  execFileSync(process.execPath, ["scripts/prepare.mjs"]);
  expect(changedAt()).toEqual(before);
});
