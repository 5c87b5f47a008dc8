import { beforeAll, describe, expect, test } from "vitest";
import { subscriptionStatuses } from "../../src/subscriptions/tables.ts";
import { api, type RequestOptions } from "../support/client.ts";
import { execute, select } from "../support/database.ts";
import { faults, listed, type Merchant, merchant, put, subscriptionOf } from "../support/records.ts";

const path = "/api/profiles";
type Body = Record<string, unknown>;

let own: Merchant;
let nth = 0;
beforeAll(async () => {
  own = await merchant();
});

const anEmail = () => `customer-${++nth}@customers.test`;
const post = (body: Body, as: Merchant = own) => api(as.admin, "POST", path, { body });
const create = async (body: Body = {}, as: Merchant = own): Promise<Body & { id: string }> => {
  const answer = await post({ email: anEmail(), ...body }, as);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const change = (id: string, body?: unknown) =>
  api(own.admin, "PUT", `${path}/${id}`, body === undefined ? {} : { body });
const get = (id: string) => api(own.admin, "GET", `${path}/${id}`);
const remove = (id: string) => api(own.admin, "DELETE", `${path}/${id}`);
const rowOf = async (id: unknown) => (await select("SELECT * FROM profiles WHERE id = ?", id as string))[0]!;

const nullable = [
  "first_name",
  "last_name",
  "phone_number",
  "external_id",
  "timezone",
  "address1",
  "address2",
  "city",
  "region",
  "country",
  "postal_code",
] as const;
const whole = {
  first_name: "Ada",
  last_name: "Lovelace",
  phone_number: "+44 20 7946 0958",
  external_id: "crm-1",
  timezone: "Europe/London",
  address1: "12 St James's Square",
  address2: "Flat 2",
  city: "London",
  region: "England",
  country: "United Kingdom",
  postal_code: "SW1Y 4JH",
  country_code: "GB",
  email_status: "subscribed",
  sms_status: "suppressed",
};
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("create", () => {
  test("with an email alone returns 200 {data: Profile}: the documented fields, null for those not sent", async () => {
    const email = "Only.Mail+tag@Customers.Test";
    const { status, body } = await post({ email });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        email,
        full_name: "",
        full_address: "",
        ...Object.fromEntries(nullable.map((name) => [name, null])),
        store_customer_id: null,
        email_status: null,
        sms_status: null,
        created_at: expect.stringMatching(instant),
        updated_at: body.data.created_at,
      },
    });
    expect((await get(body.data.id)).body).toEqual(body);
  });

  test("accepts all documented fields; title and ip are stored, not returned", async () => {
    const email = anEmail();
    const stamps = { created_at: "2020-02-29T12:00:00.000Z", updated_at: "2021-01-01T00:00:00.000Z" };
    const profile = await create({ email, ...whole, ...stamps, title: "Countess", ip: "192.0.2.7" });
    expect(profile).toEqual({
      id: profile.id,
      email,
      ...whole,
      ...stamps,
      store_customer_id: null,
      full_name: "Ada Lovelace",
      full_address: "12 St James's Square, Flat 2, London, England, SW1Y 4JH, United Kingdom",
    });
    expect(await rowOf(profile.id)).toMatchObject({
      title: "Countess",
      ip: "192.0.2.7",
      email_folded: email,
      revision: 1,
    });
  });

  test.each([
    [
      "a date-time with an offset is taken as UTC",
      { created_at: "2024-05-01T02:30:00+02:00" },
      "2024-05-01T00:30:00.000Z",
    ],
    ["a null created_at is now", { created_at: null, updated_at: null }, undefined],
    [
      "created_at alone is also updated_at",
      { created_at: "2023-01-01T00:00:00Z" },
      "2023-01-01T00:00:00.000Z",
    ],
  ])("%s", async (_, given, expected) => {
    const before = new Date().toISOString();
    const { created_at, updated_at } = await create(given);
    if (expected === undefined) expect((created_at as string) >= before).toBe(true);
    else expect(created_at).toBe(expected);
    expect(updated_at).toBe(created_at);
  });

  test("Idempotency-Key: the same request again replays, and creates no second profile", async () => {
    const options = { body: { email: anEmail() }, headers: { "Idempotency-Key": "profile-1" } };
    const first = await api(own.admin, "POST", path, options);
    const again = await api(own.admin, "POST", path, options);
    expect([again.status, again.text, again.headers.get("Idempotency-Replayed")]).toEqual([
      200,
      first.text,
      "true",
    ]);
  });
});

