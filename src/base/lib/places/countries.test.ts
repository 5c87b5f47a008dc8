/** The codes of countries are those of ISO 3166-1 and Kosovo's, and a name in our languages leads to one code. */
import { beforeAll, describe, expect, test } from "vitest";
import { countryCodeOf, countryCodes, countryNameOf, isCountryCode, isNameOfCountry } from "./countries.ts";

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
    expect(isCountryCode(code)).toBe(false);
  });
});

describe("the list of codes", () => {
  test("is ISO 3166-1's 249 and Kosovo's, each once and with an English name", () => {
    expect(countryCodes).toHaveLength(250);
    expect(new Set(countryCodes).size).toBe(250);
    expect(countryCodes.filter((code) => !/^[A-Z]{2}$/.test(code) || countryNameOf(code) === code)).toEqual(
      [],
    );
  });

  // CLDR also names territories to which ISO 3166-1 gives no code, though it reserves some.
  test.each(["AC", "CP", "CQ", "DG", "EA", "IC", "TA", "XX", "ZZ", "AA", "UK", "us", "", "USA"])(
    "%j is not in it",
    (code) => {
      expect(isCountryCode(code)).toBe(false);
    },
  );
});

describe("a name belongs to a code", () => {
  test.each([
    ["Germany", "DE"],
    ["deutschland", "DE"],
    ["Allemagne", "DE"],
    ["Alemania", "DE"],
    ["DE", "DE"],
    ["de", "DE"],
    ["USA", "US"],
    ["Suomi", "FI"],
    ["Österreich", "AT"],
    ["日本", "JP"],
    ["RU", "GB"],
    ["RU", "RU"],
    ["Viet Nam", "VN"],
    ["Kosovo", "XK"],
  ])("%s: %s", (name, code) => {
    expect(isNameOfCountry(name, code)).toBe(true);
  });

  test.each([
    ["Germany", "US"],
    ["Österreich", "DE"],
    ["Atlantis", "US"],
    ["Suomi", "SE"],
    ["GB", "US"],
    ["", "US"],
  ])("%j does not: %s", (name, code) => {
    expect(isNameOfCountry(name, code)).toBe(false);
  });

  test("its English name, and itself, for every code", () => {
    const unlike = countryCodes.filter(
      (code) => !isNameOfCountry(countryNameOf(code), code) || countryCodeOf(countryNameOf(code)) !== code,
    );
    expect(unlike).toEqual([]);
    expect(countryCodes.filter((code) => countryCodeOf(code) !== code)).toEqual([]);
  });
});
