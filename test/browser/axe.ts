import { readFileSync } from "node:fs";
import type { AxeResults, Page } from "../../tools/browser/puppeteer.ts";

/**
 * The faults that axe finds of WCAG 2.2 A and AA, each with the elements. axe waits by timers, which a page without JavaScript does not run:
 * while it looks, the page has them. What was drawn without JavaScript stays as it is.
 */
export function faultsOf(page: Page): Promise<string[]> {
  return faultsBy(page, ruleSets);
}

/** Those of the rules on colours, for a page that has no faults in other colours. */
export function colourFaultsOf(page: Page): Promise<string[]> {
  return faultsBy(page, { type: "rule", values: ["color-contrast", "link-in-text-block"] });
}

async function faultsBy(page: Page, runOnly: object): Promise<string[]> {
  const isScripted = page.isJavaScriptEnabled();
  if (!isScripted) await page.setJavaScriptEnabled(true);
  const client = await page.createCDPSession();
  // Through the debugger: the page's own policy allows no other script.
  const evaluate = (expression: string) => client.send("Runtime.evaluate", { expression });
  if ((await evaluate("typeof axe")).result.value === "undefined") await evaluate(axe);
  const { result } = await client.send("Runtime.evaluate", {
    expression: `${settled}.then(() => axe.run(${JSON.stringify({ runOnly, resultTypes })})).then(({ violations }) => ({ violations }))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await client.detach();
  if (!isScripted) await page.setJavaScriptEnabled(false);
  const { violations } = result.value as Pick<AxeResults, "violations">;
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`,
  );
}

/** By how many pixels a page is wider than its screen. */
export function overflow(page: Page) {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

const ruleSets = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Once colours are what they become: those of links change for a moment after a page has others, or after it is unfolded. */
const settled = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished))`;

/** Details of what passed the rules are not collected, which takes a quarter of the time. */
const resultTypes = ["violations"];

/** In ASCII, as a browser takes longer to read a long text of other letters. */
const axe = readFileSync("tools/browser/node_modules/axe-core/axe.min.js", "utf8").replace(
  /[^\0-\x7f]/g,
  (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
);
