/** The search index of profiles follows every write, and has exactly the rows of its table. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { openMerchant, profileOf, put, seeded } from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";
import { find, path, searchedFields } from "./search.setup.ts";

const account = useMerchant();

describe("the index follows every write", () => {
  const idOf = async (body: object): Promise<string> =>
    (await api(account.admin, "POST", path, { body })).body.data.id;

  test.each(["follow", "fo", "f"])("create, update, delete: the term %s", async (part) => {
    const shop = await openMerchant();
    const term = `${part}\u{1f50e}`;
    const { body } = await api(shop.admin, "POST", path, {
      body: { email: "follow@customers.test", last_name: term },
    });
    const { id } = body.data;
    const change = (changes: object) => api(shop.admin, "PUT", `${path}/${id}`, { body: changes });
    expect(await find(term, shop)).toEqual([id]);
    await change({ city: "Paris" });
    expect(await find(term, shop)).toEqual([id]);
    await change({ last_name: null });
    expect(await find(term, shop)).toEqual([]);
    await change({ external_id: `x-${term.toUpperCase()}-x` });
    expect(await find(term, shop)).toEqual([id]);
    await change({ email: "moved@customers.test" });
    expect(await find("follow@", shop)).toEqual([]);
    expect(await find("MOVED@", shop)).toEqual([id]);
    await api(shop.admin, "DELETE", `${path}/${id}`);
    expect(await find(term, shop)).toEqual([]);
  });

  test("a bulk upload too", async () => {
    const id = await idOf({ email: "bulk-indexed@customers.test", first_name: "Beforename" });
    const body = [{ email: "bulk-indexed@customers.test", first_name: "Aftername" }];
    await api(account.admin, "POST", `${path}/bulk-upload`, { body });
    expect(await find("beforename", account)).toEqual([]);
    expect(await find("aftername", account)).toEqual([id]);
  });

  test("the full-text index has exactly the rows of the table", async () => {
    await execute("INSERT INTO profile_search (profile_search, rank) VALUES ('integrity-check', 1)");
  });

  test("another account's profiles are not found", async () => {
    const other = await openMerchant();
    await put("profiles", [profileOf(other.of, { first_name: "Elsewherename" })]);
    expect(await find("elsewherename", account)).toEqual([]);
  });
});

test("any substring of any field finds exactly the profiles that contain it", async () => {
  const shop = await openMerchant();
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
          searchedFields(one).some((text) => text && lower(text).includes(lower(search))),
        );
        expect(await find(search, shop)).toEqual(expected.map(({ id }) => id).sort());
      },
    ),
    seeded(80),
  );
});

test("a deleted profile is not found, and its row in the index hides no other profile", async () => {
  const shop = await openMerchant();
  const email = "twice@customers.test";
  const first = (await api(shop.admin, "POST", path, { body: { email } })).body.data.id;
  await api(shop.admin, "DELETE", `${path}/${first}`);
  const second = (await api(shop.admin, "POST", path, { body: { email } })).body.data.id;
  expect(await find("twice@", shop)).toEqual([second]);
});