describe("derived fields", () => {
  test.each([
    [{ first_name: "Ada", last_name: null }, "Ada"],
    [{ first_name: null, last_name: "Lovelace" }, "Lovelace"],
    [{ first_name: "", last_name: "" }, ""],
    [{ first_name: "", last_name: "Lovelace" }, "Lovelace"],
    [{ first_name: "María José", last_name: "de la Cruz" }, "María José de la Cruz"],
  ])('full_name: first and last name joined, "" if none: %j', async (given, full_name) => {
    expect((await create(given)).full_name).toBe(full_name);
  });

  test.each([
    [{ city: "Paris" }, "Paris"],
    [{ address1: "1", address2: "", city: null, region: "R", country: "C", postal_code: "P" }, "1, R, P, C"],
    [{ address2: "2", country: "C" }, "2, C"],
  ])("full_address: the non-empty parts in order joined by a comma: %j", async (given, full_address) => {
    expect((await create({ country_code: "XX", ...given })).full_address).toBe(full_address);
  });
});

describe("a value that is not valid: 400 that names its field", () => {
  const long = "x".repeat(10_001);
  const cases: [string, Body][] = [
    ["email", { email: undefined }],
    ["email", { email: null }],
    ["email", { email: 1 }],
    ["email", { email: "" }],
    ["email", { email: "nobody" }],
    ["email", { email: "@customers.test" }],
    ["email", { email: "a@" }],
    ["email", { email: "a b@customers.test" }],
    ["email", { email: " a@customers.test" }],
    ["email", { email: "a@customers.test\n" }],
    ["email", { email: "a@b@customers.test" }],
    ["email", { email: "Ada <a@customers.test>" }],
    ["email", { email: `${"x".repeat(320)}@customers.test` }],
    ["email_status", { email_status: "SUBSCRIBED" }],
    ["email_status", { email_status: "" }],
    ["sms_status", { sms_status: "yes" }],
    ["created_at", { created_at: "2024-05-01" }],
    ["created_at", { created_at: "2024-05-01T00:00:00" }],
    ["created_at", { created_at: "2024-02-30T00:00:00Z" }],
    ["created_at", { created_at: 1_700_000_000 }],
    ["updated_at", { updated_at: "yesterday" }],
    ...nullable.flatMap((name): [string, Body][] => [
      [name, { [name]: 1 }],
      [name, { [name]: long }],
      [name, { [name]: { a: 1 } }],
    ]),
    ["title", { title: long }],
    ["ip", { ip: [] }],
    ["country_code", { country_code: 7 }],
    ...[
      "id",
      "account_id",
      "full_name",
      "full_address",
      "store_customer_id",
      "deleted_at",
      "revision",
      "seq",
      "email_folded",
      "__proto__x",
    ].map((name): [string, Body] => [name, { [name]: "x" }]),
  ];
  test.each(cases)("%s: %o", async (name, given) => {
    const answer = await post({ email: anEmail(), ...given });
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", name]);
  });

  test.each([["created_at"], ["updated_at"]])(
    "an instant beyond the years of a four-digit calendar breaks the shape of %s",
    async (name) => {
      for (const value of ["9999-12-31T23:59:59-12:00", "0000-01-01T00:00:00+12:00"]) {
        const answer = await post({ email: anEmail(), [name]: value });
        if (answer.status === 200) expect(answer.body.data[name], value).toMatch(instant);
        else expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", name]);
      }
    },
  );
});

