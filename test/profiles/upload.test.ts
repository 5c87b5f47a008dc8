import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import worker from "../../src/worker.ts";
import { type Answer, api, deployment } from "../support/client.ts";
import { execute, select } from "../support/database.ts";
import {
  faults,
  listed,
  type Merchant,
  merchant,
  profileOf,
  put,
  seeded,
  usageOf,
} from "../support/records.ts";
import { interrupted } from "../support/slow-database.ts";
import { rowsOf } from "../support/snapshot.ts";

const path = "/api/profiles";
type Body = Record<string, unknown>;

let own: Merchant;
beforeAll(async () => {
  own = await merchant();
});

let nth = 0;
const anEmail = () => `upload-${++nth}@customers.test`;
const json = (body: unknown, as: Merchant = own) => api(as.admin, "POST", `${path}/bulk-upload`, { body });
const csv = (raw: string | Uint8Array<ArrayBuffer>, as: Merchant = own, type = "text/csv") =>
  api(as.admin, "POST", `${path}/bulk-upload`, { raw, headers: { "Content-Type": type } });
const form = (fields: [string, string | File][], as: Merchant = own) => {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return api(as.admin, "POST", `${path}/bulk-upload`, { raw: data });
};
const byEmail = async (email: string, as: Merchant = own): Promise<Body | undefined> =>
  (await listed(as.admin, path, { email })).data[0];
const imported = (answer: Answer, rows: number) => {
  expect([answer.status, answer.body], answer.text).toEqual([200, { imported: rows }]);
};
const totalOf = async (as: Merchant) => (await listed(as.admin, path, { limit: 1 })).meta.total;

const whole = {
  email_status: "subscribed",
  sms_status: "unsubscribed",
  first_name: "Grace",
  last_name: "Hopper",
  title: "Rear Admiral",
  phone_number: "+1 202 555 0147",
  external_id: "crm-7",
  address1: "1 Navy Yard",
  address2: "B",
  city: "Washington",
  country: "United States",
  country_code: "US",
  region: "DC",
  postal_code: "20374",
  timezone: "America/New_York",
  ip: "192.0.2.1",
  created_at: "2020-01-01T00:00:00.000Z",
  updated_at: "2021-01-01T00:00:00.000Z",
};

/** What is done with megabytes takes its time on a machine that is busy. */
const slow = { timeout: 30_000 };

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const printCsv = (columns: string[], rows: Body[], end = "\r\n"): string =>
  [columns, ...rows.map((row) => columns.map((name) => quoted(String(row[name] ?? ""))))]
    .map((cells) => cells.join(","))
    .join(end);

describe("three media types, answered with {imported: rows}", () => {
  const ways: [string, (rows: Body[]) => Promise<Answer>][] = [
    ["JSON {profiles: […]}", (rows) => json({ profiles: rows })],
    ["a bare JSON array", (rows) => json(rows)],
    ["text/csv", (rows) => csv(printCsv(Object.keys(rows[0]!), rows))],
    [
      "text/csv with a charset",
      (rows) => csv(printCsv(Object.keys(rows[0]!), rows), own, "Text/CSV; charset=UTF-8"),
    ],
    [
      "a form with a CSV file",
      (rows) =>
        form([["file", new File([printCsv(Object.keys(rows[0]!), rows)], "p.csv", { type: "text/csv" })]]),
    ],
    ["a form with CSV as a plain field", (rows) => form([["file", printCsv(Object.keys(rows[0]!), rows)]])],
    [
      "a form with a JSON file by its type",
      (rows) => form([["file", new File([JSON.stringify(rows)], "p", { type: "application/json" })]]),
    ],
    [
      "a form with a JSON file by its name",
      (rows) => form([["file", new File([JSON.stringify({ profiles: rows })], "P.JSON")]]),
    ],
  ];
  test.each(ways)("%s: every field of the create body", async (_, upload) => {
    const [one, two] = [anEmail(), anEmail()];
    imported(
      await upload([
        { email: one, ...whole },
        { email: two, ...whole, first_name: "Alan" },
      ]),
      2,
    );
    const { title, ip, ...shown } = whole;
    expect(await byEmail(one)).toMatchObject({ email: one, ...shown, full_name: "Grace Hopper" });
    expect(await byEmail(two)).toMatchObject({ full_name: "Alan Hopper" });
    expect((await select("SELECT title, ip FROM profiles WHERE email = ?", one))[0]).toEqual({ title, ip });
  });

  test.each([
    ["application/xml", "<profiles/>"],
    ["text/plain", "email\na@b.test"],
    ["application/octet-stream", "email"],
  ])("%s is 415", async (type, raw) => {
    expect(faults(await csv(raw, own, type))).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  });

  test.each([
    ["no rows as JSON", () => json([])],
    ["no rows in an object", () => json({ profiles: [] })],
    ["a CSV of a header alone", () => csv("email,first_name\n")],
  ])("%s: {imported: 0}", async (_, upload) => {
    imported(await upload(), 0);
  });
});

