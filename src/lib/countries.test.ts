import { describe, expect, test } from "vitest";
import { countryCodeOf } from "./countries.ts";

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
    ["de", "DE"],
    ["GB", "GB"],
  ])("%s: %s", (name, code) => {
    expect(countryCodeOf(name)).toBe(code);
  });

  test.each(["", " ", "Atlantis", "European Union", "EU", "ZZ", "DD", "constructor", "__proto__", "Germ"])(
    "%j: unknown",
    (name) => {
      expect(countryCodeOf(name)).toBeUndefined();
    },
  );
});