describe("text is returned byte for byte", () => {
  test.each([
    ["emoji", "👩‍👩‍👧‍👦🏳️‍🌈"],
    ["right to left, with marks of direction", "\u202eمرحبا\u202c שָׁלוֹם"],
    ["10,000 characters", "ж".repeat(10_000)],
    ["10,000 characters beyond the BMP", "𠮷".repeat(10_000)],
    ["combining marks, not composed", "e\u0301 a\u030a Z̸̢̛a̴l̷g̸o̵"],
    ["composed", "é å"],
    ["control characters and line ends", "a\u0001\u001f\r\n\t\u2028\ufeffb"],
    ["blanks around", "  x \u00a0"],
    ["quotes, backslashes, SQL, HTML", `'"\\ '); DROP TABLE profiles; -- <b>%s</b> \${x} {{y}}`],
    ["the replacement character and noncharacters", "\ufffd\uffff\u{1ffff}"],
  ])("%s", async (_, value) => {
    const fields = Object.fromEntries(nullable.map((name) => [name, value]));
    const profile = await create(fields);
    expect(profile).toMatchObject(fields);
    expect((await get(profile.id)).body.data).toMatchObject({ ...fields, full_name: `${value} ${value}` });
    const { data } = await listed(own.admin, path, { email: profile.email as string });
    expect(data[0]).toEqual(profile);
  });
});

describe("update: PUT changes only the fields it names; an explicit null clears a nullable one", () => {
  test.each(Object.entries(whole))("%s alone", async (name, value) => {
    const profile = await create(
      name === "email_status" || name === "sms_status" ? {} : { ...whole, [name]: "before" },
    );
    const set = await change(profile.id, { [name]: value });
    expect(set.status, set.text).toBe(200);
    expect(set.body.data).toMatchObject({
      email: profile.email,
      created_at: profile.created_at,
      [name]: value,
    });
    const { [name]: _changed, updated_at: _at, full_name: _n, full_address: _a, ...others } = profile;
    expect(set.body.data).toMatchObject(others);
    const cleared = await change(profile.id, { [name]: null });
    expect(cleared.status, cleared.text).toBe(200);
    expect(cleared.body.data[name] ?? null).toBeNull();
    expect((await rowOf(profile.id))[name]).toBeNull();
    expect((await get(profile.id)).body).toEqual(cleared.body);
  });

  test("derived fields and updated_at change too; created_at stays", async () => {
    const profile = await create({ ...whole, created_at: "2020-01-01T00:00:00Z" });
    const { body } = await change(profile.id, {
      last_name: "King",
      city: null,
      title: "Dr",
      ip: "192.0.2.1",
    });
    expect(body.data).toMatchObject({
      full_name: "Ada King",
      full_address: "12 St James's Square, Flat 2, England, SW1Y 4JH, United Kingdom",
      created_at: "2020-01-01T00:00:00.000Z",
    });
    expect(body.data.updated_at > "2026").toBe(true);
    expect(await rowOf(profile.id)).toMatchObject({ title: "Dr", ip: "192.0.2.1", revision: 2 });
  });

  test.each([
    ["no body", {}],
    ["{}", { body: {} }],
  ] as [string, RequestOptions][])("%s changes nothing", async (_, options) => {
    const profile = await create(whole);
    const { status, body } = await api(own.admin, "PUT", `${path}/${profile.id}`, options);
    expect(status).toBe(200);
    expect({ ...body.data, updated_at: null }).toEqual({ ...profile, updated_at: null });
  });

  test.each([
    ["email", { email: null }],
    ["email", { email: "nobody" }],
    ["created_at", { created_at: "2020-01-01T00:00:00Z" }],
    ["updated_at", { updated_at: null }],
    ["sms_status", { sms_status: "maybe" }],
    ["city", { city: "x".repeat(10_001) }],
    ["nickname", { nickname: "x" }],
  ])("400 that names %s: %o, and nothing is changed", async (name, body) => {
    const profile = await create();
    expect(faults(await change(profile.id, { first_name: "Eve", ...body }))).toEqual([
      400,
      "VALIDATION_FAILED",
      name,
    ]);
    expect((await get(profile.id)).body.data).toEqual(profile);
  });

  test("many at once: each update that returns 200 is stored, none is lost", async () => {
    const profile = await create();
    const fields = ["first_name", "last_name", "city", "region", "country", "title"];
    const answers = await Promise.all(fields.map((name) => change(profile.id, { [name]: name })));
    const row = await rowOf(profile.id);
    for (const [index, { status, body }] of answers.entries()) {
      if (status === 200) expect(row[fields[index]!]).toBe(fields[index]);
      else expect(body.errorCode).toBe("VERSION_CONFLICT");
    }
    expect(row.revision).toBe(1 + answers.filter(({ status }) => status === 200).length);
  });
});

