import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../support/client.ts";
import { execute } from "../support/database.ts";
import {
  listed,
  type Merchant,
  merchant,
  type ProfileValues,
  profileOf,
  put,
  seeded,
} from "../support/records.ts";

const path = "/api/profiles";

let own: Merchant;
const made: ProfileValues[] = [];

const add = async (values: Partial<ProfileValues>): Promise<ProfileValues> => {
  const profile = profileOf(own.of, values);
  await put("profiles", [profile]);
  made.push(profile);
  return profile;
};
const found = async (search: string, as: Merchant = own): Promise<string[]> => {
  const { data, meta } = await listed(as.admin, path, { search, limit: 100 });
  expect(meta.total).toBe(data.length);
  return data.map(({ id }) => id as string).sort();
};

/** Case-insensitive substring: two texts that differ in case alone are one. */
const same = (text: string): string => text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
const searched = (profile: ProfileValues): (string | null)[] => [
  profile.email,
  [profile.first_name, profile.last_name].filter((name) => name).join(" "),
  profile.phone_number,
  profile.external_id,
  profile.store_customer_id,
];
const expectedOf = (search: string): string[] =>
  made
    .filter((profile) => searched(profile).some((field) => field && same(field).includes(same(search))))
    .map(({ id }) => id)
    .sort();

beforeAll(async () => {
  own = await merchant();
});

describe("search: case-insensitive substring of email, full_name, phone_number, external_id, store_customer_id", () => {
  test.each([
    ["email", { email: "Needle.Email@customers.test" }, "dle.EMAIL@"],
    ["first_name", { first_name: "Needlefirst" }, "eedleFIRST"],
    ["last_name", { last_name: "Needlelast" }, "NEEDLELAST"],
    ["full_name, across first and last", { first_name: "Needle", last_name: "Haystack" }, "LE HAY"],
    ["phone_number", { phone_number: "+1 (555) 010-4477" }, "555) 010-44"],
    ["external_id", { external_id: "CRM-needle-99" }, "m-NEEDLE-9"],
    ["store_customer_id", { store_customer_id: "gid://shopify/Customer/4711" }, "CUSTOMER/47"],
  ])("%s is searched", async (_, values, search) => {
    const { id } = await add(values);
    expect(await found(search)).toEqual([id]);
    expect(await found(search.toLowerCase())).toEqual([id]);
    expect(await found(search.toUpperCase())).toEqual([id]);
  });

  test.each([
    "title",
    "timezone",
    "address1",
    "address2",
    "city",
    "region",
    "country",
    "country_code",
    "postal_code",
    "ip",
  ])("%s is not", async (name) => {
    await add({ [name]: `unsearched-${name}` });
    expect(await found(`unsearched-${name}`)).toEqual([]);
  });

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
    expect(await found(search)).toEqual([]);
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
    expect(await found(search)).toEqual([id]);
  });

  test("Turkish capital İ finds itself, at any length of the term", async () => {
    const { id } = await add({ last_name: "İstanbulİ" });
    for (const search of ["İ", "İs", "İst", "lİ", "ulİ", "İstanbulİ"])
      expect(await found(search), search).toContain(id);
  });
});

describe("every character means itself, and no term fails", () => {
  const terms = [
    ..."%_*?\"'\\`^:;,.|&!~+-/()[]{}<>@#$=",
    "%%",
    "__",
    '""',
    "''",
    "\\\\",
    "%a%",
    "a_b",
    'a"b',
    "a'b",
    "a\\b",
    "a*b",
    "a* ",
    '"a b"',
    'x" OR "y',
    "x AND y",
    "x OR y",
    "x NOT y",
    "NEAR(x y)",
    "NEAR(x y, 2)",
    "^abc",
    "search_identity : abc",
    "search_other:abc",
    "{search_other} : abc",
    "- search_identity : abc",
    "a + b",
    "(abc",
    "abc)",
    "AND",
    "'; DROP TABLE profiles; --",
    "\u0001\u0002\u0003",
    "   ",
    "\t\n\r",
    "日本",
    "日本語",
    "👩‍👩‍👧‍👦",
    "🐶",
    "🐶🐶",
    "🐶🐶🐶",
    "e\u0301",
    "e\u0301a\u030a",
    "\u200d\u200d\u200d",
    "مرحبا",
    "\ufeff\ufeff\ufeff",
    "\ufffe\uffff\u{1fffe}",
    "\ufffd\ufffd\ufffd",
  ];

  let shop: Merchant;
  const ids: string[] = [];
  beforeAll(async () => {
    shop = await merchant();
    const rows = terms.flatMap((term, nth) => [
      profileOf(shop.of, { first_name: `q${nth}-${term}z` }),
      profileOf(shop.of, { external_id: `q${nth}-${term}z` }),
    ]);
    await put("profiles", rows);
    ids.push(...rows.map(({ id }) => id));
  });

  test.each(terms.map((term, nth) => [JSON.stringify(term), term, nth] as const))(
    "%s",
    async (_, term, nth) => {
      const expected = [ids[nth * 2]!, ids[nth * 2 + 1]!].sort();
      expect(await found(`q${nth}-${term}z`, shop)).toEqual(expected);
      const bare = await listed(shop.admin, path, { search: term, limit: 100 });
      const shown = bare.data.map(({ id }) => id);
      if (bare.meta.total <= 100) for (const id of expected) expect(shown).toContain(id);
      expect(await found(`q${nth}-${term}${term}z`, shop)).toEqual([]);
    },
  );
});

