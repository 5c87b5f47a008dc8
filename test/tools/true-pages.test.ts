/** All pages say the same times. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
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

test("every page says the same time for a payment that waits for its customer", () => {
  const hours = challengeMs / 3_600_000;
  const told = sentencesWith(/challenge|confirm the payment|pm_requires_action|authentication_expired/i);
  expect(told.filter((sentence) => sentence.includes(`${hours} hours`)).length).toBeGreaterThan(1);
  expect(told.filter((sentence) => /\b(a day|one day|24 hours|24 h)\b/.test(sentence))).toEqual([]);
});
