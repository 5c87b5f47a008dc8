import { once } from "../once.ts";
import { nameKey } from "../text.ts";

/**
 * The codes of ISO 3166-1 that are assigned, and XK: ISO leaves that to its users, and stores, couriers and CLDR mean Kosovo by it,
 * to which one could otherwise deliver nothing.
 */
export const countryCodes: readonly string[] = [
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ",
  "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR",
  "GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP",
  "KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT",
  "MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW",
  "SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ",
  "UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW",
].flatMap((line) => line.split(" "));

/** Whether a code in capital letters is one of a country. */
export function isCountryCode(code: string): boolean {
  return known.has(code);
}

/**
 * The code of a country by its name in one of the languages of the portal, or by the code itself. Undefined if the platform's list
 * (CLDR) and the names below have no such name.
 */
export function countryCodeOf(country: string): string | undefined {
  return names().codes.get(nameKey(country));
}

/** The name of a country by its code, in English or another language. */
export function countryNameOf(code: string, language = "en"): string {
  return displayNames(language, "long").of(code) ?? code;
}

/** Whether a name is one of a country's: as above, or in the language that is spoken there. */
export function isNameOfCountry(name: string, code: string): boolean {
  return names().pairs.has(pair(name, code)) || nameKey(name) === nameKey(nativeName(code));
}

const known = new Set(countryCodes);

/** Made with the first look-up, because it takes some milliseconds. */
const names = once(allNames);

const languages = ["en", "de", "fr", "es"];

/** Names that people and other systems write, those of ISO 3166-1 among them, and CLDR does not list. */
const furtherNames: Record<string, string[]> = {
  BN: ["Brunei Darussalam"],
  BO: ["Bolivia (Plurinational State of)"],
  CD: ["Congo (the Democratic Republic of the)", "Democratic Republic of the Congo"],
  CG: ["Congo", "Republic of the Congo"],
  CI: ["Ivory Coast"],
  CV: ["Cabo Verde"],
  CZ: ["Czech Republic"],
  FK: ["Falkland Islands (Malvinas)"],
  FM: ["Micronesia (Federated States of)"],
  GB: [
    ...["Great Britain", "England", "Scotland", "Wales", "Northern Ireland"],
    "United Kingdom of Great Britain and Northern Ireland",
  ],
  IE: ["Republic of Ireland"],
  IR: ["Iran (Islamic Republic of)"],
  KP: ["Korea (the Democratic People's Republic of)"],
  KR: ["Korea (the Republic of)", "Republic of Korea", "Korea, Republic of"],
  LA: ["Lao People's Democratic Republic"],
  MD: ["Moldova (the Republic of)", "Republic of Moldova"],
  MK: ["Macedonia"],
  NL: ["Holland", "Netherlands (Kingdom of the)"],
  PS: ["Palestine, State of", "State of Palestine"],
  RU: ["Russian Federation"],
  SY: ["Syrian Arab Republic"],
  SZ: ["Swaziland"],
  TR: ["Turkey"],
  TW: ["Taiwan (Province of China)"],
  TZ: ["Tanzania, the United Republic of", "United Republic of Tanzania"],
  US: ["USA", "United States of America", "Vereinigte Staaten von Amerika", "États-Unis d'Amérique"],
  VA: ["Holy See"],
  VE: ["Venezuela (Bolivarian Republic of)"],
  VG: ["Virgin Islands (British)"],
  VI: ["Virgin Islands (U.S.)"],
  VN: ["Viet Nam"],
};

/** The code of each name, and each name with each country that has it: one short name may be that of two. */
type Names = { codes: Map<string, string>; pairs: Set<string> };

function allNames(): Names {
  const listed = languages.flatMap((language) => [
    ...namesIn(language, "long"),
    ...namesIn(language, "short"),
  ]);
  const further = Object.entries(furtherNames).flatMap(([code, others]) =>
    others.map((name) => [name, code] as const),
  );
  // A code comes before a short name that is spelled like it: RU is Russia, and in Spanish the United Kingdom.
  const all = [...listed, ...further, ...countryCodes.map((code) => [code, code] as const)];
  return {
    codes: new Map(all.map(([name, code]) => [nameKey(name), code])),
    pairs: new Set(all.map(([name, code]) => pair(name, code))),
  };
}

/** The names of all countries in a language, each with its code. */
function namesIn(language: string, style: "long" | "short"): (readonly [string, string])[] {
  const names = displayNames(language, style);
  return countryCodes.flatMap((code) => {
    const name = names.of(code);
    return name === undefined ? [] : [[name, code] as const];
  });
}

/** Made once for each language, because it takes a hundred times as long as using it. */
function displayNames(language: string, style: "long" | "short"): Intl.DisplayNames {
  const key = `${language} ${style}`;
  const known = madeNames.get(key);
  if (known) return known;
  const made = new Intl.DisplayNames([language], { type: "region", style, fallback: "none" });
  madeNames.set(key, made);
  return made;
}

const madeNames = new Map<string, Intl.DisplayNames>();

const nativeNames = new Map<string, string>();

/** A country's name in the language that most people speak there: Suomi for Finland. */
function nativeName(code: string): string {
  const made = nativeNames.get(code);
  if (made !== undefined) return made;
  const { language } = new Intl.Locale(`und-${code}`).maximize();
  const name = displayNames(language, "long").of(code) ?? code;
  nativeNames.set(code, name);
  return name;
}

function pair(name: string, code: string): string {
  return `${code} ${nameKey(name)}`;
}
