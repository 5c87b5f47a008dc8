/** Staff send, track, pay back and cancel an order, each as was shown; support pays back in sum what the shop lets it. */
import { beforeAll, expect, test } from "vitest";
import { forgetAccount } from "../../../src/base/accounts/queries.ts";
import { ownOrders } from "../../domain/orders/own-orders.ts";
import { execute } from "../../support/database.ts";
import { openShop, type Shop } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { fieldsIn } from "../portal/visitor.ts";
import { signedIn } from "./member.ts";

const worker = useWorker();
let shop: Shop;
let orders: ReturnType<typeof ownOrders>;
beforeAll(async () => {
  shop = await openShop();
  orders = ownOrders(shop, worker);
});

async function open(role: string) {
  const { id } = await orders.placed();
  const { visitor } = await signedIn(worker, shop, role);
  const path = `${visitor.base}/orders/${id}`;
  const change = async (name: string, form: Record<string, string>) => {
    const preview = await visitor.post(`${path}/${name}`, form);
    if (preview.status !== 200) return preview;
    return visitor.post(`${path}/${name}`, fieldsIn(preview.text, `${path}/${name}`));
  };
  return { id, visitor, path, change };
}

const set = (support_max_refund: number | null) =>
  worker.call(shop.api, "PUT", "/api/account", { body: { support_max_refund } });

test("the warehouse marks an order as sent and changes its tracking; it has no button that pays back", async () => {
  const { visitor, path, change, id } = await open("WAREHOUSE");
  const page = await visitor.get(path);
  expect([page.text.includes(`${path}/fulfill`), page.text.includes(`${path}/refund`)]).toEqual([
    true,
    false,
  ]);
  expect((await visitor.get(`${path}/refund`)).status).toBe(403);
  const sent = await change("fulfill", { fulfillment_status: "FULFILLED", tracking_number: "T-1" });
  expect((await visitor.get(sent.headers.get("Location")!)).text).toContain("The order is marked as sent.");
  await change("track", { fulfillment_status: "FULFILLED", tracking_number: "T-2" });
  expect(await orders.order(id)).toMatchObject({ fulfillment_status: "FULFILLED", tracking_number: "T-2" });
});

test("a refund is shown before, made once, and stands on the order", async () => {
  const { visitor, path, id } = await open("MANAGER");
  const preview = await visitor.post(`${path}/refund`, { amount: "4" });
  expect([preview.text.includes("as an API call"), await orders.refunds(id)]).toEqual([true, []]);
  const fields = fieldsIn(preview.text, `${path}/refund`);
  for (const _ of [1, 2]) expect((await visitor.post(`${path}/refund`, fields)).status).toBe(303);
  await worker.drain();
  expect((await orders.refunds(id)).map(({ amount, status }) => [amount, status])).toEqual([
    [4, "SUCCEEDED"],
  ]);
  expect((await visitor.get(path)).text).toContain("Refunds");
});

test("the ticked items are paid back, an amount that is typed in their place, and all that is left without either", async () => {
  const refund = async (form: (item: string) => Record<string, string>) => {
    const { visitor, path, change, id } = await open("MANAGER");
    const { text } = await visitor.get(`${path}/refund`);
    const [, item = ""] = /type="checkbox" name="items" value="([^"]*=10)"/.exec(text) ?? [];
    expect((await change("refund", form(item))).status).toBe(303);
    await worker.drain();
    return (await orders.refunds(id)).map(({ amount }) => amount);
  };
  expect(await refund((items) => ({ items }))).toEqual([10]);
  expect(await refund((items) => ({ items, amount: "4" }))).toEqual([4]);
  expect(await refund(() => ({}))).toEqual([10]);
});

test("an order is cancelled with its money", async () => {
  const { change, id } = await open("OWNER");
  expect((await change("cancel", { refund: "true", reason: "Torn" })).status).toBe(303);
  await worker.drain();
  expect(await orders.order(id)).toMatchObject({ status: "CANCELLED", refunded_amount: 10 });
});

test("support pays nothing back by default, and up to the shop's bound in sum, whoever has paid before", async () => {
  const { change, id, visitor, path } = await open("SUPPORT");
  const refused = await change("refund", { amount: "0.5" });
  expect([refused.status, refused.text.includes("support_max_refund")]).toEqual([403, true]);
  expect((await visitor.get(path)).text).not.toContain(`${path}/refund`);
  await set(5);
  expect((await visitor.get(path)).text).toContain(`${path}/refund`);
  const { text } = await visitor.get(`${path}/refund`);
  expect(text).toContain("You may pay back up to $5.00");
  expect((await change("refund", { amount: "5.01" })).status).toBe(403);
  expect((await change("refund", { amount: "3" })).status).toBe(303);
  expect((await change("refund", { amount: "2.01" })).status).toBe(403);
  await orders.refund(id, { amount: 1.5 });
  expect((await change("refund", { amount: "1" })).status).toBe(403);
  expect((await change("refund", { amount: "0.5" })).status).toBe(303);
  await set(null);
});

test("an order that its store keeps is changed there: its page says so and offers nothing", async () => {
  const { visitor, path } = await open("OWNER");
  const offered = async () => {
    const { text } = await visitor.get(path);
    const forms = ["fulfill", "refund", "cancel"].filter((name) => text.includes(`${path}/${name}"`));
    return [forms, text.includes("Shopify keeps this order")];
  };
  expect(await offered()).toEqual([["fulfill", "refund", "cancel"], false]);
  await changeStore("shopify");
  expect(await offered()).toEqual([[], true]);
  await changeStore("sandbox");
});

async function changeStore(store: string): Promise<void> {
  await execute("UPDATE accounts SET store = ? WHERE id = ?", store, shop.of.account.id);
  forgetAccount(shop.of.account.id);
}

test("support cancels no order", async () => {
  const { change, visitor, path } = await open("SUPPORT");
  expect((await change("cancel", { refund: "true" })).status).toBe(403);
  expect((await visitor.get(path)).text).not.toContain(`${path}/cancel`);
});
