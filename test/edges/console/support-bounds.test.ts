/** Staff with the role SUPPORT take off and pay back no more than the shop lets them, in sum, whichever way they take. */
import { beforeAll, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { fieldsIn } from "../portal/visitor.ts";
import { signedIn } from "./member.ts";

const worker = useWorker();
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

async function open(role = "SUPPORT") {
  const id = await subscribe(shop);
  const { visitor } = await signedIn(worker, shop, role);
  const path = `${visitor.base}/subscriptions/${id}`;
  const { lines } = await read(shop, id);
  const [line] = lines;
  const change = async (name: string, form: Record<string, string>) => {
    const preview = await visitor.post(`${path}/${name}`, form);
    if (preview.status !== 200) return preview;
    return visitor.post(`${path}/${name}`, fieldsIn(preview.text, `${path}/${name}`));
  };
  const discount = (value: number) =>
    change("discount", { title: "Sorry", value_type: "PERCENTAGE", target_type: "ORDER", value: `${value}` });
  const price = (value: number) =>
    change("line", { line: line.id, quantity: `${line.quantity}`, price: `${value}` });
  return { id, line, change, discount, price };
}

test("a discount of 20 % is given, one of more is refused by the name of the bound, and so is another on top", async () => {
  const { discount } = await open();
  const refused = await discount(21);
  expect([refused.status, refused.text.includes("support_max_discount_percent")]).toEqual([403, true]);
  expect((await discount(20)).status).toBe(303);
  expect((await discount(1)).status).toBe(403);
});

test("a lower price counts with the discounts, and in as many steps as it is lowered", async () => {
  const { line, price, discount, id } = await open();
  expect((await price(line.price * 0.75)).status).toBe(403);
  expect((await price(line.price * 0.9)).status).toBe(303);
  expect((await price(line.price * 0.79)).status).toBe(403);
  expect((await discount(12)).status).toBe(403);
  expect((await discount(10)).status).toBe(303);
  expect(JSON.stringify((await read(shop, id)).lines)).not.toContain("reduced_from");
  expect((await price(line.price)).status).toBe(303);
});

test("an amount is no larger share for fewer goods", async () => {
  const { change, line, id } = await open();
  const { subtotal } = await read(shop, id);
  const five = { line: line.id, quantity: `${line.quantity * 5}`, price: `${line.price}` };
  expect((await change("line", five)).status).toBe(303);
  const amount = { title: "Sorry", value_type: "FIXED_AMOUNT", target_type: "ORDER", value: `${subtotal}` };
  expect((await change("discount", amount)).status).toBe(303);
  const one = { ...five, quantity: `${line.quantity}` };
  expect((await change("line", one)).status).toBe(403);
});

const other = { store_product_id: "product-2", store_variant_id: "variant-2", product_title: "Tea" };

test("an item that is removed and added again costs no less than the bound allows of its last price", async () => {
  const { change, line, id } = await open();
  const add = (price: number, product = {}) =>
    change("add", {
      ...{ product_title: line.product_title, store_product_id: line.store_product_id },
      ...{ store_variant_id: line.store_variant_id, selling_plan_id: line.selling_plan_id },
      ...{ price: `${price}`, quantity: "1", is_one_time: "false", ...product },
    });
  expect((await add(500, other)).status).toBe(303);
  expect((await add(line.price * 0.7)).status).toBe(403);
  expect((await change("remove-line", { line: line.id })).status).toBe(303);
  const refused = await add(line.price * 0.7);
  expect([refused.status, refused.text.includes("support_max_discount_percent")]).toEqual([403, true]);
  expect((await add(line.price * 0.85)).status).toBe(303);
  const again = (await read(shop, id)).lines.at(-1);
  expect((await change("remove-line", { line: again.id })).status).toBe(303);
  expect((await add(line.price * 0.7)).status).toBe(403);
});

test("whoever else gives a discount is not bounded, and support may change what has one", async () => {
  const { discount } = await open("OWNER");
  expect((await discount(60)).status).toBe(303);
  const support = await open();
  const body = { title: "Half", value: 50, value_type: "PERCENTAGE", target_type: "ORDER" };
  await api(shop.api, "POST", `/api/subscriptions/${support.id}/discounts`, { body });
  expect((await support.change("skip", { count: "1" })).status).toBe(303);
  const more = { line: support.line.id, quantity: "7", price: `${support.line.price}` };
  expect((await support.change("line", more)).status).toBe(303);
  expect((await support.discount(1)).status).toBe(403);
});

test("the shop sets another bound", async () => {
  const { discount } = await open();
  const set = (support_max_discount_percent: number) =>
    api(shop.api, "PUT", "/api/account", { body: { support_max_discount_percent } });
  await set(0);
  expect((await discount(1)).status).toBe(403);
  await set(50);
  expect((await discount(50)).status).toBe(303);
  await set(20);
});
