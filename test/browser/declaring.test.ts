/** Anybody cancels or withdraws without signing in and without JavaScript, in two clicks, in each language. */
import { expect, test } from "vitest";
import { portalLocales } from "../../src/base/accounts/portal-settings.ts";
import { textsOf } from "../../src/edges/portal/pages/texts/index.ts";
import { lookOnScreens } from "./look.ts";
import { leave, newPage, portal, press, select, textOf } from "./visitor.ts";

const pages = ["leave", "withdraw"] as const;
const cases = portalLocales.flatMap((locale) => pages.map((name) => ({ locale, name })));

test.each(cases)("$name in $locale, narrow and wide", async ({ locale, name }) => {
  const own = textsOf(locale).declaring;
  const email = `${name}-${locale}@example.com`;
  const page = await newPage({ javaScript: false });
  await page.setExtraHTTPHeaders({ "Accept-Language": locale });
  const shown = (step: string) => lookOnScreens(page, `declaring-${name}-${step}-${locale}`);
  let clicks = 0;
  const click = async () => {
    clicks += 1;
    await press(page, "main form button");
  };

  await page.goto(`${portal}/${name}`);
  await shown("form");
  await page.type("input[name=email]", email);
  await page.type("input[name=name]", "Ada Lovelace");
  await click();
  expect(await textOf(page)).toContain(own[name].confirmTitle);
  expect(await textOf(page, "main form button")).toBe(own[name].confirm);
  for (const text of [email, "Ada Lovelace"]) expect(await textOf(page)).toContain(text);
  await shown("confirm");
  await click();
  expect(await textOf(page)).toContain(own[name].doneTitle);
  await shown("received");

  expect(clicks).toBe(2);
  const declared = await select("SELECT kind, status, locale FROM declarations WHERE email = ?", email);
  expect(declared).toEqual([
    { kind: name === "leave" ? "cancellation" : "withdrawal", status: "TO_DO", locale },
  ]);
  await page.setExtraHTTPHeaders({});
  await leave(page);
});
