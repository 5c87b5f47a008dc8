/** An upload reads CSV as spreadsheets write it, and names the line of what is wrong. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../support/any-character.ts";
import { faults, listed, openMerchant, seeded } from "../../support/records.ts";
import {
  type Body,
  countProfiles,
  expectImported,
  newEmail,
  path,
  printCsv,
  slow,
  useUploads,
} from "./upload.setup.ts";

const { account, uploadJson, uploadCsv, findByEmail } = useUploads();

describe("CSV (RFC 4180)", () => {
  test("BOM, CRLF, quotes, commas and line ends in cells, blank lines, order of columns", async () => {
    const [one, two] = [newEmail(), newEmail()];
    const text = `\ufefflast_name, email ,address1\r\n"O""Neill, Jr.",${one},"Line 1\r\nLine 2\nLine 3"\r\n\r\nم,${two}," kept "\r\n`;
    expectImported(await uploadCsv(text), 2);
    expect(await findByEmail(one)).toMatchObject({
      last_name: 'O"Neill, Jr.',
      address1: "Line 1\r\nLine 2\nLine 3",
    });
    expect(await findByEmail(two)).toMatchObject({ last_name: "م", address1: " kept " });
  });

  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("lines may end in %s", async (_, end) => {
    const email = newEmail();
    expectImported(await uploadCsv(`email,city${end}${email},Rome${end}`), 1);
    expect(await findByEmail(email)).toMatchObject({ city: "Rome" });
  });

  test("an empty cell is an absent field: it clears nothing", async () => {
    const email = newEmail();
    await uploadJson([{ email, first_name: "Before", city: "Before" }]);
    expectImported(await uploadCsv(`email,first_name,city\n${email},,Changed`), 1);
    expect(await findByEmail(email)).toMatchObject({ first_name: "Before", city: "Changed" });
  });

  test.each([
    ["a column that is no field", `email,emial_status\n${newEmail()},x`, ["emial_status"]],
    ["and where there are no rows", "email,emial_status\n", ["emial_status"]],
    ["no column that is a field", "mail\n", ["mail"]],
    ["null", "null", ["null"]],
    ["an empty JSON array", "[]", ["[]"]],
    ["no header", "\n", [""]],
    [
      "store_customer_id, which create does not take",
      `email,store_customer_id\n${newEmail()},7`,
      ["store_customer_id"],
    ],
    ["no email column", "first_name\nAda", ["profiles.0.email"]],
    ["an empty email", `first_name,email\nAda,${newEmail()}\nEve,`, ["profiles.1.email"]],
    ["a column twice", `email,email\n${newEmail()},${newEmail()}`, ["email"]],
    ["a bad status", `email,sms_status\n${newEmail()},yes`, ["profiles.0.sms_status"]],
    ["a bad created_at", `email,created_at\n${newEmail()},2020-01-01`, ["profiles.0.created_at"]],
    ["__proto__ as a column", `email,__proto__\n${newEmail()},x`, ["__proto__"]],
    ["NUL", `email,city\n${newEmail()},a\u0000b`, ["profiles.0.city"]],
  ])("%s: 400, by row", async (_, text, paths) => {
    expect(faults(await uploadCsv(text))).toEqual([400, "VALIDATION_FAILED", ...paths]);
  });

  test.each([
    ["a row with too few cells", `email,city\n${newEmail()},Rome\n${newEmail()}`],
    ["a row with too many cells", `email,city\n${newEmail()},Rome,Italy`],
    ["a quote that is not closed", `email,city\n${newEmail()},"Rome`],
    ["a quote inside a cell", `email,city\n${newEmail()},Ro"me`],
  ])("%s: 400, and nothing is written", async (_, text) => {
    const before = await countProfiles(account);
    expect((faults(await uploadCsv(text)) as unknown[]).slice(0, 2)).toEqual([400, "VALIDATION_FAILED"]);
    expect(await countProfiles(account)).toBe(before);
  });

  test("CSV header = the create body's field names: another name is refused, also where its cells are empty", async () => {
    const email = newEmail();
    const answer = await uploadCsv(`email,frist_name\n${email},`);
    expect((faults(answer) as unknown[]).slice(0, 2)).toEqual([400, "VALIDATION_FAILED"]);
    expect(await findByEmail(email)).toBeUndefined();
  });

  test("bytes that are not UTF-8: 400", async () => {
    const bytes = new Uint8Array([
      ...new TextEncoder().encode(`email,city\n${newEmail()},K`),
      0xf6,
      0x6c,
      0x6e,
    ]);
    const answer = await uploadCsv(bytes);
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", ""]);
    expect((answer.body as { error: string }).error).toContain("UTF-8");
  });
});

test("values sent as CSV or JSON are returned byte for byte", slow, async () => {
  const shop = await openMerchant();
  const cell = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 12 })
    .filter((text) => !text.includes("\0") && text.isWellFormed());
  const hostile = fc.constantFrom(
    '"',
    '""',
    ",",
    "\n",
    "\r\n",
    "\r",
    "\ufeff",
    " x ",
    "=1+1",
    "\t",
    "null",
    "'",
    "\\",
    "é",
    "👩‍👧",
  );
  const value = fc.oneof(
    cell,
    hostile,
    fc.tuple(hostile, cell, hostile).map((parts) => parts.join("")),
  );
  const columns = ["first_name", "city", "address1", "external_id"];
  const row = fc.record(Object.fromEntries(columns.map((name) => [name, value])), { requiredKeys: [] });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      async (rows, end, asCsv) => {
        round++;
        const profiles: Body[] = rows.map((fields, index) => ({
          email: `r${round}-${index}@x.test`,
          ...fields,
        }));
        expectImported(
          await (asCsv
            ? uploadCsv(printCsv(["email", ...columns], profiles, end), shop)
            : uploadJson(profiles, shop)),
          profiles.length,
        );
        const { data } = await listed(shop.admin, path, { search: `r${round}-`, limit: 100 });
        const stored = new Map(data.map((profile) => [profile.email, profile]));
        for (const fields of profiles)
          expect(columns.map((name) => stored.get(fields.email as string)?.[name] ?? null)).toEqual(
            columns.map((name) => fields[name] ?? null),
          );
      },
    ),
    seeded(30),
  );
});