describe("CSV (RFC 4180)", () => {
  test("BOM, CRLF, quotes, commas and line ends in cells, blank lines, order of columns", async () => {
    const [one, two] = [anEmail(), anEmail()];
    const text = `\ufefflast_name, email ,address1\r\n"O""Neill, Jr.",${one},"Line 1\r\nLine 2\nLine 3"\r\n\r\nم,${two}," kept "\r\n`;
    imported(await csv(text), 2);
    expect(await byEmail(one)).toMatchObject({
      last_name: 'O"Neill, Jr.',
      address1: "Line 1\r\nLine 2\nLine 3",
    });
    expect(await byEmail(two)).toMatchObject({ last_name: "م", address1: " kept " });
  });

  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("lines may end in %s", async (_, end) => {
    const email = anEmail();
    imported(await csv(`email,city${end}${email},Rome${end}`), 1);
    expect(await byEmail(email)).toMatchObject({ city: "Rome" });
  });

  test("an empty cell is an absent field: it clears nothing", async () => {
    const email = anEmail();
    await json([{ email, first_name: "Kept", city: "Kept" }]);
    imported(await csv(`email,first_name,city\n${email},,Changed`), 1);
    expect(await byEmail(email)).toMatchObject({ first_name: "Kept", city: "Changed" });
  });

  test.each([
    ["a column that is no field", `email,emial_status\n${anEmail()},x`, ["emial_status"]],
    ["and where there are no rows", "email,emial_status\n", ["emial_status"]],
    ["no column that is a field", "mail\n", ["mail"]],
    ["null", "null", ["null"]],
    ["an empty JSON array", "[]", ["[]"]],
    ["no header", "\n", [""]],
    [
      "store_customer_id, which create does not take",
      `email,store_customer_id\n${anEmail()},7`,
      ["store_customer_id"],
    ],
    ["no email column", "first_name\nAda", ["profiles.0.email"]],
    ["an empty email", `first_name,email\nAda,${anEmail()}\nEve,`, ["profiles.1.email"]],
    ["a column twice", `email,email\n${anEmail()},${anEmail()}`, ["email"]],
    ["a bad status", `email,sms_status\n${anEmail()},yes`, ["profiles.0.sms_status"]],
    ["a bad created_at", `email,created_at\n${anEmail()},2020-01-01`, ["profiles.0.created_at"]],
    ["__proto__ as a column", `email,__proto__\n${anEmail()},x`, ["__proto__"]],
    ["NUL", `email,city\n${anEmail()},a\u0000b`, ["profiles.0.city"]],
  ])("%s: 400, by row", async (_, text, paths) => {
    expect(faults(await csv(text))).toEqual([400, "VALIDATION_FAILED", ...paths]);
  });

  test.each([
    ["a row with too few cells", `email,city\n${anEmail()},Rome\n${anEmail()}`],
    ["a row with too many cells", `email,city\n${anEmail()},Rome,Italy`],
    ["a quote that is not closed", `email,city\n${anEmail()},"Rome`],
    ["a quote inside a cell", `email,city\n${anEmail()},Ro"me`],
  ])("%s: 400, and nothing is written", async (_, text) => {
    const before = await totalOf(own);
    expect((faults(await csv(text)) as unknown[]).slice(0, 2)).toEqual([400, "VALIDATION_FAILED"]);
    expect(await totalOf(own)).toBe(before);
  });

  test("CSV header = the create body's field names: another name is refused, also where its cells are empty", async () => {
    const email = anEmail();
    const answer = await csv(`email,frist_name\n${email},`);
    expect((faults(answer) as unknown[]).slice(0, 2)).toEqual([400, "VALIDATION_FAILED"]);
    expect(await byEmail(email)).toBeUndefined();
  });

  test("bytes that are not UTF-8: 400", async () => {
    const bytes = new Uint8Array([
      ...new TextEncoder().encode(`email,city\n${anEmail()},K`),
      0xf6,
      0x6c,
      0x6e,
    ]);
    const answer = await csv(bytes);
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", ""]);
    expect((answer.body as { error: string }).error).toContain("UTF-8");
  });
});

