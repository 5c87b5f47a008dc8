/** No page names a version that nobody has had, and all pages say the same times. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { root } from "../../scripts/paths.ts";
import { releasesIn } from "../../scripts/release/released.ts";
import { challengeMs } from "../../src/stores/port.ts";

type Page = { path: string; text: string };

function tracked(...patterns: string[]): Page[] {
  return execFileSync("git", ["ls-files", ...patterns], { encoding: "utf8" })
    .split("\n")
    .filter((path) => path !== "" && existsSync(path))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}

const pages = tracked("*.md");

/** The sentences and rows of tables that a pattern finds, whatever their line breaks. */
function sentencesWith(pattern: RegExp, among = pages): string[] {
  return among.flatMap(({ path, text }) =>
    text
      .split(/(?<=\.)\s|\n(?=[|-])/)
      .map((sentence) => sentence.replaceAll(/\s+/g, " "))
      .filter((sentence) => pattern.test(sentence))
      .map((sentence) => `${path}: ${sentence}`),
  );
}

const isReleased = releasesIn(root).length > 0;
test.skipIf(isReleased)(
  "no page, comment or table names a version, a migration or a form that nobody has had, while none is released",
  () => {
    const changelog = pages.find(({ path }) => path === "CHANGELOG.md")?.text ?? "";
    expect(changelog.match(/^##.*/gm)).toEqual(["## [Unreleased]", "### Added"]);
    const former =
      /until this version is deployed|before (this|migration) ?(version|\d{4})|\bearlier (form|deployments?|version|release)\b|\b(version|release) before\b|connected before have|rewritten by a migration|older than this column|seeded before/i;
    expect(sentencesWith(former, [...pages, ...tracked("src", "scripts", "migrations")])).toEqual([]);
  },
);

test("every page says the same time for a payment that waits for its customer", () => {
  const hours = challengeMs / 3_600_000;
  const told = sentencesWith(/challenge|confirm the payment|pm_requires_action|authentication_expired/i);
  expect(told.filter((sentence) => sentence.includes(`${hours} hours`)).length).toBeGreaterThan(1);
  expect(told.filter((sentence) => /\b(a day|one day|24 hours|24 h)\b/.test(sentence))).toEqual([]);
});
