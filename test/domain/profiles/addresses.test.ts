/** An address of a profile is stored as it was sent, and an incomplete or foreign one is refused. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { faults, listed, profileOf, put } from "../../support/records.ts";
import { customer } from "../../support/tenant.ts";
import { useMerchant } from "../../support/use-account.ts";

type Body = Record<string, unknown>;

const merchant = useMerchant();
let owner: string;
let path: string;

async function newOwner(): Promise<string> {
  const profile = profileOf(merchant.of);
  await put("profiles", [profile]);
  return profile.id;
}
beforeAll(async () => {
  owner = await newOwner();
  path = `/api/profiles/${owner}/addresses`;
});

const least = {
  address1: "12 Elm Street",
  city: "Brooklyn",
  zip: "11201",
  country: "United States",
  country_code: "US",
};
const others = {
  address2: "Apt 4",
  phone: "+1 718 555 0100",
  first_name: "Ada",
  last_name: "Lovelace",
  company: "Engines Ltd",
  province: "New York",
  province_code: "NY",
};

function post(body: unknown, at = path) {
  return api(merchant.admin, "POST", at, { body });
}

async function create(body: Body = {}, at = path): Promise<Body & { id: string }> {
  const answer = await post({ ...least, ...body }, at);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

function change(id: unknown, body?: unknown) {
  return api(merchant.admin, "PUT", `${path}/${id}`, body === undefined ? {} : { body });
}

function remove(id: unknown) {
  return api(merchant.admin, "DELETE", `${path}/${id}`);
}
const nulls = Object.fromEntries(Object.keys(others).map((name) => [name, null]));

describe("delivery addresses of a profile have the fields of a delivery_address", () => {
  test("create with the required fields alone returns 201, and null for the others", async () => {
    const address = await create();
    expect(address).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      profile_id: owner,
      ...least,
      ...nulls,
      created_at: expect.stringMatching(/Z$/),
      updated_at: address.created_at,
    });
  });

  test("all fields are returned byte for byte", async () => {
    const odd = { ...others, company: "\u202e'\"\\%_🐶e\u0301", address2: "語".repeat(255) };
    const address = await create(odd);
    expect(address).toMatchObject({ ...least, ...odd });
    const { data } = await listed(merchant.admin, path, {});
    expect(data).toContainEqual(address);
  });

  test.each([
    ...["address1", "city", "zip"].map((name): [string, Body] => [name, { [name]: undefined }]),
    ...Object.keys(least).flatMap((name): [string, Body][] => [
      [name, { [name]: null }],
      [name, { [name]: "" }],
      [name, { [name]: "x".repeat(10_001) }],
    ]),
    ...Object.keys(others).flatMap((name): [string, Body][] => [
      [name, { [name]: 1 }],
      [name, { [name]: "x".repeat(10_001) }],
    ]),
    ["postal_code", { postal_code: "1" }],
    ["profile_id", { profile_id: "x" }],
    ["id", { id: newId() }],
  ])("400 that names %s: %o", async (name, body) => {
    expect(faults(await post({ ...least, ...body }))).toEqual([400, "VALIDATION_FAILED", name]);
  });

  /** A change of the country is tested in countries.test.ts. */
  const { country: _country, country_code: _code, ...alone } = { ...least, ...others };

  test.each(Object.entries(alone))("PUT changes only %s", async (name) => {
    const address = await create(others);
    const { status, body } = await change(address.id, { [name]: "changed" });
    expect(status).toBe(200);
    expect({ ...body.data, updated_at: 0 }).toEqual({ ...address, [name]: "changed", updated_at: 0 });
    const cleared = await change(address.id, { [name]: null });
    if (name in least) expect(faults(cleared)).toEqual([400, "VALIDATION_FAILED", name]);
    else expect(cleared.body.data[name]).toBeNull();
  });

  test("PUT without a body changes nothing", async () => {
    const address = await create(others);
    const { status, body } = await change(address.id);
    expect([status, { ...body.data, updated_at: 0 }]).toEqual([200, { ...address, updated_at: 0 }]);
  });

  test("the list is the profile's own, newest first, in pages", async () => {
    const mine = `/api/profiles/${await newOwner()}/addresses`;
    const made = [];
    for (const city of ["a", "b", "c"]) made.unshift((await create({ city }, mine)).id);
    const { data, meta } = await listed(merchant.admin, mine, { limit: 2 });
    expect(data.map(({ id }) => id)).toEqual(made.slice(0, 2));
    expect(meta).toMatchObject({ total: 3, last_page: 2, next_page_url: expect.stringContaining("cursor=") });
    expect((await listed(merchant.admin, mine, { limit: 2, page: 2 })).data.map(({ id }) => id)).toEqual(
      made.slice(2),
    );
    expect(faults(await api(merchant.admin, "GET", mine, { query: { limit: 101 } }))).toEqual([
      400,
      "VALIDATION_FAILED",
      "limit",
    ]);
    expect(faults(await api(merchant.admin, "GET", mine, { query: { city: "a" } }))).toEqual([
      400,
      "VALIDATION_FAILED",
      "city",
    ]);
  });

  test("delete is soft: 204, then no response shows it, but its row stays", async () => {
    const { id } = await create();
    const { status, text } = await remove(id);
    expect([status, text]).toEqual([204, ""]);
    expect(faults(await remove(id))).toEqual([404, "NOT_FOUND"]);
    expect(faults(await change(id, {}))).toEqual([404, "NOT_FOUND"]);
    expect((await listed(merchant.admin, path, { limit: 100 })).data.map((one) => one.id)).not.toContain(id);
    expect(
      await select("SELECT id FROM delivery_addresses WHERE id = ? AND deleted_at IS NOT NULL", id),
    ).toHaveLength(1);
  });

  test("under another profile, an unknown one, or with no valid id: 404", async () => {
    const { id } = await create();
    const other = await newOwner();
    for (const profile of [other, newId(), "nope", "%00"]) {
      const at = `/api/profiles/${profile}/addresses/${id}`;
      for (const method of ["PUT", "DELETE"] as const)
        expect(
          (await api(merchant.admin, method, at, method === "PUT" ? { body: { city: "x" } } : {})).status,
          at,
        ).toBe(404);
    }
    expect((await post(least, `/api/profiles/${newId()}/addresses`)).status).toBe(404);
    expect((await api(merchant.admin, "GET", `/api/profiles/${newId()}/addresses`)).status).toBe(404);
    for (const unknown of [newId(), "nope", "..%2f..", "x".repeat(500)])
      expect((await change(unknown, {})).status).toBe(404);
  });

  test("both credentials are required, and a customer may not read its own profile", async () => {
    expect((await api(merchant.of, "GET", path)).status).toBe(401);
    const shopper = await customer(merchant.of);
    const as = { credentials: { ...merchant.of.credentials, ...shopper.credentials } };
    const answer = await api(as, "GET", `/api/profiles/${shopper.profileId}/addresses`);
    expect(faults(answer)).toEqual([403, "FORBIDDEN"]);
  });
});
