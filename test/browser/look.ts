import { expect } from "vitest";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { colourFaultsOf, faultsOf, overflow } from "./axe.ts";
import { picture, showAs } from "./visitor.ts";

/** A wide and a narrow screen, one light and one dark: the width decides what fits, and the colours decide what can be read. */
export const screens = [
  { width: 1280, dark: false },
  { width: 390, dark: true },
];

type Screen = (typeof screens)[number];

/** Keeps a picture of a page under a name and that of its screen. The page has to fit in it and to show its images, and axe to find nothing. */
export async function look(page: Page, name: string, screen: Screen): Promise<void> {
  await keepPicture(page, name, screen);
  expect(await overflow(page), "wider than the screen").toBe(0);
  expect(await page.evaluate(brokenImages), "images that are not there").toEqual([]);
  expect(await faultsOf(page)).toEqual([]);
}

/** Looks at a page, which is sent alike to all screens, on each of them. It stays on the narrow one, where more is in the way of a click. */
export async function lookOnScreens(page: Page, name: string): Promise<void> {
  for (const screen of screens) {
    await showAs(page, screen);
    await look(page, name, screen);
  }
}

/** Looks at a page on each screen in light and dark. All that differs between these are colours. */
export async function lookInAllColours(page: Page, name: string): Promise<void> {
  for (const { width, dark } of screens) {
    await showAs(page, { width, dark });
    await look(page, name, { width, dark });
    const others = { width, dark: !dark };
    await showAs(page, others);
    await keepPicture(page, name, others);
    expect(await colourFaultsOf(page)).toEqual([]);
  }
}

function keepPicture(page: Page, name: string, { width, dark }: Screen): Promise<void> {
  return picture(page, `${name}-${width}-${dark ? "dark" : "light"}`);
}

const brokenImages =
  "[...document.images].filter((one) => one.complete && one.naturalWidth === 0).map(({ src }) => src)";
