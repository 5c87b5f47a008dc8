/** A profile is found by any part of the fields that are searched, whatever its case, and by no other field. */
import { describe, expect, test } from "vitest";
import { listed, type ProfileValues, profileOf, put } from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";
import { find, path, searchedFields } from "./search.setup.ts";

const account = useMerchant();

const profiles: ProfileValues[] = [];

async function add(values: Partial<ProfileValues>): Promise<ProfileValues> {
  const profile = profileOf(account.of, values);
  await put("profiles", [profile]);
  profiles.push(profile);
  return profile;
}

/** Case-insensitive substring: two texts that differ in case alone are one. */
function foldCase(text: string): string {
  return text.normalize("NFC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

function expectedOf(search: string): string[] {
  return profiles
    .filter((profile) =>
      searchedFields(profile).some((field) => field && foldCase(field).includes(foldCase(search))),
    )
    .map(({ id }) => id)
    .sort();
}

describe("search: case-insensitive substring of email, full_name, phone_number, postal_code, city and ids", () => {
  test.each([
    ["email", { email: "Needle.Email@customers.test" }, "dle.EMAIL@"],
    ["first_name", { first_name: "Needlefirst" }, "eedleFIRST"],
    ["last_name", { last_name: "Needlelast" }, "NEEDLELAST"],
    ["full_name, across first and last", { first_name: "Needle", last_name: "Haystack" }, "LE HAY"],
    ["phone_number", { phone_number: "+1 (555) 010-4477" }, "555) 010-44"],
    ["phone_number, written without what divides it", { phone_number: "+49 (30) 55-12/34" }, "+4930551234"],
    ["postal_code", { postal_code: "SW1A 9XY" }, "w1a 9X"],
    ["postal_code, without its blank", { postal_code: "SW1A 9XZ" }, "sw1a9xz"],
    ["city", { city: "Needletown" }, "DLETOWN"],
    ["external_id", { external_id: "CRM-needle-99" }, "m-NEEDLE-9"],
    ["store_customer_id", { store_customer_id: "customer-4711" }, "CUSTOMER-47"],
  ])("%s is searched", async (_, values, search) => {
    const { id } = await add(values);
    expect(await find(search, account)).toEqual([id]);
    expect(await find(search.toLowerCase(), account)).toEqual([id]);
    expect(await find(search.toUpperCase(), account)).toEqual([id]);
  });

  test("a customer's global id at the store finds them by the plain one", async () => {
    const { id } = await add({ store_customer_id: "610000471198" });
    expect(await find("gid://shopify/Customer/610000471198", account)).toEqual([id]);
    expect(await find("gid://shopify/Order/610000471198", account)).toEqual([]);
  });

  test.each(["title", "timezone", "address1", "address2", "region", "country", "country_code", "ip"])(
    "%s is not searched",
    async (name) => {
      await add({ [name]: `unsearched-${name}` });
      expect(await find(`unsearched-${name}`, account)).toEqual([]);
    },
  );

  test.each([
    ["two fields beside each other", { phone_number: "spanone", external_id: "spantwo" }, "spanonespantwo"],
    ["with a blank between", { phone_number: "gapone", external_id: "gaptwo" }, "gapone gaptwo"],
    ["e-mail and name", { email: "span@edge.test", first_name: "Edgename" }, "edge.testedgename"],
    ["with the separator between", { phone_number: "sepone", external_id: "septwo" }, "sepone\u001fseptwo"],
    [
      "last and first name, in the other order",
      { first_name: "Orderone", last_name: "Ordertwo" },
      "ordertwo orderone",
    ],
  ])("a term cannot span %s", async (_, values, search) => {
    await add(values);
    expect(await find(search, account)).toEqual([]);
  });

  test.each([
    ["Latin", "ÉCOLE ñandú", "école ÑANDÚ"],
    ["Cyrillic", "Екатерина", "ЕКАТЕРИНА"],
    ["Greek, with a sigma that is final in one and not in the other", "Οδοσαν", "ΟΔΟΣ"],
    [
      "Greek, a capital that ends a word",
      "ΠΑΠΑΔΟΠΟΥΛΟΣ",
      "παπαδόπουλος".normalize("NFD").replaceAll(/\p{M}/gu, ""),
    ],
    ["Greek, a part that ends before the final sigma's word does", "Χρηστος Ιω", "ΧΡΗΣΤΟΣ ΙΩ"],
    ["Armenian", "Արամ", "ԱՐԱՄ"],
    ["Georgian", "Ⴀⴁⴂ", "ⴀႡႢ"],
    ["Deseret, beyond the BMP", "𐐨𐐩𐐪", "𐐀𐐁𐐂"],
    ["full width", "ＡＢＣ", "ａｂｃ"],
    ["German, with a capital sharp s", "Weiẞ", "weiß"],
  ])("in all scripts: %s", async (_, name, search) => {
    const { id } = await add({ first_name: name });
    expect(await find(search, account)).toEqual([id]);
  });

  test.each([
    ["composed, by decomposed letters", "Zo\u00e9lie", "zoe\u0301lie"],
    ["decomposed, by composed letters", "Ire\u0301ne\u0301e", "irénée"],
    ["with an apostrophe, by a typographic one", "O'Brienson", "o’brienson"],
    ["with a typographic apostrophe, by a straight one", "D’Angelino", "d'angelino"],
    ["with an apostrophe, without it", "O'Reillyson", "oreillyson"],
    ["without an apostrophe, with it", "OMalleyson", "o'malleyson"],
  ])("a name is found however it is written: %s", async (_, last_name, search) => {
    const { id } = await add({ last_name });
    expect(await find(search, account)).toEqual([id]);
  });

  test("an e-mail address is found by its domain in letters and in ASCII, whichever it has", async () => {
    const ascii = new URL("http://größe-eins.example").hostname;
    const own = await add({ email: "ada@größe-eins.example" });
    const other = await add({ email: `bob@${ascii}` });
    for (const search of ["größe-eins", "GRÖSSE-EINS".replace("SS", "ẞ"), ascii])
      expect(await find(search, account), search).toEqual([own.id, other.id].sort());
  });

  test("Turkish capital İ finds itself, at any length of the term", async () => {
    const { id } = await add({ last_name: "İstanbulİ" });
    for (const search of ["İ", "İs", "İst", "lİ", "ulİ", "İstanbulİ"])
      expect(await find(search, account), search).toContain(id);
  });
});

test("a search finds exactly the profiles of this file that contain the term", async () => {
  for (const search of ["needle", "ne", "n", "one", "@customers.test", "ΟΔΟΣ"]) {
    const expected = expectedOf(search);
    const { data, meta } = await listed(account.admin, path, { search, limit: 100 });
    const mine = new Set(profiles.map(({ id }) => id));
    expect(
      data
        .map(({ id }) => id as string)
        .filter((id) => mine.has(id))
        .sort(),
      search,
    ).toEqual(expected);
    expect(meta.total).toBe(data.length);
  }
});
