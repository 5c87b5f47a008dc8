/** Every character of a search term means itself, at any length. */
import { beforeAll, describe, expect, test } from "vitest";
import { listed, openMerchant, profileOf, put } from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";
import { find, path } from "./search.setup.ts";

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

  const shop = useMerchant();
  const ids: string[] = [];
  beforeAll(async () => {
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
      expect(await find(`q${nth}-${term}z`, shop)).toEqual(expected);
      // Apostrophes make no difference.
      if (/^['`]+$/.test(term)) return;
      const bare = await listed(shop.admin, path, { search: term, limit: 100 });
      const shown = bare.data.map(({ id }) => id);
      if (bare.meta.total <= 100) for (const id of expected) expect(shown).toContain(id);
      expect(await find(`q${nth}-${term}${term}z`, shop)).toEqual([]);
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
    [200, "%"],
    [254, "x"],
    [254, "語"],
  ])("%s characters of %s", async (length, character) => {
    const shop = await openMerchant();
    const term = character.repeat(length);
    const containing = profileOf(shop.of, { external_id: `[${term}]` });
    const shorter = profileOf(shop.of, { external_id: `[${character.repeat(length - 1)}]` });
    await put("profiles", [containing, shorter]);
    expect(await find(`[${term}]`, shop)).toEqual([containing.id]);
    expect(await find(`${term}]`, shop)).toEqual([containing.id]);
    if (length > 1) expect(await find(`${term.slice(0, -character.length)}]`, shop)).toHaveLength(2);
  });

  test("texts that differ after the 64th character are different", async () => {
    const shop = await openMerchant();
    const start = "s".repeat(64);
    const one = profileOf(shop.of, { phone_number: `${start}-one` });
    await put("profiles", [one, profileOf(shop.of, { phone_number: `${start}-two` })]);
    expect(await find(`${start}-one`, shop)).toEqual([one.id]);
  });
});
