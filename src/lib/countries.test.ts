import { beforeAll, describe, expect, test } from "vitest";
import { countryCodeOf } from "./countries.ts";

/** The list is made with the first look-up and kept. Made by no test, it is what every test is about. */
beforeAll(() => {
  countryCodeOf("");
});

describe("the code of a country", () => {
  test.each([
    ["Germany", "DE"],
    ["Deutschland", "DE"],
    ["ALLEMAGNE", "DE"],
    ["Alemania", "DE"],
    ["  united   states ", "US"],
    ["USA", "US"],
    ["U.S.A.", "US"],
    ["United States of America", "US"],
    ["UK", "GB"],
    ["United Kingdom", "GB"],
    ["The Netherlands", "NL"],
    ["Cote d'Ivoire", "CI"],
    ["Côte d’Ivoire", "CI"],
    ["Trinidad and Tobago", "TT"],
    ["Türkiye", "TR"],
    ["Myanmar (Burma)", "MM"],
    ["Great Britain", "GB"],
    ["England", "GB"],
    ["Scotland", "GB"],
    ["Wales", "GB"],
    ["Northern Ireland", "GB"],
    ["Czech Republic", "CZ"],
    ["Czechia", "CZ"],
    ["Ivory Coast", "CI"],
    ["EE. UU.", "US"],
    ["Royaume-Uni", "GB"],
    ["Antigua & Barbuda", "AG"],
    ["de", "DE"],
    ["GB", "GB"],
    ["us", "US"],
    ["ZA", "ZA"],
    ["RU", "RU"],
  ])("%s: %s", (name, code) => {
    expect(countryCodeOf(name)).toBe(code);
  });

  test.each([
    "",
    " ",
    "Atlantis",
    "constructor",
    "__proto__",
    "Germ",
    "Isle of the Man",
    "QZ",
    "A",
    "S",
    "USAA",
  ])("%j: unknown", (name) => {
    expect(countryCodeOf(name)).toBeUndefined();
  });

  // CLDR names all of these, and none is a country: unions, parts of the world, placeholders, states that are no more.
  test.each([
    ["EU", "European Union"],
    ["EZ", "Eurozone"],
    ["QO", "Outlying Oceania"],
    ["UN", "United Nations"],
    ["XA", "Pseudo-Accents"],
    ["XB", "Pseudo-Bidi"],
    ["ZZ", "Unknown Region"],
    ["DD", "East Germany"],
    ["BU", "Burma"],
    ["SU", "Soviet Union"],
  ])("%s, %s: no country", (code, name) => {
    expect([countryCodeOf(code), countryCodeOf(name)]).toEqual([undefined, undefined]);
  });
});