describe("e-mail: unique by its lower-case form among an account's profiles that are not deleted (EMAIL_TAKEN)", () => {
  const taken = [409, "EMAIL_TAKEN"];

  test("the same address in any case is taken, and an address is returned as sent", async () => {
    const profile = await create({ email: "Mixed.Case@Customers.Test" });
    expect(profile.email).toBe("Mixed.Case@Customers.Test");
    for (const email of [
      "Mixed.Case@Customers.Test",
      "mixed.case@customers.test",
      "MIXED.CASE@CUSTOMERS.TEST",
    ])
      expect(faults(await post({ email }))).toEqual(taken);
  });

  test("another account's e-mail is free", async () => {
    const { email } = await create();
    const other = await merchant();
    expect((await create({ email }, other)).email).toBe(email);
  });

  test("an update to another's e-mail is refused, to its own in another case is not", async () => {
    const [one, two] = [await create(), await create()];
    expect(faults(await change(two.id, { email: (one.email as string).toUpperCase() }))).toEqual(taken);
    expect((await get(two.id)).body.data).toEqual(two);
    const { status, body } = await change(two.id, { email: (two.email as string).toUpperCase() });
    expect([status, body.data.email]).toEqual([200, (two.email as string).toUpperCase()]);
  });

  test("an update frees the former e-mail, a delete frees it too", async () => {
    const one = await create();
    await change(one.id, { email: anEmail() });
    const two = await create({ email: one.email });
    expect((await remove(two.id)).status).toBe(204);
    const three = await create({ email: one.email });
    expect(three.id).not.toBe(two.id);
  });

  test("of 20 creations at once exactly one wins", async () => {
    const email = anEmail();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ email })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(409)]);
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(faults(answer)).toEqual(taken);
    expect((await listed(own.admin, path, { email })).meta.total).toBe(1);
  });

  test("of 10 updates to one e-mail at once exactly one wins", async () => {
    const profiles = await Promise.all(Array.from({ length: 10 }, () => create()));
    const email = anEmail();
    const answers = await Promise.all(profiles.map(({ id }) => change(id, { email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect((await listed(own.admin, path, { email })).meta.total).toBe(1);
  });
});

describe("delete is soft", () => {
  test("204 without a body; then no response shows the profile, but its row stays", async () => {
    const profile = await create();
    const { status, text } = await remove(profile.id);
    expect([status, text]).toEqual([204, ""]);
    for (const answer of [await get(profile.id), await change(profile.id, {}), await remove(profile.id)])
      expect(faults(answer)).toEqual([404, "NOT_FOUND"]);
    for (const below of ["activity", "addresses"])
      expect((await api(own.admin, "GET", `${path}/${profile.id}/${below}`)).status, below).toBe(404);
    expect((await listed(own.admin, path, { email: profile.email as string })).data).toEqual([]);
    expect((await rowOf(profile.id)).deleted_at).toMatch(instant);
  });

  test.each(
    subscriptionStatuses.map(
      (status) => [status, ["ACTIVE", "PAUSED", "PAYMENT_FAILED"].includes(status)] as const,
    ),
  )("with a subscription that is %s: refused (PROFILE_IN_USE): %s", async (status, refused) => {
    const profile = await create();
    await put("subscriptions", [
      subscriptionOf(own.of, profile.id, { status: "CANCELLED" }),
      subscriptionOf(own.of, profile.id, { status }),
    ]);
    const answer = await remove(profile.id);
    expect(answer.status).toBe(refused ? 409 : 204);
    if (!refused) return;
    expect(faults(answer)).toEqual([409, "PROFILE_IN_USE"]);
    expect((await get(profile.id)).body.data).toEqual(profile);
    await execute("UPDATE subscriptions SET status = 'EXPIRED' WHERE profile_id = ?", profile.id);
    expect((await remove(profile.id)).status).toBe(204);
  });

  test("of ten deletions at once one deletes, and the others find nothing", async () => {
    const { id } = await create();
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
  });
});
