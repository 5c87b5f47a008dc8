/** SUPPORT reaches no lower price by another verb: a new subscription, another customer's, an undo, or a settled charge. */
import { beforeEach, expect, test } from "vitest";
import { createSubscriptions } from "../../../src/domain/subscriptions/actions/create.ts";
import { SubscriptionCreate } from "../../../src/domain/subscriptions/requests.ts";
import { api } from "../../support/client.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, testDb } from "../../support/database.ts";
import { attemptOf, put } from "../../support/records.ts";
import { inDays, itemOf, on, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { fieldsIn } from "../portal/visitor.ts";
import { signedIn } from "./member.ts";

const worker = useWorker();
const bound = "support_max_discount_percent";
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

/** Creates as staff of a role would, by whichever page has a form for it. */
function create(role: "SUPPORT" | "MANAGER", item: object, more: object = {}) {
  const ctx = ctxOn(testDb(shop.of.account), shop.of.account, {
    actor: { type: "admin", name: "Sam", role },
    send: async () => {},
  });
  const request = SubscriptionCreate.parse({
    profile_id: shop.profileId,
    store_payment_method_id: "pm_success",
    next_delivery_date: inDays(7),
    lines: [itemOf(shop.plan, item)],
    ...more,
  });
  return createSubscriptions(ctx, { request });
}

async function change(path: string, form: Record<string, string>) {
  const { visitor } = await signedIn(worker, shop, "SUPPORT");
  const action = visitor.base + path;
  const preview = await visitor.post(action, form);
  return preview.status === 200 ? visitor.post(action, fieldsIn(preview.text, action)) : preview;
}

test("a subscription is created at no less than the bound allows of the catalogue's price", async () => {
  const [item] = [itemOf(shop.plan)];
  const { store_product_id, store_variant_id, product_title } = item;
  const items = [{ store_product_id, store_variant_id, product_title, price: 10 }];
  await api(shop.api, "PUT", "/api/account/portal/catalogue", { body: { items } });
  await expect(create("SUPPORT", { price: 7.9 })).rejects.toThrow(bound);
  const { ids } = await create("SUPPORT", { price: 8 });
  const answer = await change(`/subscriptions/${ids[0]}/discount`, {
    ...{ title: "Sorry", value_type: "PERCENTAGE", target_type: "ORDER", value: "1" },
  });
  expect([answer.status, answer.text.includes(bound)]).toEqual([403, true]);
  expect((await create("MANAGER", { price: 1 })).ids).toHaveLength(1);
});

test("what is cancelled and made anew costs no less than the bound allows, and so on the customer's other subscriptions", async () => {
  const id = await subscribe(shop);
  await api(shop.api, "POST", on(id, "cancel"), { body: {} });
  await expect(create("SUPPORT", { price: 7.9 })).rejects.toThrow(bound);
  const other = await subscribe(shop, {
    lines: [itemOf(shop.plan, { store_variant_id: "variant-9", product_title: "Tea" })],
  });
  const add = (price: number) =>
    change(`/subscriptions/${other}/add`, {
      ...{ product_title: "Kibble", store_product_id: "product-1", store_variant_id: "variant-1" },
      ...{ selling_plan_id: shop.plan, price: `${price}`, quantity: "1", is_one_time: "false" },
    });
  expect((await add(7.9)).status).toBe(403);
  expect((await add(8)).status).toBe(303);
});

test("a price that somebody else has raised is not lowered by undoing that, but one's own is", async () => {
  const id = await subscribe(shop);
  const { lines } = await read(shop, id);
  const raise = (price: number) => api(shop.api, "PUT", on(id, `lines/${lines[0].id}`), { body: { price } });
  await raise(20);
  const { visitor } = await signedIn(worker, shop, "SUPPORT");
  const undo = async () => {
    const { text } = await visitor.get(`/subscriptions/${id}`);
    const [, entry = ""] = /undo\?entry_id=([0-9a-f-]+)/.exec(text) ?? [];
    return visitor.post(`/subscriptions/${id}/undo`, { entry_id: entry, confirm: "1" });
  };
  const refused = await undo();
  expect([refused.status, refused.text.includes(bound)]).toEqual([403, true]);
  const form = { line: lines[0].id, quantity: "1", price: "90" };
  const action = `${visitor.base}/subscriptions/${id}/line`;
  const preview = await visitor.post(action, form);
  expect((await visitor.post(action, fieldsIn(preview.text, action))).status).toBe(303);
  expect((await undo()).status).toBe(303);
  expect((await read(shop, id)).lines[0].price).toBe(20);
});

test("a charge under review is settled at no less than the bound allows of its amount", async () => {
  const id = await subscribe(shop);
  const attempt = attemptOf(shop.of, id, 1, {
    status: "REVIEW",
    error_code: "store_unreachable",
    amount: 1000,
  });
  await put("billing_attempts", [attempt]);
  await execute(
    "UPDATE subscriptions SET open_attempt_id = ?, billing_blocked_reason = 'store_unreachable' WHERE account_seq = ? AND id = ?",
    ...[attempt.id ?? "", shop.of.account.seq, id],
  );
  const settle = (amount: string) =>
    change("/do/settle-charged", { id: attempt.id ?? "", store_order_id: "77", amount });
  const refused = await settle("7.9");
  expect([refused.status, refused.text.includes(bound)]).toEqual([403, true]);
});
