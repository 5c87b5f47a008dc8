/** An entity is changed field by field, deleted softly, and listed in every order. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api, type RequestOptions } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { entityOf, faults, listed, type Merchant, profileOf, put } from "../../support/records.ts";
import { customer } from "../../support/tenant.ts";
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

function remove(id: string) {
  return api(merchant.of, "DELETE", `${path}/${id}`);
}

describe("update: PUT changes only the fields it names", () => {
  test.each([{ name: "B".repeat(255) }, { is_active: false }, { image_url: "https://a.test/y" }])(
    "%o",
    async (given) => {
      const entity = await create({ attributes: { a: 1 } });
      const { status, body } = await change(entity.id, given);
      expect(status).toBe(200);
      expect({ ...body.data, updated_at: 0, attributes: "" }).toEqual({
        ...entity,
        ...given,
        updated_at: 0,
        attributes: "",
      });
      expect(body.data.updated_at >= (entity.updated_at as string)).toBe(true);
      expect((await get(entity.id)).body).toEqual(body);
    },
  );

  test("without a body, or with {}: nothing", async () => {
    const entity = await create({ attributes: { a: 1 } });
    for (const body of [undefined, {}])
      expect({ ...(await change(entity.id, body)).body.data, updated_at: 0 }).toEqual({
        ...entity,
        updated_at: 0,
      });
  });

  test.each([
    ["name", { name: null }],
    ["name", { name: "x".repeat(256) }],
    ["is_active", { is_active: null }],
    ["attributes", { attributes: null }],
    ["entity_type", { entity_type: "cat" }],
    ["profile_id", { profile_id: newId() }],
    ["wizard_id", { wizard_id: null }],
  ])("400 that names %s: %o", async (name, body) => {
    const entity = await create();
    expect(faults(await change(entity.id, body))).toEqual([400, "VALIDATION_FAILED", name]);
    expect((await get(entity.id)).body.data).toEqual(entity);
  });
});

describe("delete is soft", () => {
  test("204 without a body; then it is in no answer, but its row stays", async () => {
    const { id } = await create();
    const { status, text } = await remove(id);
    expect([status, text]).toEqual([204, ""]);
    for (const answer of [await get(id), await change(id, {}), await remove(id)])
      expect(faults(answer)).toEqual([404, "NOT_FOUND"]);
    expect((await listed(merchant.of, path, { limit: 100 })).data.map((one) => one.id)).not.toContain(id);
    expect(await select("SELECT id FROM entities WHERE id = ? AND deleted_at IS NOT NULL", id)).toHaveLength(
      1,
    );
  });

  test("an entity outlives its profile", async () => {
    const profile_id = await newOwner();
    const { id } = await create({ profile_id });
    await api(merchant.admin, "DELETE", `/api/profiles/${profile_id}`);
    expect((await get(id)).body.data).toMatchObject({ id, profile_id });
  });

  test.each(["nope", newId(), newId().toUpperCase(), "%00", "null", "x".repeat(400)])(
    "an unknown id is 404: %s",
    async (id) => {
      expect((await get(id)).status).toBe(404);
      expect((await change(id, {})).status).toBe(404);
      expect((await remove(id)).status).toBe(404);
    },
  );
});

describe("list", () => {
  const shop = useMerchant();
  let [ada, bob] = ["", ""];
  const at = (day: number) => ({ created_at: `2026-01-0${day}T00:00:00.000Z` });
  beforeAll(async () => {
    [ada, bob] = [await newOwner(shop), await newOwner(shop)];
    await put("entities", [
      entityOf(shop.of, ada, { name: "a", entity_type: "dog", ...at(1) }),
      entityOf(shop.of, ada, { name: "B", entity_type: "cat", is_active: 0, ...at(2) }),
      entityOf(shop.of, bob, { name: "c", entity_type: "dog", ...at(3) }),
      entityOf(shop.of, bob, { name: "c", entity_type: "DOG", is_active: 0, ...at(4) }),
      entityOf(shop.of, bob, { name: "é", entity_type: "person", ...at(5) }),
      entityOf(shop.of, ada, {
        name: "gone",
        entity_type: "dog",
        deleted_at: "2026-01-09T00:00:00.000Z",
        ...at(6),
      }),
    ]);
  });
  const days = async (query: RequestOptions["query"]) => {
    const { data, meta } = await listed(shop.of, path, query);
    expect(meta.total).toBe(data.length);
    return data.map(({ created_at }) => Number((created_at as string)[9])).join("");
  };

  test.each([
    ["newest first", {}, "54321"],
    ["profile_id", { profile_id: "ada" }, "21"],
    ["profile_id of nobody", { profile_id: "nobody" }, ""],
    ["entity_type, as it was written", { entity_type: "dog" }, "31"],
    ["entity_type, whole", { entity_type: "do" }, ""],
    ["is_active true", { is_active: "true" }, "531"],
    ["is_active 1", { is_active: "1" }, "531"],
    ["is_active false", { is_active: "false" }, "42"],
    ["is_active 0", { is_active: "0" }, "42"],
    ["all three", { profile_id: "bob", entity_type: "dog", is_active: "true" }, "3"],
    ["created_at, dates descend", { sort_by: "created_at" }, "54321"],
    ["created_at asc", { sort_by: "created_at", sort_order: "asc" }, "12345"],
    ["sort_order alone", { sort_order: "asc" }, "12345"],
    ["entity_type, types ascend", { sort_by: "entity_type" }, "42135"],
    ["entity_type desc", { sort_by: "entity_type", sort_order: "desc" }, "53124"],
    ["name of one profile", { sort_by: "name", profile_id: "ada" }, "21"],
    ["name desc of one type", { sort_by: "name", sort_order: "desc", entity_type: "dog" }, "31"],
    ["entity_type of the active", { sort_by: "entity_type", is_active: "true" }, "135"],
  ])("%s", async (_, query: Record<string, string>, expected) => {
    const named: Record<string, string> = { ada, bob };
    const { profile_id } = query;
    const asked =
      profile_id === undefined ? query : { ...query, profile_id: named[profile_id] ?? profile_id };
    expect(await days(asked)).toBe(expected);
  });

  test("name: names ascend, desc is its mirror", async () => {
    const names = async (sort_order?: string) =>
      (await listed(shop.of, path, { sort_by: "name", ...(sort_order ? { sort_order } : {}) })).data.map(
        ({ name }) => name,
      );
    expect(await names()).toEqual(["B", "a", "c", "c", "é"]);
    expect(await names("desc")).toEqual(["é", "c", "c", "a", "B"]);
  });

  test.each([
    ["is_active", { is_active: "yes" }],
    ["is_active", { is_active: "" }],
    ["is_active", { is_active: "TRUE" }],
    ["sort_by", { sort_by: "updated_at" }],
    ["sort_by", { sort_by: "name; DROP TABLE entities" }],
    ["sort_order", { sort_order: "down" }],
    ["limit", { limit: "101" }],
    ["page", { page: "0" }],
    ["name", { name: "a" }],
    ["search", { search: "a" }],
  ])("400 that names %s: %o", async (name, query) => {
    expect(faults(await api(shop.of, "GET", path, { query }))).toEqual([400, "VALIDATION_FAILED", name]);
  });

  test("the key alone is enough; a customer's bearer beside it is 403, one alone 401", async () => {
    const shopper = await customer(shop.of);
    expect((await api(shop.of, "GET", path)).status).toBe(200);
    expect((await api(shopper, "GET", path)).status).toBe(401);
    const both = { credentials: { ...shop.of.credentials, ...shopper.credentials } };
    expect(faults(await api(both, "GET", path))).toEqual([403, "FORBIDDEN"]);
  });
});
