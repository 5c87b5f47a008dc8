/** A timeline says of each change when it was made, by whom and by which job, and what was before, as far back as it goes. */
import { beforeAll, expect, test } from "vitest";
import { ownOrders } from "../../domain/orders/own-orders.ts";
import { logOf, put, usageOf } from "../../support/records.ts";
import { openShop, type Shop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { fieldsIn, openVisitor, switchOn } from "../portal/visitor.ts";
import { signedIn } from "./member.ts";

const worker = useWorker();
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
});

type Visitor = Awaited<ReturnType<typeof signedIn>>["visitor"];

/** The timeline of a page, as a person reads it. */
async function timelineOf(visitor: Pick<Visitor, "get">, path: string): Promise<string> {
  const { text } = await visitor.get(path);
  const [, section = ""] = /id="history">(.*?)<\/section>/s.exec(text) ?? [];
  return section.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

async function change(visitor: Visitor, path: string, form: Record<string, string>) {
  const preview = await visitor.post(path, form);
  return visitor.post(path, fieldsIn(preview.text, `${visitor.base}${path}`));
}

test("an entry says when, who, and what each field was", async () => {
  const { visitor } = await signedIn(worker, shop, "SUPPORT", { name: "Sam Support" });
  const id = await subscribe(shop);
  await change(visitor, `/subscriptions/${id}/instructions`, { delivery_instructions: "Ring twice" });
  await change(visitor, `/subscriptions/${id}/pause`, {});
  const told = await timelineOf(visitor, `/subscriptions/${id}`);
  expect(told).toMatch(/\d:\d\d [AP]M subscription paused by Sam Support .*State: active → paused/);
  expect(told).toMatch(/by Sam Support .*Instructions: none → Ring twice/);
});

test("what a member of staff did as the customer is said so", async () => {
  const { visitor } = await signedIn(worker, shop, "SUPPORT", { name: "Kim Staff" });
  const id = await subscribe(shop);
  const opened = await visitor.post(`/customers/${shop.profileId}/open-portal`);
  const portal = openVisitor(worker, shop);
  await portal.enter(/href="(http[^"]*\/enter\?token=[^"]*)"/.exec(opened.text)?.[1] ?? "");
  await change(portal, `/subscriptions/${id}/pause`, {});
  expect(await timelineOf(visitor, `/subscriptions/${id}`)).toContain(
    "subscription paused by Kim Staff as the customer",
  );
});

test("an order and a customer have their timeline, and a customer's entries name their record", async () => {
  const { visitor } = await signedIn(worker, shop, "OWNER", { name: "Ola Owner" });
  const { id, subscriptionId } = await ownOrders(shop, worker).placed();
  expect((await visitor.get(`/subscriptions/${subscriptionId}`)).text).toContain(`/orders/${id}"`);
  await change(visitor, `/orders/${id}/fulfill`, { fulfillment_status: "FULFILLED", tracking_number: "T-1" });
  const told = /Sent: unfulfilled → fulfilled Tracking number: none → T-1/;
  expect(await timelineOf(visitor, `/orders/${id}`)).toMatch(told);
  const warehouse = await signedIn(worker, shop, "WAREHOUSE");
  expect(await timelineOf(warehouse.visitor, `/orders/${id}`)).toMatch(told);
  const customer = await usageOf(() => visitor.get(`/customers/${shop.profileId}`));
  expect([customer.db_round_trips, customer.answer.text.includes(`/orders/${id}">#`)]).toEqual([2, true]);
  const ofCustomer = await timelineOf(visitor, `/customers/${shop.profileId}`);
  expect(ofCustomer).toMatch(/order fulfilled #\d+ by Ola Owner Sent: unfulfilled → fulfilled/);
  expect(ofCustomer).toMatch(/subscription created #\d+/);
});

test("older entries are on further pages, of years ago as well, and only the newest are undone", async () => {
  const { visitor } = await signedIn(worker, shop);
  const id = await subscribe(shop);
  const about = { loggable_type: "subscription", loggable_id: id, subscription_id: id } as const;
  const at = (nth: number) => `2021-01-${String(nth).padStart(2, "0")}T10:00:00.000Z`;
  const rows = Array.from({ length: 28 }, (_, nth) =>
    logOf(shop.of, { ...about, action: `integration_old_${nth + 1}`, created_at: at(nth + 1) }),
  );
  await put("activity_logs", rows);
  const first = await visitor.get(`/subscriptions/${id}`);
  const [, link = ""] = /href="([^"]*)#history">Older entries</.exec(first.text) ?? [];
  const older = await visitor.get(link);
  const said = first.text + older.text;
  for (let nth = 1; nth <= 28; nth++) expect(said).toContain(`integration old ${nth} `);
  expect([older.text.includes("Newer entries"), older.text.includes("Older entries")]).toEqual([true, false]);
  expect((await visitor.get(`/subscriptions/${id}?history=-1`)).status).toBe(200);
});
