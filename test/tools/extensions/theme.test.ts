/** The blocks of the theme extension say what each plan costs and means, in four languages, and are accepted by Shopify's checker. */
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { installTool } from "../../../scripts/install.mjs";
import { folder, languages, renderBlock, textsOf } from "../../support/theme.ts";
import { products } from "../../support/theme-products.ts";

beforeAll(() => installTool("theme"), 120_000);

/** The words of a rendering, without its marks. */
function wordsOf(html: string): string {
  return html
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/[\s ]+/g, " ")
    .trim();
}

function picker(product: object, options = {}): Promise<string> {
  return renderBlock("plan-picker", { product }, options);
}

/** The part of one variant. */
function partOf(html: string, id: number): string {
  const start = html.indexOf(`data-variant="${id}"`);
  return html.slice(start, html.indexOf("</form>", start));
}

describe("the plan picker", () => {
  test("is nothing where the product has no plans", async () => {
    expect((await picker(products.none)).trim()).toBe("");
  });

  test("offers the purchase once first, then each plan with its price, saving and charge", async () => {
    const html = await picker(products.oneGroup);
    expect(wordsOf(html)).toBe(
      "How would you like to buy it? One-time purchase €20.00 Every week €18.00 charged with each delivery, you save 10% Every month €20.00 charged with each delivery Add to cart",
    );
    expect(html).toContain('name="id" value="101"');
    expect(html.match(/ checked/g)).toHaveLength(1);
    expect(html).toMatch(/value="" checked/);
  });

  test("names the groups where there are several, tells prepaid apart, and says the price that follows", async () => {
    const words = wordsOf(partOf(await picker(products.manyGroups), 101));
    expect(words).toContain(
      "Prepaid Every month, three at once €48.00 Deliver every: 1 month, 3 deliveries, paid in advance: €16.00 each, you save 20%",
    );
    expect(words).toContain(
      "Try it Trial €10.00 charged with each delivery, you save 50%, for the first 2 orders, then €18.00",
    );
  });

  test("has a form for each variant with its own prices, and shows the one that is chosen", async () => {
    const html = await picker(products.manyGroups);
    expect(html).toMatch(/<div data-variant="101">/);
    expect(html).toMatch(/<div data-variant="102" hidden>/);
    expect(wordsOf(partOf(html, 102))).toContain("Every week €45.00");
    expect(html).toContain('<a href="/products/food?variant=102"');
    expect(html).toContain("Small &lt;1 kg&gt;");
  });

  test("says that a variant is sold out, and does not take it", async () => {
    const html = await picker(products.soldOut);
    expect(html).toMatch(/<div data-variant="101" hidden>/);
    expect(partOf(html, 102)).toMatch(/<button[^>]* disabled>\s*Sold out\s*<\/button>/);
    expect(partOf(html, 101)).not.toContain("disabled");
  });

  test("offers plans alone where the product is sold by plans alone, the first of them chosen", async () => {
    const html = await picker(products.plansOnly);
    expect(html).not.toContain("One-time");
    expect(html).toMatch(/value="11" checked/);
  });

  test("is a select above six choices", async () => {
    const html = await picker(products.manyPlans);
    expect(html.match(/<option/g)).toHaveLength(7);
    expect(html).not.toContain('type="radio"');
    expect(wordsOf(html)).toContain("Every 2 weeks: €19.00, charged with each delivery, you save 5%");
  });

  test("has amounts without decimals where the currency has none", async () => {
    const html = await picker(products.oneGroup, { currency: "JPY", language: "en" });
    expect(wordsOf(html)).toContain("Every week ¥1,800 charged");
  });

  test.each(languages)("speaks %s", async (language) => {
    const words = wordsOf(await picker(products.manyGroups, { language }));
    await expect(words).toMatchFileSnapshot(`words/${language}.txt`);
  });
});

describe("the next delivery", () => {
  const settings = {
    deployment: "https://perennial.example/",
    token_url: "/apps/token",
    script: "https://perennial.example/a.js",
  };
  const block = { shopify_attributes: "", settings };

  test.each(languages)("leads to the portal without JavaScript: %s", async (language) => {
    const html = await renderBlock("next-delivery", { block, customer: { id: 1 } }, { language });
    expect(html).toContain('<a href="https://perennial.example/portal/shop.myshopify.com">');
    expect(html).toContain('data-deployment="https://perennial.example"');
    expect(wordsOf(html)).toBe(
      (textsOf(language) as { next_delivery: { manage: string } }).next_delivery.manage,
    );
  });

  test("is nothing for somebody who is not signed in, and before it is set up", async () => {
    expect((await renderBlock("next-delivery", { block })).trim()).toBe("");
    const bare = { shopify_attributes: "", settings: {} };
    expect((await renderBlock("next-delivery", { block: bare, customer: { id: 1 } })).trim()).toBe("");
  });
});

describe("the extension", () => {
  test("passes Shopify's checker", async () => {
    const { themeCheckRun } = await import("../../../tools/theme/theme-check.ts");
    const { offenses } = await themeCheckRun(`${process.cwd()}/${folder}`, undefined, () => {});
    expect(offenses.map(({ check, uri, message }) => `${check}: ${uri}: ${message}`)).toEqual([]);
  });

  test("has at most 3 KB of script", () => {
    const scripts = readdirSync(`${folder}/assets`).filter((name) => name.endsWith(".js"));
    const sizes = scripts.map((name) => readFileSync(`${folder}/assets/${name}`).byteLength);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3072);
  });

  test("has each text in each language", () => {
    const keysOf = (texts: object, at = ""): string[] =>
      Object.entries(texts).flatMap(([key, value]) =>
        typeof value === "string" ? `${at}${key}` : keysOf(value, `${at}${key}.`),
      );
    for (const language of languages) expect(keysOf(textsOf(language))).toEqual(keysOf(textsOf("en")));
  });
});
