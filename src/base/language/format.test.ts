/** An amount is shown in each language to the minor unit in which it is charged. */
import { expect, test } from "vitest";
import { exponentOf } from "../lib/money.ts";
import { day, money } from "./format.ts";

const locales = ["en", "de", "fr", "es"] as const;
const currencies = Intl.supportedValuesOf("currency");

/** The digits of a text, without what separates them. */
function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, "");
}

test.each(locales)("every amount is shown in %s to the minor unit in which it is charged", (locale) => {
  for (const currency of currencies) {
    const decimals = exponentOf(currency);
    const minor = 424_150 + 7;
    expect(digitsOf(money(locale, minor / 10 ** decimals, currency)), currency).toBe(String(minor));
    expect(digitsOf(money(locale, 42, currency)), currency).toBe(`42${"0".repeat(decimals)}`);
  }
});

test("forints have two decimals, as they are charged, and yen none", () => {
  expect(money("en", 4241.5, "HUF")).toContain("4,241.50");
  expect(money("en", 4242, "JPY")).toBe("¥4,242");
});

test.each([
  ["2026-12-01", "mar. 1er déc. 2026"],
  ["2026-12-11", "ven. 11 déc. 2026"],
  ["2026-12-21", "lun. 21 déc. 2026"],
])("French writes the first of a month as an ordinal: %s", (date, text) => {
  expect(day("fr", date)).toBe(text);
});

test("an amount below nothing has a minus", () => {
  expect(money("en", -5, "USD")).toBe("−$5.00");
  expect(money("de", -5, "EUR")).toBe("−5,00\u00a0€");
});
