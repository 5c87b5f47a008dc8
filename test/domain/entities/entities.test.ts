/** An entity is created with its fields as they were sent, and a faulty one is refused. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import { faults, type Merchant, openMerchant, profileOf, put } from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";

const path = "/api/subscriptions/entities";
type Body = Record<string, unknown>;

const merchant = useMerchant();
let owner: string;

async function newOwner(of: Merchant = merchant): Promise<string> {
  const profile = profileOf(of.of);
  await put("profiles", [profile]);
  return profile.id;
}
beforeAll(async () => {
  owner = await newOwner();
});

function least() {
  return { profile_id: owner, entity_type: "dog", name: "Biscuit" };
}

function post(body: unknown) {
  return api(merchant.of, "POST", path, { body });
}

async function create(body: Body = {}): Promise<Body & { id: string }> {
  const answer = await post({ ...least(), ...body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

function get(id: string) {
  return api(merchant.of, "GET", `${path}/${id}`);
}

function change(id: string, body?: unknown) {
  return api(merchant.of, "PUT", `${path}/${id}`, body === undefined ? {} : { body });
}

describe("create", () => {
  test("answers 200 {data: Entity}, the documented fields and no others", async () => {
    const { status, body } = await post(least());
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        name: "Biscuit",
        is_active: true,
        account_id: merchant.of.account.id,
        profile_id: owner,
        entity_type: "dog",
        image_url: null,
        wizard_id: null,
        attributes: "{}",
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: body.data.created_at,
      },
    });
    expect((await get(body.data.id)).body).toEqual(body);
  });

  test("takes all of its fields", async () => {
    const given = {
      image_url: "https://cdn.example.com/b.jpg?w=1#x",
      is_active: false,
      name: "B",
      entity_type: "t",
    };
    expect(await create(given)).toMatchObject(given);
  });

  test.each([
    ["a name of 255 characters", { name: "x".repeat(255) }],
    ["a name of 255 characters beyond the BMP", { name: "🐶".repeat(255) }],
    ["a type of 100 characters beyond the BMP", { entity_type: "🐶".repeat(100) }],
    ["any script", { name: "שלום \u202e'\"\\%_ e\u0301", entity_type: "型\n\t" }],
  ])("byte for byte: %s", async (_, given) => {
    const entity = await create(given);
    expect(entity).toMatchObject(given);
    expect((await get(entity.id)).body.data).toEqual(entity);
  });

  test.each([
    ["profile_id", { profile_id: undefined }],
    ["profile_id", { profile_id: null }],
    ["profile_id", { profile_id: 7 }],
    ["entity_type", { entity_type: undefined }],
    ["entity_type", { entity_type: "x".repeat(101) }],
    ["entity_type", { entity_type: "🐶".repeat(101) }],
    ["name", { name: undefined }],
    ["name", { name: null }],
    ["name", { name: "x".repeat(256) }],
    ["attributes", { attributes: null }],
    ["attributes", { attributes: [] }],
    ["attributes", { attributes: "{}" }],
    ["attributes", { attributes: 1 }],
    ["is_active", { is_active: "true" }],
    ["is_active", { is_active: 1 }],
    ["is_active", { is_active: null }],
    ["image_url", { image_url: null }],
    ["wizard_id", { wizard_id: "w" }],
    ["id", { id: newId() }],
    ["account_id", { account_id: newId() }],
  ])("400 that names %s: %o", async (name, body) => {
    expect(faults(await post({ ...least(), ...body }))).toEqual([400, "VALIDATION_FAILED", name]);
  });

  test("a profile_id that the account does not own: 400 UNKNOWN_PROFILE", async () => {
    const other = await openMerchant();
    const gone = await newOwner();
    await api(merchant.admin, "DELETE", `/api/profiles/${gone}`);
    for (const profile_id of [newId(), "nope", "", await newOwner(other), gone, "x".repeat(5000)])
      expect(faults(await post({ ...least(), profile_id })), profile_id.slice(0, 50)).toEqual([
        400,
        "UNKNOWN_PROFILE",
        "profile_id",
      ]);
  });
});

describe("attributes: a free-form object in, its JSON text out", () => {
  test.each([
    ["of every kind", '{"a":1,"b":[true,null,{"c":"x"}],"d":{"e":1.5},"f":-0.1}'],
    [
      "with __proto__, constructor and toString",
      '{"__proto__":{"polluted":true},"constructor":1,"toString":"x"}',
    ],
    ["with __proto__ inside", '{"a":{"__proto__":{"polluted":true}}}'],
    ["any text", JSON.stringify({ "🐶\u202e": "'\"\\%_\n\u0001e\u0301", "": "" })],
    ["keys in their order", '{"z":1,"a":2,"m":3}'],
    ["empty", "{}"],
    ["15,000 bytes", JSON.stringify({ long: "語".repeat(5_000) })],
    ["60 levels deep", `{"a":${"[".repeat(60)}${"]".repeat(60)}}`],
  ])("%s", async (_, text) => {
    const raw = JSON.stringify(least()).replace(/\}$/, `,"attributes":${text}}`);
    const { status, body } = await api(merchant.of, "POST", path, {
      raw,
      headers: { "Content-Type": "application/json" },
    });
    expect(status).toBe(200);
    expect(body.data.attributes).toBe(text);
    const changed = await api(merchant.of, "PUT", `${path}/${body.data.id}`, {
      raw: `{"attributes":${text}}`,
      headers: { "Content-Type": "application/json" },
    });
    expect(changed.body.data.attributes).toBe(text);
    expect((await get(body.data.id)).body.data.attributes).toBe(text);
    expect(({} as Body).polluted).toBeUndefined();
  });

  test("PUT replaces them whole, or leaves them alone", async () => {
    const { id } = await create({ attributes: { a: 1, b: 2 } });
    expect((await change(id, { attributes: { b: 3 } })).body.data.attributes).toBe('{"b":3}');
    expect((await change(id, { name: "x" })).body.data.attributes).toBe('{"b":3}');
    expect((await change(id, { attributes: {} })).body.data.attributes).toBe("{}");
  });
});

describe("image_url: an https address without credentials", () => {
  const refused = [
    "",
    "x",
    "http://a.test/x.jpg",
    "javascript:alert(1)",
    "data:image/png;base64,AA",
    "file:///etc/passwd",
    "ftp://a.test/x",
    "//a.test/x.jpg",
    "https://",
    "https://u:p@a.test/x",
    "https://u@a.test/x",
    `https://a.test/${"x".repeat(2048)}`,
    7,
  ];
  test.each(refused)("400: %s", async (image_url) => {
    expect(faults(await post({ ...least(), image_url }))).toEqual([400, "VALIDATION_FAILED", "image_url"]);
    const { id } = await create();
    expect(faults(await change(id, { image_url }))).toEqual([400, "VALIDATION_FAILED", "image_url"]);
  });

  test.each(["https://a.test/x.jpg", "https://a.test:8443/é?q=%20#f", "HTTPS://A.TEST/X"])(
    "taken and returned as sent: %s",
    async (image_url) => {
      expect(await create({ image_url })).toMatchObject({ image_url });
    },
  );

  test("PUT with null clears it", async () => {
    const { id } = await create({ image_url: "https://a.test/x.jpg" });
    expect((await change(id, { image_url: null })).body.data.image_url).toBeNull();
  });
});
