/** An offer never takes off more than its bounds, and holds for the contents that were shown. */
import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import {
  done,
  entriesOf,
  force,
  itemOf,
  type Json,
  on,
  read,
  refusal,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { advance, chargesOf, linked, startClock, useShop } from "../../support/worker.ts";
import {
  accept,
  caseRows,
  casesOf,
  confirm,
  offers,
  open,
  opened,
  putFlow,
  setFlow,
  take,
} from "./leaving.ts";

const { worker, ...opener } = useShop();
let shop: Shop;
beforeEach(async () => {
  shop = opener.shop;
  await startClock(shop, "2026-03-02T12:00:00.000Z");
  const settings = {
    is_enabled: true,
    can_change_quantity: true,
    can_swap: true,
    can_add: true,
    max_quantity: 100,
  };
  await api(shop.api, "PUT", "/api/account/portal", { body: settings });
  await list(["variant-1", "variant-2"].map((variant) => item(variant)));
});

function item(store_variant_id: string) {
  const product = { store_product_id: `of-${store_variant_id}`, product_title: "Kibble" };
  return { ...product, store_variant_id, price: 12, is_one_time_allowed: true };
}

async function list(items: object[]) {
  const { status, text } = await api(shop.api, "PUT", "/api/account/portal/catalogue", { body: { items } });
  if (status !== 200) throw new Error(text);
}

const often = { cooldown_days: 0 };
const half = {
  ...offers.DISCOUNT,
  terms: { value: 50, value_type: "PERCENTAGE", cycles: 3, max_amount: 6 },
};

function lines(id: string, line = "") {
  return `/api/portal/subscriptions/${id}/lines${line && `/${line}`}`;
}

async function change(id: string, body: object): Promise<{ status: number; body: Json }> {
  const [line] = (await read(shop, id)).lines;
  return api<Json>(shop.customer, "PUT", lines(id, line.id), { body });
}

function add(id: string, body: object) {
  return api<Json>(shop.customer, "POST", lines(id), { body });
}

async function upcomingOf(id: string): Promise<Json[]> {
  return (await api<Json>(shop.api, "GET", on(id, "upcoming"), { query: { count: 4 } })).body.data;
}

describe("a discount", () => {
  test.each<[string, object, string]>([
    ["a percentage without a ceiling", { max_amount: undefined }, "offers.0.terms.max_amount"],
    ["a ceiling of null", { max_amount: null }, "offers.0.terms.max_amount"],
    ["a ceiling of nothing", { max_amount: 0 }, "offers.0.terms.max_amount"],
    ["a ceiling that the currency does not have", { max_amount: 1.005 }, "offers.0.terms.max_amount"],
    [
      "an amount with a ceiling that the currency does not have",
      { value_type: "FIXED_AMOUNT", max_amount: 1.005 },
      "offers.0.terms.max_amount",
    ],
    ["a type that is none", { value_type: "GIFT" }, "offers.0.terms.value_type"],
  ])("of a flow: %s is 400, with the field", async (_, terms, path) => {
    const answer = await putFlow(shop, { offers: [{ ...half, terms: { ...half.terms, ...terms } }] });
    expect(refusal(answer)).toEqual([400, "VALIDATION_FAILED"]);
    expect(answer.body.details.map((detail: Json) => detail.path)).toEqual([path]);
  });

  test("of an amount needs no ceiling, and may have one", async () => {
    const terms = { value: 5, value_type: "FIXED_AMOUNT", cycles: 1 };
    const stored = await setFlow(shop, [
      { ...half, terms },
      { ...half, terms: { ...terms, max_amount: 4 } },
    ]);
    expect(stored.map((offer) => offer.terms)).toEqual([terms, { ...terms, max_amount: 4 }]);
  });

  test("takes no more off a charge than was shown at most, whatever the customer adds after it", async () => {
    await setFlow(shop, [half], often);
    const id = await linked(shop, worker);
    const found = await opened(shop.customer, id);
    expect(found.offers[0]).toMatchObject({ terms: half.terms, preview: { after: { total: 5 }, saves: 5 } });
    const { discounts } = await take(shop.customer, id, "DISCOUNT");
    expect(discounts).toMatchObject([{ max_amount: 6, discount_label: "50% off, at most 6 USD" }]);
    expect((await change(id, { quantity: 40 })).body.data).toMatchObject({ subtotal: 400, total: 394 });
    await add(id, { store_variant_id: "variant-2", quantity: 10 });
    await add(id, { store_variant_id: "variant-1", quantity: 10, is_one_time: true });
    expect(await read(shop, id)).toMatchObject({ subtotal: 640, discount_amount: 6, total: 634 });
    expect((await upcomingOf(id)).map(({ discount_amount }) => discount_amount)).toEqual([6, 6, 6, 0]);
    for (const days of [1, 7, 7, 7]) await advance(shop, worker, days);
    const amounts = (await chargesOf(id)).map(({ amount }) => amount);
    expect(amounts).toEqual([63_400, 51_400, 51_400, 52_000]);
    expect(await caseRows(id)).toMatchObject([{ cost: 1_800 }]);
  });

  test("of an amount of another currency is offered to nobody, as its ceiling is none there", async () => {
    await setFlow(shop, [half], often);
    const id = await subscribe(shop);
    await force(id, { currency_code: "EUR" });
    expect((await opened(shop.customer, id)).offers).toEqual([]);
  });

  test("that a merchant gives has a ceiling where they name one, and 400 where it is no amount", async () => {
    const id = await subscribe(shop, { lines: [itemOf(shop.plan, { quantity: 10 })] });
    const given = { title: "Thanks", value: 20, value_type: "PERCENTAGE", target_type: "LINE_ITEM" };
    const body = { ...given, max_amount: 7.5 };
    const after = await done(shop.api, "POST", id, "discounts", body);
    expect(after).toMatchObject({ total: 92.5, discounts: [{ max_amount: 7.5 }] });
    const after2 = await done(shop.api, "POST", id, "discounts", { ...given, max_amount: null });
    expect(after2).toMatchObject({ total: 74, discounts: [{}, { max_amount: null }] });
    for (const max_amount of [0, -1, 0.001, "7"]) {
      const answer = await api<Json>(shop.api, "POST", on(id, "discounts"), {
        body: { ...given, max_amount },
      });
      expect(refusal(answer)).toEqual([400, "VALIDATION_FAILED"]);
      expect(answer.body.details).toMatchObject([{ path: "max_amount" }]);
    }
  });
});

describe("the price of a swap", () => {
  const { price: _, ...unpriced } = offers.SWAP.terms.to;
  const keepsPrice = { ...offers.SWAP, terms: { ...offers.SWAP.terms, to: unpriced } };

  async function swapped(offer: object = offers.SWAP): Promise<string> {
    await setFlow(shop, [offer], often);
    const id = await subscribe(shop, { lines: [itemOf(shop.plan, { quantity: 2 })] });
    await take(shop.customer, id, "SWAP");
    return id;
  }

  test.each<[string, object, number]>([
    ["of its own", offers.SWAP, 8],
    ["that is the line's", keepsPrice, 10],
  ])("%s is for as many as there were: more of it are all at the catalogue's", async (_, offer, price) => {
    const id = await swapped(offer);
    expect((await change(id, { quantity: 1 })).body.data.lines).toMatchObject([{ price, line_total: price }]);
    expect((await change(id, { quantity: 2 })).body.data).toMatchObject({ total: 2 * price });
    expect((await change(id, { quantity: 3 })).body.data).toMatchObject({
      lines: [{ store_variant_id: "variant-2", price: 12, quantity: 3 }],
      total: 36,
    });
    expect((await change(id, { quantity: 1 })).body.data).toMatchObject({ total: 12 });
    expect((await read(shop, id)).lines[0]).not.toHaveProperty("price_quantity");
  });

  test("is for as many, too, where the same product is named again with the quantity", async () => {
    const id = await swapped();
    const body = { store_variant_id: "variant-2", quantity: 50 };
    expect((await change(id, body)).body.data).toMatchObject({ total: 600 });
  });

  test("has no more of it where the catalogue does not have the product: 409, and nothing is written", async () => {
    const id = await swapped();
    await list([item("variant-1")]);
    const before = await entriesOf(id);
    const answer = await change(id, { quantity: 3 });
    expect(refusal(answer as never)).toEqual([409, "INVALID_STATE"]);
    expect(answer.body.error).toBe(
      "Cannot have more than 2: the price that was accepted is for so many, and the catalogue has none for more",
    );
    expect(await entriesOf(id)).toEqual(before);
    expect((await change(id, { quantity: 1 })).status).toBe(200);
  });

  test("is for as many as the merchant sets, and no longer an offer once they name a price", async () => {
    const id = await swapped();
    const [line] = (await read(shop, id)).lines;
    const set = (body: object) => done(shop.api, "PUT", id, `lines/${line.id}`, body);
    expect(await set({ quantity: 5 })).toMatchObject({ total: 40 });
    expect((await change(id, { quantity: 5 })).body.data).toMatchObject({ total: 40 });
    await set({ quantity: 2 });
    expect((await change(id, { quantity: 5 })).body.data).toMatchObject({ total: 40 });
    await set({ price: 9 });
    expect((await change(id, { quantity: 20 })).body.data).toMatchObject({ total: 180 });
  });
});

describe("an offer holds for the contents that were shown", () => {
  const changes: [string, (id: string) => Promise<unknown>][] = [
    ["a quantity", (id) => change(id, { quantity: 50 })],
    ["a product for once", (id) => add(id, { store_variant_id: "variant-2", is_one_time: true })],
    ["a discount", (id) => done(shop.api, "POST", id, "discounts", { ...thanks, value: 1 })],
    ["a price", (id) => repriced(id)],
  ];
  const thanks = { title: "Thanks", value_type: "PERCENTAGE", target_type: "ORDER" };

  async function repriced(id: string) {
    const [line] = (await read(shop, id)).lines;
    return done(shop.api, "PUT", id, `lines/${line.id}`, { price: 11 });
  }

  test.each(changes)("after a change of %s it is 409, until it is shown again", async (_, act) => {
    await setFlow(shop, [half, offers.SWAP], often);
    const id = await subscribe(shop);
    const found = await opened(shop.customer, id);
    await act(id);
    const before = await read(shop, id);
    for (const { id: offer_id } of found.offers)
      for (const query of [{}, { dry_run: true }]) {
        const answer = await accept(shop.customer, found, { offer_id }, query);
        expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
        expect(answer.body.error).toContain("its contents are not those that were shown");
      }
    expect(await read(shop, id)).toEqual(before);
    const again = await open(shop.customer, id);
    expect([again.status, again.body.data.status]).toEqual([201, "OPEN"]);
    expect(again.body.data.offers[0].preview.before.total).toBe(before.total);
    expect((await casesOf(shop, id)).map(({ status }) => status).sort()).toEqual(["EXPIRED", "OPEN"]);
    const { offers: shown } = again.body.data;
    expect((await accept(shop.customer, again.body.data, { offer_id: shown[1].id })).status).toBe(200);
  });

  test("and not for what changes nothing of it: an address, the date, a note", async () => {
    await setFlow(shop, [half], often);
    const id = await subscribe(shop);
    const found = await opened(shop.customer, id);
    await done(shop.customer, "PUT", id, "delivery-instructions", { delivery_instructions: "Ring twice" });
    expect((await open(shop.customer, id)).body.data.id).toBe(found.id);
    expect((await accept(shop.customer, found, { offer_id: found.offers[0].id })).status).toBe(200);
  });

  test("while leaving stays possible by the case as it was", async () => {
    await setFlow(shop, [half], often);
    const id = await subscribe(shop);
    const found = await opened(shop.customer, id);
    await change(id, { quantity: 50 });
    expect((await confirm(shop.customer, found)).body.data.status).toBe("CANCELLED");
  });
});
