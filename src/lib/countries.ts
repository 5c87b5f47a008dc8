import { once } from "./once.ts";
import { fold } from "./text.ts";

/**
 * The ISO 3166-1 code of a country by its name in one of the languages of the portal, or by the code itself. Undefined if the
 * platform's list (CLDR) has no such name.
 */
export const countryCodeOf = (country: string): string | undefined => codes().get(nameKey(country));

/** Made with the first look-up, because it takes some milliseconds. */
const codes = once(codesByName);

const languages = ["en", "de", "fr", "es"];

/** Regions of CLDR that are no countries. */
const notCountries = new Set(["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"]);

/** Names that people write and CLDR does not list. */
const furtherNames: [string, string][] = [
  ["USA", "US"],
  ["United States of America", "US"],
  ["Great Britain", "GB"],
  ["England", "GB"],
  ["Scotland", "GB"],
  ["Wales", "GB"],
  ["Northern Ireland", "GB"],
  ["Czech Republic", "CZ"],
  ["Ivory Coast", "CI"],
];

function codesByName(): Map<string, string> {
  const known = languages.flatMap((language) => [
    ...namesIn(language, "long"),
    ...namesIn(language, "short"),
  ]);
  const names = [...known, ...furtherNames];
  const found = new Map(names.map(([name, code]) => [nameKey(name), code]));
  // A code comes before a short name that is spelled like it: RU is Russia, and in Spanish the United Kingdom.
  for (const [, code] of names) found.set(nameKey(code), code);
  return found;
}

/** The names of all countries in a language, each with its code. */
function namesIn(language: string, style: "long" | "short"): [string, string][] {
  const names = new Intl.DisplayNames([language], { type: "region", style, fallback: "none" });
  return possibleCodes().flatMap((code) => {
    const name = names.of(code);
    return name !== undefined && isCountry(code) ? [[name, code]] : [];
  });
}

function possibleCodes(): string[] {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  return letters.flatMap((first) => letters.map((second) => first + second));
}

/** Whether a code is in use: a former one, such as BU, stands for its successor. */
function isCountry(code: string): boolean {
  return !notCountries.has(code) && new Intl.Locale(`und-${code}`).region === code;
}

/** A name without case, accents, punctuation and article. */
function nameKey(name: string): string {
  return fold(name.normalize("NFD").replace(/\p{M}/gu, ""))
    .replaceAll("&", " and ")
    .replaceAll(".", "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(/^the /, "");
}
