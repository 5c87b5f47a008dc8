import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { challengeMs } from "../../src/stores/port.ts";

const pages = execFileSync("git", ["ls-files", "*.md"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "")
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

/** The sentences and rows of tables of all pages that a pattern finds, whatever their line breaks. */
function sentencesWith(pattern: RegExp): string[] {
  return pages.flatMap(({ path, text }) =>
    text
      .split(/(?<=\.)\s|\n(?=[|-])/)
      .map((sentence) => sentence.replaceAll(/\s+/g, " "))
      .filter((sentence) => pattern.test(sentence))
      .map((sentence) => `${path}: ${sentence}`),
  );
}

test("no page names a version, a migration or a form that nobody has had, while none is released", () => {
  const changelog = pages.find(({ path }) => path === "CHANGELOG.md")?.text ?? "";
  expect(changelog).not.toMatch(/^## \[\d/m);
  const former =
    /until this version is deployed|before (this|migration) ?(version|\d{4})|\bearlier (form|deployments?|version)\b|connected before have|rewritten by a migration/i;
  expect(sentencesWith(former)).toEqual([]);
});

test("every page says the same time for a payment that waits for its customer", () => {
  const hours = challengeMs / 3_600_000;
  const told = sentencesWith(/challenge|confirm the payment|pm_requires_action|authentication_expired/i);
  expect(told.filter((sentence) => sentence.includes(`${hours} hours`)).length).toBeGreaterThan(1);
  expect(told.filter((sentence) => /\b(a day|one day|24 hours|24 h)\b/.test(sentence))).toEqual([]);
});
