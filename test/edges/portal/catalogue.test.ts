/** The catalogue is exactly what its PUT lists, and a faulty one is refused by the field. */
import { beforeEach, describe, expect, test } from "vitest";
import { api, deployment } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { addPlan, type Json, openShop, refusal, type Shop, subscribe } from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";

const path = "/api/account/portal/catalogue";

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

function put(items: object[], query: Record<string, boolean> = {}) {
  return api<Json>(shop.api, "PUT", path, { body: { items }, query });
}

async function get(): Promise<Json[]> {
  return (await api<Json>(shop.api, "GET", path)).body.data.items;
}

function item(variant: string, more: object = {}) {
  return {
    store_product_id: "product-1",
    store_variant_id: variant,
    product_title: "Kibble",
    price: 12.5,
    ...more,
  };
}

test("a new account's catalogue is empty", async () => {
  expect(await get()).toEqual([]);
});

test("a PUT makes the catalogue exactly what it lists, in its order, with defaults for what it leaves out", async () => {
  await put([item("a"), item("b"), item("c")]);
  const image_url = "https://cdn.shop.example/kibble.webp";
  const { status, body } = await put([
    item("c", {
      variant_title: "Large",
      image_url,
      selling_plan_ids: [shop.plan],
      is_one_time_allowed: true,
    }),
    item("gid://shopify/ProductVariant/7", { store_product_id: "gid://shopify/Product/1", price: 0 }),
    item("a"),
  ]);
  expect(status).toBe(200);
  const plain = { variant_title: null, image_url: null, selling_plan_ids: [], is_one_time_allowed: false };
  expect(body.data.items).toEqual([
    item("c", {
      variant_title: "Large",
      image_url,
      selling_plan_ids: [shop.plan],
      is_one_time_allowed: true,
    }),
    { ...item("7", { price: 0 }), store_product_id: "1", ...plain },
    { ...item("a"), ...plain },
  ]);
  expect(await get()).toEqual(body.data.items);
  await put([]);
  expect(await get()).toEqual([]);
});

test("each change is one entry that says how many items were added, changed and removed; the same list again is none", async () => {
  await put([item("a"), item("b")]);
  await put([item("a", { price: 13 }), item("c"), item("d")]);
  await put([item("a", { price: 13 }), item("c"), item("d")]);
  const events = await api<Json>(shop.api, "GET", "/api/events", { query: { types: "account.updated" } });
  expect(events.body.data.map(({ metadata }: Json) => metadata)).toEqual([
    { fields: ["portal.catalogue"], added: 2, changed: 0, removed: 0 },
    { fields: ["portal.catalogue"], added: 2, changed: 1, removed: 1 },
  ]);
  expect(events.body.data[0].actor_type).toBe("api");
});

test("a dry run answers the same and writes nothing", async () => {
  await put([item("a")]);
  const before = await rowsOf(shop.of.account.id);
  const dry = await put([item("b")], { dry_run: true });
  expect(dry.body.data.items).toMatchObject([{ store_variant_id: "b" }]);
  expect(await rowsOf(shop.of.account.id)).toBe(before);
  expect(refusal(await put([item("b"), item("b")], { dry_run: true }))).toEqual([400, "VALIDATION_FAILED"]);
});

test("of two that replace it at once one is what there is then, whole", async () => {
  await put([item("a"), item("b"), item("c")]);
  const one = Array.from({ length: 20 }, (_, nth) => item(`one-${nth}`));
  const other = [item("b"), ...Array.from({ length: 20 }, (_, nth) => item(`other-${nth}`))];
  await Promise.all([put(one), put(other)]);
  const variants = (await get()).map(({ store_variant_id }) => store_variant_id);
  expect([one, other].map((items) => items.map((each) => each.store_variant_id))).toContainEqual(variants);
});

