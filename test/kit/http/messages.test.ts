/** The sentence of a refusal says what a value has to be, and the nearest name that is known. */
import { beforeAll, describe, expect, test } from "vitest";
import { api, type RequestOptions } from "../../support/client.ts";
import { type Json, openShop, type Shop } from "../../support/shops.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

async function refused(method: string, path: string, request: RequestOptions = {}): Promise<Json> {
  const { status, body } = await api(shop.admin, method, path, request);
  expect([status, (body as Json).errorCode]).toEqual([400, "VALIDATION_FAILED"]);
  return body;
}

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
        next_delivery_date: "2035-01-01",
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
    expect(details).toEqual([{ path: "label", message: "must be a string, not null" }]);
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
    ["active", "unknown field, did you mean is_active?"],
    ["surprise", "unknown field"],
    ["constructor", "unknown field"],
  ])("the field %s", async (name, message) => {
    const body = { [name]: 1 };
    const { details } = await refused("POST", "/api/subscriptions/skip-reasons", { body });
    expect(details).toContainEqual({ path: name, message });
  });

  test.each([
    ["/api/subscription", ", did you mean /api/subscriptions?"],
    ["/api/Subscriptions", ", did you mean /api/subscriptions?"],
    ["/api/subscriptions/1/reactivat", ", did you mean /api/subscriptions/{id}/reactivate?"],
    ["/api/subscriptions/1/sell", ""],
    ["/api/surprise", ""],
    ["/subscriptions", ""],
  ])("the path %s", async (path, hint) => {
    const { status, body } = await api(shop.api, "POST", path, { body: {} });
    expect([status, body.errorCode, body.error]).toEqual([404, "NOT_FOUND", `Path not found${hint}`]);
  });

  test("no known one that was sent, too", async () => {
    const body = { label: "A", description: "A", descripton: "A", isActive: true };
    const { details } = await refused("POST", "/api/subscriptions/skip-reasons", { body });
    expect(details).toEqual([
      { path: "descripton", message: "unknown field" },
      { path: "isActive", message: "unknown field, did you mean is_active?" },
    ]);
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
    ["is_in_dunning", "unknown query parameter, did you mean failed_payment?"],
    ["x", "unknown query parameter"],
  ])("the parameter %s", async (name, message) => {
    const { details } = await refused("GET", "/api/subscriptions", { query: { [name]: "1" } });
    expect(details).toEqual([{ path: name, message }]);
  });
});

