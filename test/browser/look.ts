import { expect } from "vitest";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { faultsOf, overflow } from "./axe.ts";
import { picture } from "./visitor.ts";

/** A narrow and a wide screen, one dark and one light: the width decides what fits, and the colours decide what can be read. */
export const screens = [
  { width: 390, dark: true },
  { width: 1280, dark: false },
];

/** Keeps a picture of a page under a name and that of its screen. The page has to fit in it and to show its images, and axe to find nothing. */
export async function look(
  page: Page,
  name: string,
  { width, dark }: Pick<(typeof screens)[number], "width" | "dark">,
): Promise<void> {
  await picture(page, `${name}-${width}-${dark ? "dark" : "light"}`);
  expect(await overflow(page), "wider than the screen").toBe(0);
  expect(await page.evaluate(brokenImages), "images that are not there").toEqual([]);
  expect(await faultsOf(page)).toEqual([]);
}

const brokenImages =
  "[...document.images].filter((one) => one.complete && one.naturalWidth === 0).map(({ src }) => src)";
