import { expect } from "vitest";
import type { Page } from "../../tools/browser/puppeteer.ts";

type Focused = { text: string; outline: string; name: string; isPage: boolean };

export function focused(page: Page) {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    return { text: element.innerText ?? "", name: element.name ?? "", outline: getComputedStyle(element).outlineStyle,
      isPage: element === document.body };
  })()`) as Promise<Focused>;
}

/** Presses Tab until what has the focus matches. Whatever has it on the way shows it. */
export async function tabTo(page: Page, isIt: (focus: Focused) => boolean): Promise<void> {
  for (let presses = 0; presses < pressesMax; presses++) {
    await page.keyboard.press("Tab");
    const focus = await focused(page);
    if (focus.isPage) continue;
    expect(focus.outline, `${focus.text}${focus.name} shows the focus`).not.toBe("none");
    if (isIt(focus)) return;
  }
  throw new Error("Tab does not lead there");
}

/** Presses Enter, and waits for the page that follows. */
export async function enter(page: Page): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
}

/** Opens what is folded behind the summary that a text begins with. */
export async function unfold(page: Page, text: string): Promise<void> {
  await tabTo(page, (focus) => focus.text.startsWith(text));
  await page.keyboard.press("Enter");
}

/** More than any page has places for the focus. */
const pressesMax = 150;