describe("a value that is not allowed is told what it has to be, in no validator's words", () => {
  const reason = "/api/subscriptions/skip-reasons";
  const skip = () => `/api/subscriptions/${shop.profileId}/skip`;
  const discount = () => `/api/subscriptions/${shop.profileId}/discounts`;
  const given = { title: "A", value: 1, value_type: "PERCENTAGE", target_type: "ORDER" };

  test.each([
    ["a number for a text", reason, { label: 5 }, "label", "must be a string, not a number"],
    [
      "a text for a number",
      reason,
      { label: "A", position: "1" },
      "position",
      "must be a number, not a string",
    ],
    [
      "a text for a boolean",
      reason,
      { label: "A", is_active: "yes" },
      "is_active",
      "must be true or false, not a string",
    ],
    ["a fraction", skip, { skip_weeks: 1.5 }, "skip_weeks", "must be a whole number"],
    ["below the minimum", skip, { skip_weeks: 0 }, "skip_weeks", "must be at least 1"],
    ["above the maximum", skip, { skip_weeks: 99 }, "skip_weeks", "must be at most 52"],
    ["beyond every whole number", skip, { skip_weeks: 2 ** 60 }, "skip_weeks", "must be at most 52"],
    [
      "an unknown choice",
      discount,
      { ...given, value_type: "CASH" },
      "value_type",
      "must be one of PERCENTAGE, FIXED_AMOUNT",
    ],
    [
      "a choice in small letters",
      discount,
      { ...given, value_type: "percentage" },
      "value_type",
      "must be one of PERCENTAGE, FIXED_AMOUNT, in capital letters",
    ],
    [
      "an unknown kind of actor",
      "/api/auth/token",
      { actor_type: "staff" },
      "actor_type",
      "must be one of admin, api, customer",
    ],
    [
      "a field of another kind of actor",
      "/api/auth/token",
      { actor_type: "admin", profile_id: "1" },
      "profile_id",
      "is only for actor_type customer",
    ],
    [
      "one of many choices, mistyped",
      "/api/auth/token",
      { actor_type: "admin", scopes: ["order:read"] },
      "scopes.0",
      "must be one of 36 values that the API's document lists, such as account:read, did you mean orders:read?",
    ],
  ])("%s", async (_, path, body, field, message) => {
    const { details } = await refused("POST", typeof path === "string" ? path : path(), { body });
    expect(details).toEqual([{ path: field, message }]);
  });

  test("a number that JSON can write and nothing can hold", async () => {
    const [headers, raw] = [{ "Content-Type": "application/json" }, '{"label":"A","position":1e400}'];
    const { details } = await refused("POST", reason, { headers, raw });
    expect(details).toEqual([{ path: "position", message: "is larger than any number can be" }]);
  });

  test("a list of too few lines, and one line's count", async () => {
    const body = {
      profile_id: shop.profileId,
      store_payment_method_id: "pm_success",
      next_delivery_date: "2035-01-01",
    };
    const { details } = await refused("POST", "/api/subscriptions", { body: { ...body, lines: [] } });
    expect(details).toEqual([{ path: "lines", message: "must have at least 1 item" }]);
  });

  test("a status in small letters", async () => {
    const { details } = await refused("GET", "/api/subscriptions", { query: { status: "active" } });
    const all = "ACTIVE, PAUSED, CANCELLED, EXPIRED, PAYMENT_FAILED";
    const message = `must be one or more of ${all}, divided by commas, in capital letters`;
    expect(details).toEqual([{ path: "status", message }]);
  });

  test("a boolean of a query", async () => {
    const { details } = await refused("GET", "/api/subscriptions", { query: { failed_payment: "yes" } });
    expect(details).toEqual([{ path: "failed_payment", message: "must be true or false" }]);
  });

  test("a mistyped type of event", async () => {
    const body = { url: "https://hooks.example.com/", event_types: ["subscription.skiped"] };
    const { details } = await refused("POST", "/api/webhook-endpoints", { body });
    expect(details[0].message).toMatch(/, did you mean subscription\.skipped\?$/);
  });
});

describe("a body that has several forms", () => {
  const put = async (part: string, body: object) =>
    (await refused("PUT", `/api/subscriptions/${shop.profileId}/${part}`, { body })).details;

  test("without a field of any says what each needs", async () => {
    expect(await put("payment-method", {})).toEqual([
      { path: "", message: "needs payment_method_id or store_payment_method_id" },
    ]);
    expect(await put("delivery-address", {})).toEqual([
      { path: "", message: "needs delivery_address_id, or address1, city, zip, country_code" },
    ]);
  });

  test("with the fields of two says that they exclude each other", async () => {
    const both = { payment_method_id: shop.profileId, store_payment_method_id: "pm_success" };
    expect(await put("payment-method", both)).toEqual([
      { path: "store_payment_method_id", message: "cannot be sent together with payment_method_id" },
    ]);
    const address = { delivery_address_id: shop.profileId, city: "Rome" };
    expect(await put("delivery-address", address)).toEqual([
      { path: "city", message: "cannot be sent together with delivery_address_id" },
    ]);
  });

  test("with a value that belongs to none says which there are", async () => {
    const path = `/api/billing-attempts/${shop.profileId}/settle`;
    for (const [charged, message] of [
      ["yes", "must be true or false"],
      [undefined, "is required"],
    ]) {
      const { details } = await refused("POST", path, { body: { charged } });
      expect(details).toEqual([{ path: "charged", message }]);
    }
  });
});
