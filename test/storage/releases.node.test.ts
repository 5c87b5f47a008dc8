/** A release states its migrations once, and the change log what it brought. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { withRelease } from "../../scripts/release/changelog.ts";
import { changesSince, hashOf, releasesIn } from "../../scripts/release/released.ts";

const at = (day: string) => new Date(`${day}T12:00:00.000Z`);

test("the change log has all that was unreleased under the version, and its date alone when called again", () => {
  const before = "# Changelog\n\n## [Unreleased]\n\n- **A thing**.\n";
  const once = withRelease(before, "0.2.0", at("2026-12-01"));
  expect(once).toBe("# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n- **A thing**.\n");
  expect(withRelease(once, "0.2.0", at("2026-12-02"))).toBe(once.replace("2026-12-01", "2026-12-02"));
});

test("a migration that was changed or removed after its release is named, and a new one is none of its", () => {
  const root = `${mkdtempSync(`${tmpdir()}/perennial-release-`)}/`;
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["migrations", "released/0.10.0", "released/0.9.0"])
    mkdirSync(`${root}${folder}`, { recursive: true });
  const [same, changed, gone] = ["0001_same.sql", "0002_changed.sql", "0003_gone.sql"];
  writeFileSync(`${root}migrations/${same}`, "SELECT 1;");
  writeFileSync(`${root}migrations/${changed}`, "SELECT 2; -- and more");
  writeFileSync(`${root}migrations/0004_new.sql`, "SELECT 4;");
  const hashes = { [same]: hashOf("SELECT 1;"), [changed]: hashOf("SELECT 2;"), [gone]: hashOf("SELECT 3;") };
  writeFileSync(`${root}released/0.9.0/migrations.json`, "{}");
  writeFileSync(`${root}released/0.10.0/migrations.json`, JSON.stringify(hashes));
  const releases = releasesIn(root);
  expect(releases.map(({ version }) => version)).toEqual(["0.9.0", "0.10.0"]);
  expect(releases.map((release) => changesSince(release, root))).toEqual([
    [],
    [`${changed} is not as 0.10.0 had it`, `${gone} of 0.10.0 is gone`],
  ]);
});
