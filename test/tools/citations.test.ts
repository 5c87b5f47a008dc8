/** Every citation leads to a page and a heading that readers of the repository have. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** Every text of the repository that people read. */
const files = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => /\.(ts|mjs|js|sql|md|toml)$|^\.ci\/run$/.test(path) && existsSync(path))
  // A migration of a release stands as it is, with what it cited then.
  .filter((path) => path !== "test/tools/citations.test.ts" && !path.startsWith("migrations/"));
const texts = files.map((path) => [path, readFileSync(path, "utf8")] as const);

/** The anchors of a page: its headings as they are linked to. */
function anchorsOf(page: string): string[] {
  return readFileSync(page, "utf8")
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .split("\n")
    .filter((line) => /^#{1,6} /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, "")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(/\s/g, "-"),
    );
}

function missing(page: string, anchor: string | undefined): string | undefined {
  if (!existsSync(page)) return "there is no such file";
  if (anchor !== undefined && !anchorsOf(page).includes(anchor)) return "the page has no such heading";
  return undefined;
}

test("no page is cited that readers of the repository do not have", () => {
  const strange =
    /\b(DECISIONS|INTERFACE)(?!_)\b|\b(DESIGN|STYLE|PLATFORM|TOOLCHAIN|PERFORMANCE|BILLING|SHOPIFY)\.md\b/;
  const found = texts.flatMap(([path, text]) =>
    text
      .split("\n")
      .flatMap((line, index) => (strange.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test("each citation of a page of docs/ leads to a page, and to a heading of it where it names one", () => {
  const cited = texts.flatMap(([path, text]) =>
    [...text.matchAll(/(?<![\w/.-])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(([all, page, anchor]) => ({
      where: `${path}: ${all}`,
      fault: missing(page!, anchor),
    })),
  );
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter(({ fault }) => fault !== undefined)).toEqual([]);
});

test("each link of a page of Markdown leads somewhere", () => {
  const links = texts
    .filter(([path]) => path.endsWith(".md"))
    .flatMap(([path, text]) =>
      [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([all, to, anchor]) => ({
        where: `${path}: ${all}`,
        fault: missing(to ? join(dirname(path), to) : path, anchor),
      })),
    );
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter(({ fault }) => fault !== undefined)).toEqual([]);
});

test("an RFC is cited by its number", () => {
  const numbers = texts.flatMap(([, text]) =>
    [...text.matchAll(/\bRFC (\S+)/g)].map(([, number]) => number!),
  );
  expect(numbers.length).toBeGreaterThan(5);
  for (const number of numbers) expect(number).toMatch(/^\d{3,5}\b/);
});
