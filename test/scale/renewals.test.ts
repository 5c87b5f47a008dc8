/** A renewal leaves the documented bytes: of a subscription of two lines, with mails, reminders and an endpoint. */
import { expect, test } from "vitest";
import { kilobytes, renewalKilobytes } from "../../scripts/docs/figures.ts";
import { postboxOf, resend, resendUrl } from "../domain/mail/postbox.ts";
import { network } from "../domain/webhook-endpoints/receiver.ts";
import { select } from "../support/database.ts";
import { itemOf, openShop, type Shop } from "../support/shops.ts";
import { profile } from "../support/tenant.ts";
import { openWorker, setClock } from "../support/worker.ts";

const { answering } = network();
const worker = openWorker();

/** So many customers, renewed so often, fill the pages of every table and index. */
const [customers, renewals] = [100, 3];
const start = Date.parse("2030-01-07T12:00:00.000Z");
const dayMs = 86_400_000;
const kib = 1024;

/** Pages are split where random ids fall. */
const leeway = 0.16;

/** The documented parts, by the tables and indexes that they are. */
const parts: [part: string, names: RegExp][] = [
  ["the history", /^activity_/],
  ["the order", /^(sqlite_autoindex_)?order/],
  ["the billing attempt", /^(sqlite_autoindex_)?billing_attempt/],
  ["the two mails", /^mails/],
  ["deliveries to an endpoint and of mails", /^event_deliver/],
];

test("a renewal leaves the documented bytes", async () => {
  setClock(start);
  await subscribed();
  await live(1, 7);
  const before = await bytesByName();
  await live(8, 7 * (renewals + 1));
  const after = await bytesByName();
  const each = [...after].map(([name, { bytes, isIndex }]) => ({
    name,
    isIndex,
    bytes: (bytes - (before.get(name)?.bytes ?? 0)) / customers / renewals,
  }));
  for (const [part, names] of parts) {
    const its = each.filter(({ name }) => names.test(name));
    const sizes = [false, true].map((wanted) => kibOf(its.filter(({ isIndex }) => isIndex === wanted)));
    for (const [nth, size] of sizes.entries())
      expect(Math.abs(size - (renewalKilobytes[part]?.[nth] ?? 0)), `${part}: ${sizes}`).toBeLessThan(leeway);
  }
  const kept = kibOf(each.filter(({ name }) => parts.slice(0, 4).some(([, names]) => names.test(name))));
  expect(kept).toBeGreaterThan(kilobytes.renewal * 0.95);
  expect(kept).toBeLessThan(kilobytes.renewal * 1.05);
});

function kibOf(sizes: { bytes: number }[]): number {
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0) / kib;
}

/** A shop that tells all there is to tell, with its customers' subscriptions. */
async function subscribed(): Promise<void> {
  const shop = await openShop();
  let sent = 0;
  answering(resendUrl, () =>
    Response.json({ id: `49a3999c-0ce1-4ea6-ab68-${String(++sent).padStart(12, "0")}` }),
  );
  const reminders = [{ interval: "week", at_least: 1, days_before: 3 }];
  await postboxOf(shop, worker).set({ ...resend, kinds: {}, reminders });
  const body = { url: "https://hooks.example.com/a" };
  expect((await worker.call(shop.api, "POST", "/api/webhook-endpoints", { body })).status).toBe(201);
  for (let nth = 0; nth < customers; nth++) await subscribe(shop, nth);
  await worker.drain();
}

async function subscribe(shop: Shop, nth: number): Promise<void> {
  const { id } = await profile(shop.of, {
    email: `customer-${nth}@customers.example`,
    first_name: "Ada",
    last_name: `Lovelace ${nth}`,
    phone_number: "+442079460000",
    address1: "12 High Street",
    city: "London",
    region: "England",
    postal_code: "N1 1AA",
    country: "United Kingdom",
    country_code: "GB",
  });
  const kibble = { store_product_id: "8123456789012", store_variant_id: "44123456789012", price: 24.5 };
  const sticks = { store_product_id: "8123456789013", store_variant_id: "44123456789013", price: 9.9 };
  const body = {
    profile_id: id,
    store_payment_method_id: "pm_success",
    next_delivery_date: "2030-01-10",
    lines: [
      itemOf(shop.plan, { ...kibble, product_title: "Adult Kibble, Chicken", variant_title: "2.5 kg" }),
      itemOf(shop.plan, { ...sticks, product_title: "Dental Sticks", variant_title: "28 pieces" }),
    ],
  };
  expect((await worker.call(shop.api, "POST", "/api/subscriptions", { body })).status).toBe(201);
}

/** Lets the days from one to another pass, each with all that falls due. */
async function live(from: number, to: number): Promise<void> {
  for (let day = from; day <= to; day++) {
    setClock(start + day * dayMs);
    await worker.tick();
  }
}

/** The bytes of the pages of each table and index; of a table without row ids they are its rows'. */
async function bytesByName(): Promise<Map<string, { bytes: number; isIndex: boolean }>> {
  const found = await select<{ name: string; bytes: number; is_index: number }>(
    `SELECT stat.name, SUM(stat.pgsize) AS bytes, COALESCE(made.type, 'table') = 'index' AS is_index
      FROM dbstat AS stat LEFT JOIN sqlite_schema AS made ON made.name = stat.name GROUP BY stat.name`,
  );
  return new Map(found.map(({ name, bytes, is_index }) => [name, { bytes, isIndex: is_index === 1 }]));
}
