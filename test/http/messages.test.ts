import { beforeAll, describe, expect, test } from "vitest";
import { api, type RequestOptions } from "../support/client.ts";
import { type Json, openShop, type Shop } from "../support/shops.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

const refused = async (method: string, path: string, request: RequestOptions = {}): Promise<Json> => {
  const { status, body } = await api(shop.admin, method, path, request);
  expect([status, (body as Json).errorCode]).toEqual([400, "VALIDATION_FAILED"]);
  return body;
};

describe("a field that is missing is required", () => {
  test("in a body", async () => {
    const { error, details } = await refused("POST", "/api/subscriptions/skip-reasons", { body: {} });
    expect(details).toEqual([{ path: "label", message: "is required" }]);
    expect(error).toBe("Request is not valid: label: is required");
  });

  test("in an object of a list, and an enumeration", async () => {
    const { details } = await refused("POST", "/api/subscriptions", {
      body: {
        profile_id: shop.profileId,
        store_payment_method_id: "pm_success",
        next_delivery_date: "2040-01-01",
        lines: [
          { store_product_id: "1", store_variant_id: "1", product_title: "Box", price: 1, quantity: 1 },
        ],
      },
    });
    expect(details).toEqual([{ path: "lines.0.selling_plan_id", message: "is required" }]);
    const { details: ofToken } = await refused("POST", "/api/auth/token", { body: {} });
    expect(ofToken).toEqual([{ path: "actor_type", message: "is required" }]);
    const { details: ofDiscount } = await refused("POST", `/api/subscriptions/${shop.profileId}/discounts`, {
      body: { title: "A", value: 1, target_type: "ORDER" },
    });
    expect(ofDiscount).toEqual([{ path: "value_type", message: "is required" }]);
  });

  test("in a query, and in a row of an upload", async () => {
    const { details } = await refused("GET", "/api/activity-logs", { query: { start_date: "2026-01-01" } });
    expect(details).toEqual([{ path: "end_date", message: "is required" }]);
    const upload = await refused("POST", "/api/profiles/bulk-upload", { body: [{ first_name: "Ada" }] });
    expect(upload.details).toEqual([{ path: "profiles.0.email", message: "is required" }]);
  });

  test("a field of another type is not missing", async () => {
    const { details } = await refused("POST", "/api/subscriptions/skip-reasons", { body: { label: null } });
    expect(details).toEqual([{ path: "label", message: "Invalid input: expected string, received null" }]);
  });
});

describe("the sentence counts what else is wrong", () => {
  test("and names the first", async () => {
    const body = { is_active: "yes", position: -1 };
    const { error, details } = await refused("POST", "/api/subscriptions/skip-reasons", { body });
    expect(details).toHaveLength(3);
    expect(error).toBe("Request is not valid: label: is required, and 2 more");
  });

  test("and says where it has stopped counting", async () => {
    const body = Object.fromEntries(Array.from({ length: 5000 }, (_, nth) => [`lable${nth}`, 1]));
    const { error, details } = await refused("POST", "/api/subscriptions/skip-reasons", { body });
    expect(details).toHaveLength(100);
    expect(error).toMatch(/^Request is not valid: label: is required, and at least 99 more$/);
  });

  test("however long the first is", async () => {
    const body = { ["x".repeat(500)]: 1, ["y".repeat(500)]: 1, label: "A" };
    const { error } = await refused("POST", "/api/subscriptions/skip-reasons", { body });
    expect(error).toMatch(/…, and 1 more$/);
    expect([...error]).toHaveLength(200);
  });
});

describe("an unknown name comes with the known one that is nearest", () => {
  test.each([
    ["lable", "unknown field, did you mean label?"],
    ["isActive", "unknown field, did you mean is_active?"],
    ["surprise", "unknown field"],
    ["constructor", "unknown field"],
  ])("the field %s", async (name, message) => {
    const body = { label: "A", [name]: 1 };
    const { details } = await refused("POST", "/api/subscriptions/skip-reasons", { body });
    expect(details).toEqual([{ path: name, message }]);
  });

  test("a field of an object in a list", async () => {
    const path = `/api/subscriptions/${shop.profileId}/lines`;
    const { details } = await refused("POST", path, {
      body: {
        ...{ store_product_id: "1", store_variant_id: "1", product_title: "Box", selling_plan_id: shop.plan },
        ...{ price: 1, quantity: 1 },
        selection_items: [
          {
            slot_id: "1",
            store_product_id: "1",
            store_variant_id: "1",
            product_title: "A",
            quantity: 1,
            prize: 1,
          },
        ],
      },
    });
    expect(details).toEqual([
      { path: "selection_items.0.price", message: "is required" },
      { path: "selection_items.0.prize", message: "unknown field, did you mean price?" },
    ]);
  });

  test("a field of one of several bodies", async () => {
    const path = `/api/subscriptions/${shop.profileId}/payment-method`;
    const { details } = await refused("PUT", path, { body: { payment_methodid: shop.profileId } });
    expect(details).toContainEqual({
      path: "payment_methodid",
      message: "unknown field, did you mean payment_method_id?",
    });
  });

  test.each([
    ["sort", "unknown query parameter, did you mean sort_by?"],
    ["profile", "unknown query parameter, did you mean profile_id?"],
    ["Page", "unknown query parameter, did you mean page?"],
    ["x", "unknown query parameter"],
  ])("the parameter %s", async (name, message) => {
    const { details } = await refused("GET", "/api/subscriptions", { query: { [name]: "1" } });
    expect(details).toEqual([{ path: name, message }]);
  });
});