describe("a form", () => {
  const file = () => new File([`email\n${anEmail()}`], "p.csv");
  test.each([
    ["without file", () => form([["other", "x"]])],
    [
      "with two files",
      () =>
        form([
          ["file", file()],
          ["file", file()],
        ]),
    ],
    [
      "with a field besides",
      () =>
        form([
          ["file", file()],
          ["account_id", "x"],
        ]),
    ],
    ["without a boundary", () => csv("x", own, "multipart/form-data")],
    ["whose parts are broken", () => csv("--b\r\nnonsense", own, "multipart/form-data; boundary=b")],
    ["whose JSON is not JSON", () => form([["file", new File(["{"], "p.json")]])],
    [
      "whose JSON holds a lone surrogate",
      () => form([["file", new File([`[{"email":"a@b.test","city":"\\ud800"}]`], "p.json")]]),
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
    expect((faults(await json(body)) as unknown[]).slice(0, 2)).toEqual([400, "VALIDATION_FAILED"]);
  });
});

describe("upsert by email: a named field overwrites, an absent field keeps its value", () => {
  test("absent, null and empty; the rest stays; updated_at moves, id and created_at do not", async () => {
    const email = anEmail();
    const stored = (await api(own.admin, "POST", path, { body: { email, ...whole } })).body.data;
    imported(await json([{ email, first_name: "Amazing", last_name: null, city: "" }]), 1);
    const { updated_at, ...profile } = (await byEmail(email))!;
    expect(profile).toEqual({
      ...stored,
      first_name: "Amazing",
      last_name: null,
      city: "",
      full_name: "Amazing",
      full_address: "1 Navy Yard, B, DC, 20374, United States",
      updated_at: undefined,
    });
    expect((updated_at as string) > "2026").toBe(true);
    expect((await select("SELECT title, revision FROM profiles WHERE email = ?", email))[0]).toEqual({
      title: "Rear Admiral",
      revision: 2,
    });
  });

  test("e-mails match by their lower-case form, and the e-mail becomes the uploaded one", async () => {
    const email = anEmail();
    await json([{ email }]);
    const { id } = (await byEmail(email))!;
    imported(await json([{ email: email.toUpperCase() }]), 1);
    expect(await byEmail(email)).toMatchObject({ id, email: email.toUpperCase() });
  });

  test("a deleted profile is not changed: a new one is created", async () => {
    const email = anEmail();
    await json([{ email, first_name: "Old" }]);
    const { id } = (await byEmail(email))!;
    await api(own.admin, "DELETE", `${path}/${id}`);
    imported(await json([{ email }]), 1);
    const fresh = (await byEmail(email))!;
    expect(fresh.id).not.toBe(id);
    expect(fresh.first_name).toBeNull();
  });

  test("another account's profile with that e-mail is not changed", async () => {
    const other = await merchant();
    const email = anEmail();
    await json([{ email, first_name: "Theirs" }], other);
    imported(await json([{ email, first_name: "Ours" }]), 1);
    expect(await byEmail(email, other)).toMatchObject({ first_name: "Theirs" });
  });

  test("the same upload again changes updated_at only", async () => {
    const rows = [
      { email: anEmail(), first_name: "A" },
      { email: anEmail(), city: "B" },
    ];
    imported(await json(rows), 2);
    const before = await Promise.all(rows.map(({ email }) => byEmail(email)));
    imported(await json(rows), 2);
    const after = await Promise.all(rows.map(({ email }) => byEmail(email)));
    expect(after.map((one) => ({ ...one, updated_at: 0 }))).toEqual(
      before.map((one) => ({ ...one, updated_at: 0 })),
    );
  });

  test("Idempotency-Key: replayed", async () => {
    const options = { body: [{ email: anEmail() }], headers: { "Idempotency-Key": "upload-1" } };
    imported(await api(own.admin, "POST", `${path}/bulk-upload`, options), 1);
    const again = await api(own.admin, "POST", `${path}/bulk-upload`, options);
    imported(again, 1);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
  });
});

describe("all or nothing", () => {
  test("one bad row among good ones, new and known: nothing is written", async () => {
    const shop = await merchant();
    await json([{ email: "known@customers.test", city: "Before" }], shop);
    const rows: Body[] = Array.from({ length: 50 }, (_, index) => ({ email: `row-${index}@customers.test` }));
    rows.push({ email: "known@customers.test", city: "After" });
    rows[17] = { email: "nobody" };
    const before = await rowsOf(shop.of.account.id);
    expect(faults(await json(rows, shop))).toEqual([400, "VALIDATION_FAILED", "profiles.17.email"]);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
  });

  test("one email twice, in any case, is 400 that names the later rows", async () => {
    const email = anEmail();
    const rows = [{ email }, { email: anEmail() }, { email: email.toUpperCase() }, { email }];
    expect(faults(await json(rows))).toEqual([
      400,
      "VALIDATION_FAILED",
      "profiles.2.email",
      "profiles.3.email",
    ]);
    expect(await byEmail(email)).toBeUndefined();
    expect(faults(await csv(printCsv(["email"], rows)))).toEqual([
      400,
      "VALIDATION_FAILED",
      "profiles.2.email",
      "profiles.3.email",
    ]);
  });

  test("details name the first 100 faults, in order", async () => {
    const answer = await json(Array.from({ length: 150 }, () => ({ email: "nobody" })));
    const paths = Array.from({ length: 100 }, (_, index) => `profiles.${index}.email`);
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", ...paths]);
    const twice = await json(Array.from({ length: 150 }, () => ({ email: "twice@customers.test" })));
    expect((faults(twice) as unknown[]).slice(2)).toEqual(
      Array.from({ length: 100 }, (_, index) => `profiles.${index + 1}.email`),
    );
  });
});

describe("at most 10,000 rows, 10 MiB", () => {
  const rows = (count: number, more: Body = {}) =>
    Array.from({ length: count }, (_, index) => ({ email: `many-${index}@customers.test`, ...more }));

  test("10,000 rows are created, then changed, each in a few round trips", async () => {
    const shop = await merchant();
    const first = await usageOf(() => json(rows(10_000, { first_name: "Bulk" }), shop));
    imported(first.answer, 10_000);
    expect(first.db_round_trips).toBeLessThanOrEqual(12);
    expect(await totalOf(shop)).toBe(10_000);
    const columns = printCsv(["email", "last_name"], rows(10_000, { last_name: "Load" }));
    const second = await usageOf(() => csv(columns, shop));
    imported(second.answer, 10_000);
    expect(second.db_round_trips).toBeLessThanOrEqual(12);
    expect(await totalOf(shop)).toBe(10_000);
    expect(await byEmail("many-9999@customers.test", shop)).toMatchObject({ full_name: "Bulk Load" });
    expect((await listed(shop.admin, path, { search: "bulk load", limit: 1 })).meta.total).toBe(10_000);
  });

  test("10,001 rows: 400", async () => {
    const shop = await merchant();
    expect(faults(await json(rows(10_001), shop))).toEqual([400, "VALIDATION_FAILED", "profiles"]);
    expect((await csv(printCsv(["email"], rows(10_001)), shop)).status).toBe(400);
    expect(await totalOf(shop)).toBe(0);
  });

  test("more than 1 MiB is accepted, more than 10 MiB is 413", async () => {
    const shop = await merchant();
    const long = { city: "é".repeat(10_000), address1: "\u0001".repeat(10_000) };
    imported(await json(rows(100, long), shop), 100);
    expect(await byEmail("many-99@customers.test", shop)).toMatchObject(long);
    const tooMuch = "x".repeat(10 * 1024 * 1024);
    expect(faults(await csv(`email\n${tooMuch}`, shop))).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(faults(await json([tooMuch], shop))).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  test("other requests are answered during the largest upload", slow, async () => {
    const shop = await merchant();
    const lines = rows(10_000).map(({ email }) => `${email},${"x".repeat(990)}`);
    let done = false;
    const upload = csv(`email,address1\n${lines.join("\n")}`, shop).finally(() => {
      done = true;
    });
    let answered = 0;
    for (; !done; answered++) await listed(own.admin, path, { limit: 1 });
    imported(await upload, 10_000);
    expect(answered).toBeGreaterThan(5);
  });

  test("the longest possible row is accepted, and found", async () => {
    const shop = await merchant();
    const names = Object.keys(whole).filter((name) => !/_status$|_at$/.test(name));
    for (const character of ["\u0001", "🐶", '"']) {
      const row = {
        email: `longest-${names.length}@customers.test`,
        ...Object.fromEntries(names.map((name) => [name, character.repeat(10_000)])),
      };
      imported(await json([row], shop), 1);
      const { title, ip, ...shown } = row as Body;
      expect(await byEmail(row.email, shop)).toMatchObject(shown);
    }
  });
});

describe("staged rows", () => {
  const stagedOf = ({ of }: Merchant) =>
    select("SELECT id FROM profile_uploads WHERE account_id = ?", of.account.id);
  const upload = (
    as: Merchant,
    { matching, hooks }: { matching: RegExp; hooks: Parameters<typeof interrupted>[1] },
  ) =>
    deployment({ DB: interrupted(matching, hooks) })(as.admin, "POST", `${path}/bulk-upload`, {
      body: Array.from({ length: 5 }, (_, nth) => ({
        email: `staged-${nth}@customers.test`,
        address1: "x".repeat(10_000),
      })),
    });
  const applying = /^INSERT INTO guards/;
  const lost = () => Promise.reject(new Error("Network connection lost"));

  test("are deleted when they are applied", async () => {
    const shop = await merchant();
    imported(await json([{ email: anEmail() }], shop), 1);
    expect(await stagedOf(shop)).toEqual([]);
  });

  test("are visible to nobody before, and deleted if the request fails", async () => {
    const shop = await merchant();
    const seen: number[] = [];
    const before = async () => {
      seen.push((await stagedOf(shop)).length, await totalOf(shop));
      await lost();
    };
    expect((await upload(shop, { matching: applying, hooks: { before } })).status).toBe(503);
    expect(seen).toEqual([1, 0]);
    expect(await stagedOf(shop)).toEqual([]);
    expect(await totalOf(shop)).toBe(0);
  });

  test("of a request that died are deleted by cron within the hour, and only those", async () => {
    const shop = await merchant();
    expect((await upload(shop, { matching: /profile_uploads/, hooks: { after: lost } })).status).toBe(503);
    const stage = (id: string, at: number) =>
      execute(
        "INSERT INTO profile_uploads VALUES (?, ?, 0, '[]', ?)",
        id,
        shop.of.account.id,
        new Date(Date.now() - at).toISOString(),
      );
    await stage("old", 3_700_000);
    await stage("young", 1_000_000);
    await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), env);
    expect((await stagedOf(shop)).map(({ id }) => id)).not.toContain("old");
    expect((await stagedOf(shop)).map(({ id }) => id)).toContain("young");
  });

  test("no statement carries more than a piece, whatever is uploaded", slow, async () => {
    const shop = await merchant();
    const sizes: number[] = [];
    const { prepare } = env.DB;
    const DB = {
      batch: env.DB.batch.bind(env.DB),
      prepare(sql: string) {
        const statement = prepare.call(env.DB, sql);
        return Object.assign(Object.create(statement), {
          bind: (...values: unknown[]) => {
            sizes.push(...values.map((value) => String(value).length));
            return statement.bind(...values);
          },
        });
      },
    } as unknown as D1Database;
    const cell = "\u0001".repeat(10_000);
    const lines = Array.from({ length: 500 }, (_, nth) => `long-${nth}@customers.test,${cell},${cell}`);
    const raw = ["email,address1,address2", ...lines].join("\n");
    const headers = { "Content-Type": "text/csv" };
    const upload = deployment({ DB });
    imported(await upload(shop.admin, "POST", `${path}/bulk-upload`, { raw, headers }), 500);
    expect(Math.max(...sizes)).toBeLessThan(1_200_000);
    expect(await totalOf(shop)).toBe(500);
  });
});

describe("at once", () => {
  test("two uploads of the same new customers: each is 200 or VERSION_CONFLICT, and each customer exists once", async () => {
    const shop = await merchant();
    const rows = (first_name: string) =>
      Array.from({ length: 300 }, (_, index) => ({ email: `both-${index}@customers.test`, first_name }));
    const answers = await Promise.all([
      json(rows("One"), shop),
      json(rows("Two"), shop),
      json(rows("Three"), shop),
    ]);
    for (const answer of answers)
      if (answer.status !== 200) expect(faults(answer)).toEqual([409, "VERSION_CONFLICT"]);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await totalOf(shop)).toBe(300);
    const names = await select(
      "SELECT DISTINCT first_name AS name FROM profiles WHERE account_id = ?",
      shop.of.account.id,
    );
    expect(names).toHaveLength(1);
  });

  test("an upload and an update of one profile: neither loses the other's field", async () => {
    const shop = await merchant();
    const profile = profileOf(shop.of, { email: "race@customers.test" });
    await put("profiles", [profile]);
    const answers = await Promise.all([
      json([{ email: "race@customers.test", first_name: "Uploaded" }], shop),
      api(shop.admin, "PUT", `${path}/${profile.id}`, { body: { last_name: "Put" } }),
    ]);
    const after = (await byEmail("race@customers.test", shop))!;
    expect([after.first_name, after.last_name]).toEqual([
      answers[0].status === 200 ? "Uploaded" : null,
      answers[1].status === 200 ? "Put" : null,
    ]);
  });
});

test("values sent as CSV or JSON are returned byte for byte", slow, async () => {
  const shop = await merchant();
  const cell = fc
    .string({ unit: "binary", minLength: 1, maxLength: 12 })
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
        const given: Body[] = rows.map((fields, index) => ({
          email: `r${round}-${index}@x.test`,
          ...fields,
        }));
        imported(
          await (asCsv ? csv(printCsv(["email", ...columns], given, end), shop) : json(given, shop)),
          given.length,
        );
        const { data } = await listed(shop.admin, path, { search: `r${round}-`, limit: 100 });
        const stored = new Map(data.map((profile) => [profile.email, profile]));
        for (const fields of given)
          expect(columns.map((name) => stored.get(fields.email as string)?.[name] ?? null)).toEqual(
            columns.map((name) => fields[name] ?? null),
          );
      },
    ),
    seeded(30),
  );
});
