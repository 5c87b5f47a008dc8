/** A creation that names what is wrong or unknown is refused by the field, and leaves nothing. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { faults, profileOf, put } from "../../support/records.ts";
import { rowsOf } from "../../support/snapshot.ts";
import {
  bodyFor,
  create,
  created,
  entityFor,
  lineOf,
  openSeller,
  path,
  placed,
  planned,
  type Seller,
} from "../../support/subscriptions.ts";
import { customer, openTenant } from "../../support/tenant.ts";
import { useShop } from "../../support/use-account.ts";

type Body = Record<string, unknown>;

const shop = useShop();

const item = {
  slot_id: "s1",
  store_product_id: "p",
  store_variant_id: "v",
  product_title: "Bowl",
  quantity: 2,
  price: 3.5,
};

describe("what is refused", () => {
  const known: Record<string, string> = {};
  beforeAll(async () => {
    const foreign = await openSeller();
    const sibling = profileOf(shop.of);
    await put("profiles", [sibling]);
    const gone = profileOf(shop.of, { deleted_at: "2026-01-02T00:00:00.000Z" });
    await put("profiles", [gone]);
    const address = { address1: "1", city: "C", zip: "1", country_code: "CC" };
    const addressOf = async (seller: Seller, profileId: string) =>
      (await api(seller.admin, "POST", `/api/profiles/${profileId}/addresses`, { body: address })).body.data
        .id;
    const { slot, day } = await placed(shop.admin, { day_of_week: 1 });
    const idle = await placed(shop.admin, { day_of_week: 1 }, { is_active: false });
    const idleDay = await placed(shop.admin, { day_of_week: 1, is_active: false });
    const removed = await placed(shop.admin, { day_of_week: 1 });
    await api(shop.admin, "DELETE", `${path}/delivery-slots/${removed.slot}`);
    const dead = await entityFor(shop.admin, shop.profileId);
    await api(shop.admin, "DELETE", `${path}/entities/${dead}`);
    Object.assign(known, {
      foreignProfile: foreign.profileId,
      goneProfile: gone.id,
      foreignPlan: foreign.planId,
      idlePlan: await planned(shop.admin, { is_active: false }),
      foreignSlot: (await placed(foreign.admin, { day_of_week: 1 })).slot,
      slot,
      day,
      idleSlot: idle.slot,
      slotOnIdleDay: idleDay.slot,
      removedSlot: removed.slot,
      foreignAddress: await addressOf(foreign, foreign.profileId),
      siblingAddress: await addressOf(shop, sibling.id),
      foreignEntity: await entityFor(foreign.admin, foreign.profileId),
      siblingEntity: await entityFor(shop.admin, sibling.id),
      deadEntity: dead,
    });
  });
  const filled = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, it) =>
      typeof it === "string" && it.startsWith("$")
        ? it === "$plan"
          ? shop.planId
          : (known[it.slice(1)] ?? newId())
        : it,
    );
  const written = { address1: "1 Main St", city: "Wien", zip: "1010", country: "Austria" };
  const one = (values: Body): Body => ({ lines: [lineOf("$plan"), lineOf("$plan", values)] });

  test.each([
    ["UNKNOWN_PROFILE", "profile_id", { profile_id: "$none" }],
    ["UNKNOWN_PROFILE", "profile_id", { profile_id: "nope" }],
    ["UNKNOWN_PROFILE", "profile_id", { profile_id: "" }],
    ["UNKNOWN_PROFILE", "profile_id", { profile_id: "$foreignProfile" }],
    ["UNKNOWN_PROFILE", "profile_id", { profile_id: "$goneProfile" }],
    ["UNKNOWN_SELLING_PLAN", "lines.1.selling_plan_id", one({ selling_plan_id: "$none" })],
    ["UNKNOWN_SELLING_PLAN", "lines.1.selling_plan_id", one({ selling_plan_id: "$foreignPlan" })],
    ["UNKNOWN_SELLING_PLAN", "lines.1.selling_plan_id", one({ selling_plan_id: "$idlePlan" })],
    ["UNKNOWN_ENTITY", "lines.1.entity_id", one({ entity_id: "$none" })],
    ["UNKNOWN_ENTITY", "lines.1.entity_id", one({ entity_id: "" })],
    ["UNKNOWN_ENTITY", "lines.1.entity_id", one({ entity_id: "$foreignEntity" })],
    ["UNKNOWN_ENTITY", "lines.1.entity_id", one({ entity_id: "$siblingEntity" })],
    ["UNKNOWN_ENTITY", "lines.1.entity_id", one({ entity_id: "$deadEntity" })],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "$none" }],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "" }],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "$day" }],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "$foreignSlot" }],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "$idleSlot" }],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "$slotOnIdleDay" }],
    ["UNKNOWN_DELIVERY_SLOT", "delivery_slot_id", { delivery_slot_id: "$removedSlot" }],
    ["UNKNOWN_DELIVERY_ADDRESS", "delivery_address_id", { delivery_address_id: "$none" }],
    ["UNKNOWN_DELIVERY_ADDRESS", "delivery_address_id", { delivery_address_id: "" }],
    ["UNKNOWN_DELIVERY_ADDRESS", "delivery_address_id", { delivery_address_id: "$foreignAddress" }],
    ["UNKNOWN_DELIVERY_ADDRESS", "delivery_address_id", { delivery_address_id: "$siblingAddress" }],
    ["VALIDATION_FAILED", "delivery_address.city", { delivery_address: { ...written, city: undefined } }],
    [
      "VALIDATION_FAILED",
      "delivery_address.country_code",
      { delivery_address: { ...written, country: "Atlantis" } },
    ],
    [
      "VALIDATION_FAILED",
      "delivery_address",
      { delivery_address: { ...written, country_code: "AT" }, delivery_address_id: "$siblingAddress" },
    ],
    ["VALIDATION_FAILED", "profile_id", { profile_id: 7 }],
    ["VALIDATION_FAILED", "store_payment_method_id", { store_payment_method_id: "" }],
    ["VALIDATION_FAILED", "store_payment_method_id", { store_payment_method_id: "x".repeat(256) }],
    ["VALIDATION_FAILED", "next_delivery_date", { next_delivery_date: "" }],
    ["VALIDATION_FAILED", "next_delivery_date", { next_delivery_date: "2035-02-30" }],
    ["VALIDATION_FAILED", "next_delivery_date", { next_delivery_date: "31.01.2035" }],
    ["VALIDATION_FAILED", "next_delivery_date", { next_delivery_date: "2020-01-01" }],
    [
      "VALIDATION_FAILED",
      "next_delivery_date",
      { next_delivery_date: "2035-01-31", delivery_slot_id: "$slot" },
    ],
    ["VALIDATION_FAILED", "lines", { lines: [] }],
    ["VALIDATION_FAILED", "lines", { lines: {} }],
    ["VALIDATION_FAILED", "lines", { lines: Array(251).fill(lineOf("$plan")) }],
    ["VALIDATION_FAILED", "lines", { lines: Array(101).fill(lineOf("$plan")) }],
    ["VALIDATION_FAILED", "note", { note: "x".repeat(10_001) }],
    ["VALIDATION_FAILED", "colour", { colour: "blue" }],
    ["VALIDATION_FAILED", "lines.1.colour", one({ colour: "blue" })],
    ["VALIDATION_FAILED", "lines.1.is_one_time", one({ is_one_time: true })],
    [
      "VALIDATION_FAILED",
      "lines.1.selection_items.0.colour",
      one({ selection_items: [{ ...item, colour: "blue" }] }),
    ],
    ["VALIDATION_FAILED", "lines.1.product_title", one({ product_title: "" })],
    ["VALIDATION_FAILED", "lines.1.store_product_id", one({ store_product_id: null })],
    ["VALIDATION_FAILED", "lines.1.store_variant_id", one({ store_variant_id: "" })],
    ["VALIDATION_FAILED", "lines.1.selling_plan_id", one({ selling_plan_id: "" })],
    ["VALIDATION_FAILED", "lines.1.price", one({ price: -0.01 })],
    ["VALIDATION_FAILED", "lines.1.price", one({ price: 1.001 })],
    ["VALIDATION_FAILED", "lines.1.price", one({ price: "1" })],
    ["VALIDATION_FAILED", "lines.1.price", one({ price: 1e15 })],
    ["VALIDATION_FAILED", "lines.1.quantity", one({ quantity: 0 })],
    ["VALIDATION_FAILED", "lines.1.quantity", one({ quantity: 1.5 })],
    ["VALIDATION_FAILED", "lines.1.quantity", one({ quantity: -1 })],
    [
      "VALIDATION_FAILED",
      "lines.1.selection_items.0.quantity",
      one({ selection_items: [{ ...item, quantity: 0 }] }),
    ],
    [
      "VALIDATION_FAILED",
      "lines.1.selection_items.0.price",
      one({ selection_items: [{ ...item, price: -1 }] }),
    ],
    [
      "VALIDATION_FAILED",
      "lines.1.selection_items.0.price",
      one({ selection_items: [{ ...item, price: 1.001 }] }),
    ],
    [
      "VALIDATION_FAILED",
      "lines.1.selection_items.0.slot_id",
      one({ selection_items: [{ ...item, slot_id: undefined }] }),
    ],
  ] as [string, string, Body][])("%s at %s", async (code, at, values) => {
    expect(faults(await create(shop, filled(values) as Body))).toEqual([400, code, at]);
  });

  test.each(["profile_id", "store_payment_method_id", "next_delivery_date", "lines"])(
    "without %s",
    async (name) => {
      const { [name]: _, ...body } = bodyFor(shop);
      expect(faults(await api(shop.admin, "POST", path, { body }))).toEqual([400, "VALIDATION_FAILED", name]);
    },
  );

  test.each([
    ["JPY", 1.5],
    ["KWD", 1.2345],
  ])("a price with more decimals than %s has", async (currency, price) => {
    const seller = await openSeller({ currency });
    expect(faults(await create(seller, { lines: [lineOf(seller.planId, { price })] }))).toEqual([
      400,
      "VALIDATION_FAILED",
      "lines.0.price",
    ]);
  });

  test("all faults are told at once", async () => {
    const values = { note: 1, lines: [lineOf(shop.planId, { price: -1, quantity: 0 })] };
    expect(faults(await create(shop, values))).toEqual([
      400,
      "VALIDATION_FAILED",
      "lines.0.price",
      "lines.0.quantity",
      "note",
    ]);
  });

  test("sums too large to be kept exactly are the body's fault", async () => {
    for (const count of [1, 20]) {
      const { status } = await create(shop, {
        lines: Array(count).fill(lineOf(shop.planId, { price: 9_999_999_999, quantity: 1_000_000 })),
      });
      expect(status, `${count} lines`).toBe(400);
    }
  });

  test("a customer may not create", async () => {
    const tenant = await openTenant();
    expect(faults(await api(await customer(tenant), "POST", path, { body: bodyFor(shop) }))).toEqual([
      403,
      "FORBIDDEN",
    ]);
  });

  test("a refusal writes nothing", async () => {
    const before = await rowsOf(shop.of.account.id);
    await create(shop, { store_payment_method_id: "pm_new", next_delivery_date: "2020-01-01" });
    await create(shop, one({ selling_plan_id: newId() }));
    expect(await rowsOf(shop.of.account.id)).toBe(before);
  });
});

test("a deleted profile is refused, and one with a living subscription cannot be deleted", async () => {
  const seller = await openSeller();
  const [id] = await created(seller);
  const remove = () => api(seller.admin, "DELETE", `/api/profiles/${seller.profileId}`);
  expect(faults(await remove())).toEqual([409, "PROFILE_IN_USE"]);
  await execute("UPDATE subscriptions SET status = 'CANCELLED' WHERE id = ?", id!);
  expect((await remove()).status).toBe(204);
  expect(faults(await create(seller))).toEqual([400, "UNKNOWN_PROFILE", "profile_id"]);
});
