/** An update of a profile changes the fields that it names, and what is derived from them. */
import { describe, expect, test } from "vitest";
import { api, type RequestOptions } from "../../support/client.ts";
import { faults } from "../../support/records.ts";
import { everyField, path, rowOf, useProfiles } from "./profiles.setup.ts";

const { account, create, change, get } = useProfiles();

describe("update: PUT changes only the fields it names; an explicit null clears a nullable one", () => {
  /** A change of the country is tested in countries.test.ts. */
  const { country: _country, country_code: _code, ...alone } = everyField;

  test.each(Object.entries(alone))("%s alone", async (name, value) => {
    const isListed = ["email_status", "sms_status", "locale"].includes(name);
    const profile = await create(isListed ? {} : { ...everyField, [name]: "before" });
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
    const profile = await create({ ...everyField, created_at: "2020-01-01T00:00:00Z" });
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
    const profile = await create(everyField);
    const { status, body } = await api(account.admin, "PUT", `${path}/${profile.id}`, options);
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

  test("each of several simultaneous updates that returns 200 is stored", async () => {
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
