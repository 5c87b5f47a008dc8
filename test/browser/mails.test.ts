/** Each mail fits narrow and wide screens and is accessible by axe's rules, in every language. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { samples, shopLook, withText } from "../../scripts/docs/mail-samples.ts";
import { portalLocales } from "../../src/base/accounts/portal-settings.ts";
import type { AnyMail } from "../../src/domain/mail/kinds.ts";
import { renderMail } from "../../src/domain/mail/render/mail.ts";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { colourFaultsOf, faultsOf, overflow } from "./axe.ts";
import { leave, newPage, picture, showAs } from "./visitor.ts";

const widths = [320, 600];

/** Every mail in one language, and the most important ones in each. */
const pictured = (name: string, locale: string) =>
  locale === "en" || ["upcoming_charge", "payment_failed", "price_change", "changed_in_all"].includes(name);

let page: Page;
beforeAll(async () => {
  page = await newPage();
});
afterAll(() => leave(page));

describe.each(portalLocales)("in %s", (locale) => {
  test.each(Object.entries(samples))(
    "%s fits narrow and wide screens, and can be read by everybody",
    async (name, mail) => {
      await page.setContent(renderMail(mail.kind, mail.facts, { ...shopLook, locale }).html);
      for (const dark of [false, true]) {
        for (const width of widths) {
          await showAs(page, { width, dark });
          expect(await overflow(page), `wider than ${width} pixels`).toBe(0);
          if (pictured(name, locale))
            await picture(page, `mail-${name}-${locale}-${width}-${dark ? "dark" : "light"}`);
        }
        // Words in another language have the same colours.
        if (!dark) expect(await faultsOf(page)).toEqual([]);
        else if (locale === "en") expect(await colourFaultsOf(page)).toEqual([]);
      }
    },
  );
});

test("a mail of a shop without a portal says whom to write to, for everybody to read", async () => {
  const { facts } = samples.payment_failed as Extract<AnyMail, { kind: "payment_failed" }>;
  const look = { ...shopLook, locale: "en" } as const;
  const mail = renderMail("payment_failed", { ...facts, pay_url: "", manage_url: "" }, look);
  for (const dark of [false, true]) {
    await showAs(page, { width: 320, dark });
    await page.setContent(mail.html);
    expect(await overflow(page)).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, `mail-without-a-portal-${dark ? "dark" : "light"}`);
  }
});

test.each([
  ["one long word", "Donaudampfschifffahrtsgesellschaftskapitän".repeat(5)],
  ["a text from right to left", "טעם טוב <b>שלום</b> 1.5"],
])("%s in each place fits a narrow screen", async (name, text) => {
  const look = { ...shopLook, shop_name: text, postal_address: text, locale: "en" } as const;
  await showAs(page, { width: 320 });
  for (const kind of ["receipt", "changed_in_all", "card_expiring", "price_change"]) {
    const mail = withText(samples[kind]!, text);
    await page.setContent(renderMail(mail.kind, mail.facts, look).html);
    expect(await overflow(page), kind).toBe(0);
    await picture(page, `mail-${kind}-with-${name.replaceAll(" ", "-")}`);
  }
  expect(await faultsOf(page)).toEqual([]);
});