describe("at a local server", () => {
  const local = deployment({ ENVIRONMENT: "local", PUBLIC_URL: "http://127.0.0.1:8787" });
  const image = (image_url: string) =>
    local(shop.api, "PUT", `http://127.0.0.1:8787${path}`, { body: { items: [item("a", { image_url })] } });

  test("a picture among its own files is taken as it is shown, and shown at any port", async () => {
    const own = "http://127.0.0.1:8787/assets/demo/logo.svg";
    expect((await image(own)).status).toBe(200);
    const [row] = await select(
      "SELECT image_url FROM catalogue_items WHERE store_product_id = 'product-1' AND image_url LIKE '/%'",
    );
    expect(row).toEqual({ image_url: "/assets/demo/logo.svg" });
    expect((await get())[0]?.image_url).toBe("https://perennial.test/assets/demo/logo.svg");
  });

  test.each([
    "http://127.0.0.1:8788/assets/demo/logo.svg",
    "http://localhost:8787/assets/demo/logo.svg",
    "http://127.0.0.1:8787/api/orders",
    "http://127.0.0.1:8787/assets/../api/orders.svg",
    "http://10.0.0.1/assets/demo/logo.svg",
  ])("%s is refused", async (url) => {
    expect(refusal(await image(url))).toEqual([400, "VALIDATION_FAILED"]);
  });
});

test("500 items are taken, 501 are 400", async () => {
  const many = Array.from({ length: 501 }, (_, nth) => item(`variant-${nth}`));
  expect((await put(many.slice(1))).status).toBe(200);
  expect(await get()).toHaveLength(500);
  expect(refusal(await put(many))).toEqual([400, "VALIDATION_FAILED"]);
});

describe("400, with the field", () => {
  test.each([
    [
      "the same variant twice",
      [item("7"), item("gid://shopify/ProductVariant/7")],
      "items.1.store_variant_id",
    ],
    ["a price with decimals that the currency does not have", [item("a", { price: 1.005 })], "items.0.price"],
    ["a negative price", [item("a", { price: -1 })], "items.0.price"],
    [
      "a picture that is not at an https address",
      [item("a", { image_url: "http://cdn.example/a.png" })],
      "items.0.image_url",
    ],
    [
      "a picture of a local server that is not this one",
      [item("a", { image_url: "http://127.0.0.1:8787/assets/demo/logo.svg" })],
      "items.0.image_url",
    ],
    [
      "a picture whose host could divide a policy",
      [item("a", { image_url: "https://a;script-src/a.png" })],
      "items.0.image_url",
    ],
    ["no title", [item("a", { product_title: "" })], "items.0.product_title"],
    ["an unknown field", [item("a", { stock: 1 })], "items.0.stock"],
  ])("%s", async (_, items, at) => {
    const { status, body } = await put(items);
    expect([status, body.errorCode, body.details[0].path]).toEqual([400, "VALIDATION_FAILED", at]);
    expect(await get()).toEqual([]);
  });

  test("a selling plan that the account does not have is UNKNOWN_SELLING_PLAN", async () => {
    const other = await addPlan(await openShop());
    const { status, body } = await put([item("a"), item("b", { selling_plan_ids: [shop.plan, other] })]);
    expect([status, body.errorCode]).toEqual([400, "UNKNOWN_SELLING_PLAN"]);
    expect(body.details).toEqual([{ path: "items.1.selling_plan_ids.1", message: "is not known" }]);
  });
});

test("customers neither read nor change it, and another account has its own", async () => {
  await put([item("a")]);
  expect(refusal(await api(shop.customer, "GET", path))).toEqual([403, "FORBIDDEN"]);
  expect(refusal(await api(shop.customer, "PUT", path, { body: { items: [] } }))).toEqual([403, "FORBIDDEN"]);
  const other = await openShop();
  expect((await api<Json>(other.api, "GET", path)).body.data.items).toEqual([]);
  await api(other.api, "PUT", path, { body: { items: [] } });
  expect(await get()).toHaveLength(1);
});

test("lines that customers have keep their prices", async () => {
  const id = await subscribe(shop);
  await put([item("variant-1", { price: 99 })]);
  const { body } = await api<Json>(shop.customer, "GET", `/api/subscriptions/${id}`);
  expect(body.data.lines).toMatchObject([{ store_variant_id: "variant-1", price: 10 }]);
});

test("the account's currency cannot change while the catalogue has prices in it", async () => {
  const fresh = await openShop();
  await api(fresh.api, "DELETE", `/api/subscriptions/selling-plans/${fresh.plan}`);
  const currency = () => api(fresh.api, "PUT", "/api/account", { body: { currency_code: "JPY" } });
  await api(fresh.api, "PUT", path, { body: { items: [item("a")] } });
  expect(refusal(await currency())).toEqual([409, "INVALID_STATE"]);
  await api(fresh.api, "PUT", path, { body: { items: [] } });
  expect((await currency()).status).toBe(200);
});
