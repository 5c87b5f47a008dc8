/** The element for shops' pages is the file that docs/build/own-portal.md names by its hash, small and harmless. */
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { buildElement, elementName, integrityOf } from "../../scripts/build-element/build.ts";
import { documentedElement } from "../support/documented-element.ts";

const assets = "public/assets/";
const files = readdirSync(assets).filter((name) => name.startsWith("next-delivery-"));

test.each(files)("%s is named by its content, so that its hash stays valid", (name) => {
  expect(name).toBe(elementName(readFileSync(assets + name, "utf8")));
});

describe("the element that docs/build/own-portal.md names", () => {
  const { name, integrity } = documentedElement();
  const content = readFileSync(assets + name);

  test("has the hash that stands there, and is what is made of its source", async () => {
    expect(integrityOf(content.toString())).toBe(integrity);
    expect(await buildElement()).toEqual({ name, integrity, content: content.toString() });
  });

  test("has at most 6.5 KB, and at most 3.5 compressed", () => {
    expect(content.length).toBeLessThanOrEqual(6.5 * 1024);
    expect(gzipSync(content).length).toBeLessThanOrEqual(3.5 * 1024);
  });

  test("reads no text as HTML or code, and keeps nothing in the browser", () => {
    for (const way of [
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|setHTML/,
      /\beval\b|Function\(/,
      /cookie|localStorage/,
    ])
      expect(content.toString()).not.toMatch(way);
  });

  test("has every text in each of the four languages", () => {
    const source = readFileSync("clients/next-delivery/next-delivery.js", "utf8");
    const [, names = ""] = /"([\w ]+)"\s*\.split\(\s*" "/.exec(source) ?? [];
    const languages = [...source.matchAll(/^ {2}(en|de|fr|es): "(.*)",$/gm)].map(([, locale, texts = ""]) => [
      locale,
      texts.split("|").length,
    ]);
    const count = names.split(" ").length;
    expect(languages).toEqual(["en", "de", "fr", "es"].map((locale) => [locale, count]));
  });
});

test("pages of other origins may load it, for good, and no other asset", () => {
  const rules = readFileSync("public/_headers", "utf8").split(/\n(?=\/)/);
  const open = rules.filter((rule) => rule.includes("Access-Control-Allow-Origin"));
  expect(open).toHaveLength(1);
  expect(open[0]).toMatch(/^\/assets\/next-delivery-\*\n/);
  expect(open[0]).toContain("immutable");
});