describe("any length that a search may have", () => {
  test.each([
    [1, "a"],
    [2, "a"],
    [3, "a"],
    [47, "é"],
    [48, "x"],
    [49, "x"],
    [63, "語"],
    [64, "語"],
    [65, "語"],
    [65, "🐶"],
    [200, "'"],
    [254, "x"],
    [254, "語"],
  ])("%s characters of %s", async (length, character) => {
    const shop = await merchant();
    const term = character.repeat(length);
    const holding = profileOf(shop.of, { external_id: `[${term}]` });
    const shorter = profileOf(shop.of, { external_id: `[${character.repeat(length - 1)}]` });
    await put("profiles", [holding, shorter]);
    expect(await found(`[${term}]`, shop)).toEqual([holding.id]);
    expect(await found(`${term}]`, shop)).toEqual([holding.id]);
    if (length > 1) expect(await found(`${term.slice(0, -character.length)}]`, shop)).toHaveLength(2);
  });

  test("texts that differ after the 64th character are different", async () => {
    const shop = await merchant();
    const start = "s".repeat(64);
    const one = profileOf(shop.of, { phone_number: `${start}-one` });
    await put("profiles", [one, profileOf(shop.of, { phone_number: `${start}-two` })]);
    expect(await found(`${start}-one`, shop)).toEqual([one.id]);
  });
});

describe("the index follows every write", () => {
  const idOf = async (body: object): Promise<string> =>
    (await api(own.admin, "POST", path, { body })).body.data.id;

  test.each(["follow", "fo", "f"])("create, update, delete: the term %s", async (part) => {
    const shop = await merchant();
    const term = `${part}\u{1f50e}`;
    const { body } = await api(shop.admin, "POST", path, {
      body: { email: "follow@customers.test", last_name: term },
    });
    const { id } = body.data;
    const change = (changes: object) => api(shop.admin, "PUT", `${path}/${id}`, { body: changes });
    expect(await found(term, shop)).toEqual([id]);
    await change({ city: "Paris" });
    expect(await found(term, shop)).toEqual([id]);
    await change({ last_name: null });
    expect(await found(term, shop)).toEqual([]);
    await change({ external_id: `x-${term.toUpperCase()}-x` });
    expect(await found(term, shop)).toEqual([id]);
    await change({ email: "moved@customers.test" });
    expect(await found("follow@", shop)).toEqual([]);
    expect(await found("MOVED@", shop)).toEqual([id]);
    await api(shop.admin, "DELETE", `${path}/${id}`);
    expect(await found(term, shop)).toEqual([]);
  });

  test("a bulk upload too", async () => {
    const id = await idOf({ email: "bulk-indexed@customers.test", first_name: "Beforename" });
    const body = [{ email: "bulk-indexed@customers.test", first_name: "Aftername" }];
    await api(own.admin, "POST", `${path}/bulk-upload`, { body });
    expect(await found("beforename")).toEqual([]);
    expect(await found("aftername")).toEqual([id]);
  });

  test("the full-text index has exactly the rows of the table", async () => {
    await execute("INSERT INTO profile_search (profile_search, rank) VALUES ('integrity-check', 1)");
  });

  test("another account's profiles are not found", async () => {
    const other = await merchant();
    await put("profiles", [profileOf(other.of, { first_name: "Elsewherename" })]);
    expect(await found("elsewherename")).toEqual([]);
  });
});

test("any substring of any field finds exactly the profiles that contain it", async () => {
  const shop = await merchant();
  const pieces = fc.constantFrom("ab", "AB", "ba", "é", "É", "%", "_", '"', " ", "🐶", "語", "ß", "1");
  const field = fc.option(
    fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join("")),
    { nil: null },
  );
  const [rows] = fc.sample(
    fc.array(
      fc.record({
        first_name: field,
        last_name: field,
        phone_number: field,
        external_id: field,
        store_customer_id: field,
      }),
      { minLength: 60, maxLength: 60 },
    ),
    { ...seeded(1), numRuns: 1 },
  );
  const profiles = rows!.map((values, nth) => profileOf(shop.of, { ...values, email: `p${nth}@x.test` }));
  await put("profiles", profiles);
  const lower = (text: string): string => text.toLowerCase();
  await fc.assert(
    fc.asyncProperty(
      fc.array(pieces, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
      async (search) => {
        const expected = profiles.filter((one) =>
          searched(one).some((text) => text && lower(text).includes(lower(search))),
        );
        expect(await found(search, shop)).toEqual(expected.map(({ id }) => id).sort());
      },
    ),
    seeded(80),
  );
});

test("a deleted profile's row in the index hides no other profile, and is not shown", async () => {
  const shop = await merchant();
  const email = "twice@customers.test";
  const first = (await api(shop.admin, "POST", path, { body: { email } })).body.data.id;
  await api(shop.admin, "DELETE", `${path}/${first}`);
  const second = (await api(shop.admin, "POST", path, { body: { email } })).body.data.id;
  expect(await found("twice@", shop)).toEqual([second]);
});

test("a search finds exactly the profiles of this file that contain the term", async () => {
  for (const search of ["needle", "ne", "n", "one", "@customers.test", "ΟΔΟΣ"]) {
    const expected = expectedOf(search);
    const { data, meta } = await listed(own.admin, path, { search, limit: 100 });
    const mine = new Set(made.map(({ id }) => id));
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
