/** The fields without which nothing can be sent to an address. */
export type AddressField = "address1" | "city" | "zip" | "country_code";

/**
 * The countries whose addresses need a postal code, as Shopify's data say of each: `zip_requirement`, or else that it has a `zip_regex`
 * (github.com/Shopify/worldwide, data/regions, of August 2026).
 */
const withPostalCode = new Set(
  (
    "AD AI AR AT AU AX BA BE BG BL BM BN BR CA CC CH CN CX CY CZ DE DK EE ES FI FK FO FR GB GE GF GG GI GL GP GR GS HR HU ID IE IM IN " +
    "IS IT JE JP KR LI LT LU LV MC ME MF MG MK MQ MS MT MX MY NC NF NL NO NR NU NZ PF PH PL PM PN PT RE RS RU SE SG SH SI SJ SK SM " +
    "TC TH UA UM US VA VG WF YT ZA"
  ).split(" "),
);

export function needsPostalCode(countryCode: string): boolean {
  return withPostalCode.has(countryCode.toUpperCase());
}
