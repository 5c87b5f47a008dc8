/** An upload is taken in three media types, and a body that is none is refused. */
import { describe, expect, test } from "vitest";
import type { Answer } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { faults } from "../../support/records.ts";
import { type Body, everyField, expectImported, newEmail, printCsv, useUploads } from "./upload.setup.ts";

const { account, uploadJson, uploadCsv, uploadForm, findByEmail } = useUploads();

describe("three media types, answered with {imported: rows}", () => {
  const ways: [string, (rows: Body[]) => Promise<Answer>][] = [
    ["JSON {profiles: […]}", (rows) => uploadJson({ profiles: rows })],
    ["a bare JSON array", (rows) => uploadJson(rows)],
    ["text/csv", (rows) => uploadCsv(printCsv(Object.keys(rows[0]!), rows))],
    [
      "text/csv with a charset",
      (rows) => uploadCsv(printCsv(Object.keys(rows[0]!), rows), account, "Text/CSV; charset=UTF-8"),
    ],
    [
      "a form with a CSV file",
      (rows) =>
        uploadForm([
          ["file", new File([printCsv(Object.keys(rows[0]!), rows)], "p.csv", { type: "text/csv" })],
        ]),
    ],
    [
      "a form with CSV as a plain field",
      (rows) => uploadForm([["file", printCsv(Object.keys(rows[0]!), rows)]]),
    ],
    [
      "a form with a JSON file by its type",
      (rows) => uploadForm([["file", new File([JSON.stringify(rows)], "p", { type: "application/json" })]]),
    ],
    [
      "a form with a JSON file by its name",
      (rows) => uploadForm([["file", new File([JSON.stringify({ profiles: rows })], "P.JSON")]]),
    ],
  ];
  test.each(ways)("%s: every field of the create body", async (_, upload) => {
    const [one, two] = [newEmail(), newEmail()];
    expectImported(
      await upload([
        { email: one, ...everyField },
        { email: two, ...everyField, first_name: "Alan" },
      ]),
      2,
    );
    const { title, ip, ...shown } = everyField;
    expect(await findByEmail(one)).toMatchObject({ email: one, ...shown, full_name: "Grace Hopper" });
    expect(await findByEmail(two)).toMatchObject({ full_name: "Alan Hopper" });
    expect((await select("SELECT title, ip FROM profiles WHERE email = ?", one))[0]).toEqual({ title, ip });
  });

  test.each([
    ["application/xml", "<profiles/>"],
    ["text/plain", "email\na@b.test"],
    ["application/octet-stream", "email"],
  ])("%s is 415", async (type, raw) => {
    expect(faults(await uploadCsv(raw, account, type))).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  });

  test.each([
    ["no rows as JSON", () => uploadJson([])],
    ["no rows in an object", () => uploadJson({ profiles: [] })],
    ["a CSV of a header alone", () => uploadCsv("email,first_name\n")],
  ])("%s: {imported: 0}", async (_, upload) => {
    expectImported(await upload(), 0);
  });
});

describe("a form", () => {
  const file = () => new File([`email\n${newEmail()}`], "p.csv");
  test.each([
    ["without file", () => uploadForm([["other", "x"]])],
    [
      "with two files",
      () =>
        uploadForm([
          ["file", file()],
          ["file", file()],
        ]),
    ],
    [
      "with a field besides",
      () =>
        uploadForm([
          ["file", file()],
          ["account_id", "x"],
        ]),
    ],
    ["without a boundary", () => uploadCsv("x", account, "multipart/form-data")],
    [
      "whose parts are broken",
      () => uploadCsv("--b\r\nnonsense", account, "multipart/form-data; boundary=b"),
    ],
    ["whose JSON is not JSON", () => uploadForm([["file", new File(["{"], "p.json")]])],
    [
      "whose JSON holds a lone surrogate",
      () => uploadForm([["file", new File([`[{"email":"a@b.test","city":"\\ud800"}]`], "p.json")]]),
    ],
  ])("%s: 400", async (_, upload) => {
    expect((await upload()).status).toBe(400);
  });
});

describe("JSON bodies that are not an upload: 400", () => {
  test.each([
    ["null", null],
    ["a number", 7],
    ["a text", "email"],
    ["an object without profiles", {}],
    ["profiles that is no array", { profiles: {} }],
    ["another member", { profiles: [], dry_run: true }],
    ["rows that are no objects", [1, null, "x", []]],
  ])("%s", async (_, body) => {
    expect((faults(await uploadJson(body)) as unknown[]).slice(0, 2)).toEqual([400, "VALIDATION_FAILED"]);
  });
});
