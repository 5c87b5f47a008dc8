/** An address is shown in the order of its country, without lines for what is missing. */
import { describe, expect, test } from "vitest";
import { type Address, addressLines, addressOf, cardOf } from "./names.ts";
import { wordsOf } from "./words/index.ts";

const street = { first_name: "Ada", last_name: "Lovelace", address1: "1 High Street" };

const addresses: [country: string, address: Partial<Address>, place: string[], line: string][] = [
  [
    "US",
    { city: "Brooklyn", province: "New York", zip: "11201", country: "United States" },
    ["Brooklyn, New York 11201"],
    "Brooklyn, New York 11201",
  ],
  [
    "GB",
    { city: "London", zip: "N1 9GU", country: "United Kingdom" },
    ["London", "N1 9GU"],
    "London, N1 9GU",
  ],
  [
    "IE",
    { city: "Naas", province: "Kildare", zip: "W91 X1Y2", country: "Ireland" },
    ["Naas", "Kildare", "W91 X1Y2"],
    "Naas, Kildare W91 X1Y2",
  ],
  [
    "SG",
    { city: "Singapore", zip: "018956", country: "Singapore" },
    ["Singapore 018956"],
    "Singapore, 018956",
  ],
  [
    "DE",
    { city: "Hamburg", province: "Hamburg", zip: "20457", country: "Germany" },
    ["20457 Hamburg"],
    "20457 Hamburg, Hamburg",
  ],
  [
    "ES",
    { city: "Getafe", province: "Madrid", zip: "28901", country: "Spain" },
    ["28901 Getafe", "Madrid"],
    "28901 Getafe, Madrid",
  ],
];

describe.each(addresses)("an address in %s", (country_code, rest, place, line) => {
  const address = { ...street, ...rest, country_code } as Address;

  test("has the lines of an envelope there", () => {
    expect(addressLines(address)).toEqual(["Ada Lovelace", "1 High Street", ...place, address.country]);
  });

  test("has the same order in one line", () => {
    expect(addressOf(address)).toBe(`Ada Lovelace, 1 High Street, ${line}, ${address.country}`);
  });
});

test.each([
  ["de", "Deutschland"],
  ["fr", "Allemagne"],
  ["es", "Alemania"],
  ["en", "Germany"],
] as const)("the country of an address has its name in %s, whatever it was typed as", (locale, name) => {
  const address = { ...street, city: "Hamburg", zip: "20457", country: "GERMANY", country_code: "DE" };
  expect(addressLines(address, locale).at(-1)).toBe(name);
  expect(addressOf(address, locale)).toMatch(new RegExp(`, ${name}$`));
});

test.each([[null], ["ZZ"], ["Germany"]])(
  "a country without a code that is known, %s, stays as it was typed",
  (country_code) => {
    const address = { ...street, city: "Hamburg", zip: "20457", country: "Elsewhere", country_code };
    expect(addressLines(address, "de").at(-1)).toBe("Elsewhere");
  },
);

test("an address has a line for a company and for further details, and none for what is missing", () => {
  const whole = {
    ...street,
    company: "Engines Ltd",
    address2: "Floor 2",
    city: "Paris",
    zip: "75001",
    country: "France",
  };
  expect(addressLines(whole)).toEqual([
    "Ada Lovelace",
    "Engines Ltd",
    "1 High Street",
    "Floor 2",
    "75001 Paris",
    "France",
  ]);
  expect(addressLines({ address1: "", city: "", zip: "", country: "" })).toEqual([]);
  expect([addressLines(null), addressOf(null)]).toEqual([[], ""]);
});

test.each([
  ["visa", "Visa •••• 4242"],
  ["sepa_debit", "SEPA debit •••• 4242"],
  ["us_bank_account", "Us bank account •••• 4242"],
  ["constructor", "Constructor •••• 4242"],
])("a payment method has the name of its brand, or a word for it: %s", (brand, name) => {
  expect(cardOf(brand, "4242", wordsOf("en"))).toBe(name);
});
