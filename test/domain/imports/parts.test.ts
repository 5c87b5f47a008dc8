/** An import takes the parts of a file in any order, replaces one of the same number, and refuses what it cannot read. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256Hex } from "../../../src/base/lib/encoding.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { api, deployment } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { faults, seeded } from "../../support/records.ts";
import { inDays, type Json, openShop, type Shop } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { limitedKey } from "../../support/tenant.ts";
import { useWorker } from "../../support/worker.ts";
import {
  begin,
  csv,
  fileOf,
  jobOf,
  jsonLines,
  must,
  outcomesOf,
  path,
  putPart,
  rowOf,
  rowsOf,
  start,
} from "./imports.ts";

const worker = useWorker();

/** The fault of a part, as path and message. */
function faultOf({ status, body }: { status: number; body: Json }): [number, string, string] {
  return [status, body.details?.[0]?.path, body.details?.[0]?.message];
}

async function digestOf(text: string, algorithm = "SHA-256"): Promise<string> {
  const digest = await crypto.subtle.digest(algorithm, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

function utf16(text: string, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  for (const [nth, unit] of [..."\ufeff", ...text].join("").split("").entries())
    view.setUint16(2 * nth, unit.charCodeAt(0), isLittle);
  return bytes;
}

describe("beginning an import", () => {
  test("answers 202 with its job, in which parts are put; a dry run begins none", async () => {
    const shop = await openShop();
    const body = { source: "old-shop", format: "csv", charge_from: inDays(1) };
    const dry = await api(shop.api, "POST", path, { body, query: { dry_run: true } });
    expect([dry.status, dry.body.data.status]).toEqual([200, "STAGING"]);
    const { status, headers, body: answer } = await api(shop.api, "POST", path, { body });
    expect([status, headers.get("Location")]).toEqual([202, `/api/jobs/${answer.data.id}`]);
    expect(answer.data).toMatchObject({ kind: "IMPORT", status: "STAGING", total: 0, started_at: null });
    const { meta } = must(await api(shop.api, "GET", "/api/jobs", { query: { kind: "IMPORT" } }));
    expect(meta.total).toBe(1);
  });

  test("refuses what it cannot keep", async () => {
    const shop = await openShop();
    const ask = async (more: object) =>
      faultOf(
        await api(shop.api, "POST", path, {
          body: { source: "s", format: "csv", charge_from: inDays(5), ...more },
        }),
      );
    expect(await ask({ charge_from: inDays(0) })).toEqual([
      400,
      "charge_from",
      `must be from ${inDays(1)} on`,
    ]);
    expect(await ask({ charge_from: undefined })).toEqual([400, "charge_from", "is required"]);
    expect(await ask({ source: "" })).toEqual([400, "source", "must have at least 1 character"]);
    expect(await ask({ mapping: { emial: "E-mail" } })).toEqual([
      400,
      "mapping.emial",
      "unknown field, did you mean email?",
    ]);
    expect(await ask({ mapping: { email: "A", sku: "A" } })).toEqual([
      400,
      "mapping",
      "names one column for two fields",
    ]);
    expect((await ask({ format: "orders", charge_from: undefined }))[0]).toBe(202);
    const key = await limitedKey(shop.of, ["jobs:write", "subscriptions:write"]);
    const refused = await api(key, "POST", path, {
      body: { source: "s", format: "csv", charge_from: inDays(5) },
    });
    expect([refused.status, refused.text.includes("profiles:write")]).toEqual([403, true]);
  });
});

describe("a part", () => {
  test("replaces the one of its number, and no other", async () => {
    const shop = await openShop();
    const id = await begin(shop);
    const put = async (n: number, refs: string[]) =>
      must(await putPart(shop, id, fileOf(refs.map((ref) => rowOf(shop, ref))), { n })).data.summary.rows;
    expect(await put(1, ["a", "b"])).toBe(2);
    expect(await put(250, ["c"])).toBe(3);
    expect(await put(1, ["d"])).toBe(2);
    expect(await put(1, ["d"])).toBe(2);
    await start(shop, worker, id, false);
    expect((await rowsOf(shop, id)).map(({ key }) => key)).toEqual(["d", "c"]);
    for (const n of ["0", "251", "01", "x"])
      expect((await putPart(shop, id, "a", { n: n as never })).status, n).toBe(404);
    await start(shop, worker, id, true);
    const late = await putPart(shop, id, fileOf([rowOf(shop, "e")]));
    expect([late.status, late.body.errorCode]).toEqual([409, "INVALID_STATE"]);
  });

  const wanted = { note: 'a "quote", a ; and a line\r\nbreak', sku: "Ünïcode 😀", product_title: "=SUM(A1)" };

  test("is read in each form that a spreadsheet saves it in", async () => {
    const shop = await openShop();
    const row = rowOf(shop, "a", wanted);
    const text = fileOf([row]);
    const semicolons = [Object.keys(row), Object.values(row)]
      .map((cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(";"))
      .join("\n");
    const files: [string, BodyInit, string?][] = [
      ["CRLF", text],
      ["LF", text.replaceAll("\r\n", "\n")],
      ["a byte order mark", `\ufeff${text}`],
      ["semicolons", semicolons],
      ["tabs", semicolons.replaceAll('";"', '"\t"')],
      ["UTF-16, the low byte first", utf16(text, true)],
      ["UTF-16, the high byte first", utf16(text, false)],
      ["JSON lines", `\ufeff${JSON.stringify(row)}\r\n\r\n`, jsonLines],
    ];
    for (const [name, file, type] of files) {
      const id = await begin(shop);
      must(await putPart(shop, id, file, type ? { type } : {}));
      const [{ line }] = (await select<{ line: string }>(
        "SELECT line FROM import_lines WHERE job_id = ?",
        id,
      )) as [{ line: string }];
      const { fields } = JSON.parse(line);
      const note = name === "LF" ? wanted.note.replace("\r\n", "\n") : wanted.note;
      expect([fields.note, fields.sku, fields.product_title], name).toEqual([
        note,
        wanted.sku,
        wanted.product_title,
      ]);
    }
  });

  test("is refused whole for what cannot be read of it", async () => {
    const shop = await openShop();
    const id = await begin(shop);
    const stripe = await begin(shop, { format: "stripe" });
    const shopify = await begin(shop, { format: "shopify" });
    const columns = Array.from({ length: 80_000 }, (_, nth) => `c${nth}`).join(",");
    const refused: [string, string, BodyInit, [string, string], string?][] = [
      [
        id,
        "an unknown column",
        "subscription_ref,emial\na,b\n",
        ["emial", "is not a column of this format, did you mean email?"],
      ],
      [id, "a column twice", "email,email\na,b\n", ["email", "is a column more than once"]],
      [id, "80,000 columns", columns, ["c0", "is not a column of this format"]],
      [id, "no rows", "subscription_ref,email\n", ["", "has no rows"]],
      [
        id,
        "an endless line",
        `subscription_ref,email\n"${"x".repeat(1_200_000)}`,
        ["rows.0", "must have at most 1000000 bytes"],
      ],
      [
        id,
        "an endless line of JSON",
        `{"email":"${"x".repeat(1_200_000)}"}`,
        ["rows.0", "must have at most 1000000 bytes"],
        jsonLines,
      ],
      [id, "a short row", "subscription_ref,email\na\n", ["rows.0", "must have as many cells as the header"]],
      [id, "an open quote", 'subscription_ref,email\n"a,b\n', ["rows.0", "has a quote that is not closed"]],
      [id, "other bytes", new Uint8Array([0x61, 0xff, 0x0a]), ["", "is not UTF-8"]],
      [
        id,
        "UTF-16 without a mark",
        utf16("email\na", true).slice(2),
        ["", "is not UTF-8: save the file as UTF-8, or as UTF-16 with a byte order mark"],
      ],
      [id, "a line that is no JSON", '{"subscription_ref":"a"}\nx\n', ["rows.1", "is not JSON"], jsonLines],
      [id, "a line that is no object", "[]\n", ["rows.0", "must be an object that has members"], jsonLines],
      [
        id,
        "an object without members",
        '{"email":"a"}\n{}\n',
        ["rows.1", "must be an object that has members"],
        jsonLines,
      ],
      [
        id,
        "an unknown member",
        '{"emial":"a"}\n',
        ["emial", "is not a column of this format, did you mean email?"],
        jsonLines,
      ],
      [
        stripe,
        "CSV of Stripe",
        "id\n1\n",
        ["", "is CSV, and the format stripe is read as application/x-ndjson"],
      ],
      [
        shopify,
        "JSON of Shopify",
        "{}\n",
        ["", "is JSON lines, and the format shopify is read as text/csv"],
        jsonLines,
      ],
    ];
    for (const [job, name, file, [at, message], type] of refused)
      expect(faultOf(await putPart(shop, job, file, type ? { type } : {})), name).toEqual([400, at, message]);
    expect((await jobOf(shop, id)).summary.rows).toBe(0);
    expect(await select("SELECT * FROM import_lines WHERE job_id IN (?, ?)", id, stripe)).toEqual([]);
    expect(
      await select(
        "SELECT id FROM profile_uploads WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        shop.of.account.id,
      ),
    ).toEqual([]);
  });

  test("with more rows than the import has room for is refused before any of it is written", async () => {
    const shop = await openShop();
    const id = await begin(shop);
    must(await putPart(shop, id, fileOf([rowOf(shop, "a")])));
    await execute("UPDATE import_parts SET row_count = 199_999 WHERE job_id = ?", id);
    let writes = 0;
    const DB = interrupted(/insert into "?profile_uploads/i, {
      before: async () => void writes++,
    });
    const put = (refs: string[]) =>
      deployment({ DB })<Json>(shop.api, "PUT", `${path}/${id}/parts/2`, {
        raw: fileOf(refs.map((ref) => rowOf(shop, ref, { note: "two\r\nlines" }))),
        headers: { "Content-Type": csv },
      });
    expect(faultOf(await put(["b", "c"]))).toEqual([400, "", "makes more than 200000 rows of the import"]);
    expect(writes).toBe(0);
    expect((await put(["b"])).body.data.summary.rows).toBe(200_000);
    expect(writes).toBe(1);
  });

  test("lacks no column that a field is mapped to", async () => {
    const shop = await openShop();
    const id = await begin(shop, { mapping: { email: "E-mail", sku: "Article", note: "Remark" } });
    const { body, status } = await putPart(shop, id, "subscription_ref,E-mail\na,b\n");
    const lacks = (field: string, column: string) => ({
      path: `mapping.${field}`,
      message: `must name a column of the file, which has none called "${column}"`,
    });
    expect([status, body.details]).toEqual([400, [lacks("sku", "Article"), lacks("note", "Remark")]]);
    must(await putPart(shop, id, "subscription_ref,E-mail,Article,Remark\na,b,,\n"));
  });

  test("has the digest that is sent with it", async () => {
    const shop = await openShop();
    const id = await begin(shop);
    const file = fileOf([rowOf(shop, "a")]);
    const put = async (digest: string) =>
      faultOf(await putPart(shop, id, file, { headers: { "Content-Digest": digest } }));
    expect(await put(`sha-256=:${await digestOf("other")}:`)).toEqual([
      400,
      "Content-Digest",
      "is not the digest of the body",
    ]);
    expect(await put("md5=:AAAA:")).toEqual([
      400,
      "Content-Digest",
      "must be sha-256=:…: or sha-512=:…:, in base64",
    ]);
    expect((await put(`md5=:AAAA:, sha-256=:${await digestOf(file)}:`))[0]).toBe(200);
    expect((await put(`SHA-512=:${await digestOf(file, "SHA-512")}:`))[0]).toBe(200);
  });

  test("of a file of ours ends with its digest, so that a cut is seen", async () => {
    const shop = await openShop();
    const id = await begin(shop, { format: "perennial" });
    const line = `${JSON.stringify(rowOf(shop, "a"))}\n`;
    const end = async (rows: number, text = line) =>
      `{"end":true,"rows":${rows},"sha256":"${await sha256Hex(text)}"}\n`;
    const cut = "is not what was exported: its last line names another number of rows, or another digest";
    expect(faultOf(await putPart(shop, id, line + (await end(2)), { type: jsonLines }))).toEqual([
      400,
      "",
      cut,
    ]);
    expect(faultOf(await putPart(shop, id, line + (await end(1, "x")), { type: jsonLines }))).toEqual([
      400,
      "",
      cut,
    ]);
    must(await putPart(shop, id, line + (await end(1)), { type: jsonLines }));
    const csv = fileOf([rowOf(shop, "a")]);
    expect(faultOf(await putPart(shop, id, `${csv}# end,1,${"0".repeat(64)}\r\n`))).toEqual([400, "", cut]);
    must(await putPart(shop, id, `${csv}# end,1,${await sha256Hex(csv)}\r\n`));
  });

  test("takes a mapping of columns, and defaults of fields that a row leaves empty", async () => {
    const shop = await openShop();
    const mapping = { subscription_ref: "Subscription #", email: "E-mail" };
    const id = await begin(shop, {
      mapping,
      defaults: { billing_interval: "WEEK", quantity: 3, selling_plan_id: shop.plan },
    });
    const rows = [
      {
        "Subscription #": "'-1",
        "E-mail": "ada@example.com",
        price: 2,
        store_product_id: "p",
        next_billing_date: inDays(9),
      },
    ];
    must(await putPart(shop, id, fileOf(rows)));
    await start(shop, worker, id, false);
    expect(
      (await rowsOf(shop, id)).map(({ key, status, summary }) => [key, status, summary.total_here]),
    ).toEqual([["'-1", "PENDING", 6]]);
  });

  test("of any text is read or refused, and never half taken", async () => {
    const shop = await openShop();
    const id = await begin(shop);
    const cell = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 6 }),
      fc.constantFrom(
        '"',
        ",",
        "\n",
        "\r\n",
        "\0",
        "'=1+1",
        "=1",
        "subscription_ref",
        "email",
        ";",
        "\ufeff",
        "{}",
      ),
    );
    const file = fc
      .array(
        fc.array(cell, { maxLength: 5 }).map((cells) => cells.join(",")),
        { maxLength: 6 },
      )
      .map((rows) => rows.join("\n"));
    await fc.assert(
      fc.asyncProperty(file, fc.constantFrom("text/csv", jsonLines), async (text, type) => {
        const { status } = await putPart(shop, id, text.toWellFormed(), { type });
        expect([200, 400]).toContain(status);
      }),
      seeded(40),
    );
    const hostile = await begin(shop);
    must(
      await putPart(
        shop,
        hostile,
        fileOf([rowOf(shop, "a", { note: "x\0y" }), rowOf(shop, "b", { note: "n".repeat(30_000) })]),
      ),
    );
    await start(shop, worker, hostile, true);
    expect(await outcomesOf(shop, hostile)).toEqual({
      a: ["FAILED", "note must not contain NUL or lone surrogates"],
      b: ["FAILED", "note must have at most 25000 characters"],
    });
  });
});

test("another account's import does not exist", async () => {
  const [shop, other]: Shop[] = [await openShop(), await openShop()] as never;
  const id = await begin(shop!);
  expect((await putPart(other!, id, "email\na\n")).status).toBe(404);
  expect((await api(other!.api, "POST", `${path}/${id}/release`)).status).toBe(404);
  expect(faults(await api(shop!.api, "POST", `${path}/${id}/release`))).toBeDefined();
});
