/** A page says until when the delivery can be changed, and then why it cannot. */
import { beforeEach, describe, expect, test } from "vitest";
import { moment } from "../../../src/base/language/format.ts";
import { addSlot, done, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { startClock, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
const zone = "Europe/Berlin";
/** A Tuesday, its cut-off two days before at 18:00, and the words for that. */
const delivery = "2027-03-16";
const cutoff = "2027-03-14T17:00:00.000Z";
const closing = ["skip", "schedule", "address", "instructions"];

let shop: Shop;
let visitor: ReturnType<typeof openVisitor>;
let slot: string;
let id: string;
beforeEach(async () => {
  shop = await openShop({ timezone: zone });
  await switchOn(worker, shop, {
    frequencies: [1, 2].map((interval_count) => ({ interval: "WEEK", interval_count })),
  });
  await startClock(shop, "2027-03-01T12:00:00.000Z");
  slot = await addSlot(shop, { day_of_week: 2 }, { cutoff_days: 2, cutoff_time: "18:00" });
  id = await subscribe(shop, { next_delivery_date: delivery, delivery_slot_id: slot });
  visitor = openVisitor(worker, shop);
});

async function enter(locale: string): Promise<void> {
  await visitor.enter((await linkFor(worker, shop, { locale })).url);
}

async function page(action = ""): Promise<string> {
  return (await visitor.get(`/subscriptions/${id}${action && `/${action}`}`)).text;
}

describe.each([
  ["en", "You can change this delivery until ", "This delivery could be changed until "],
  ["de", "Sie können diese Lieferung bis ", "Diese Lieferung ließ sich bis "],
  ["es", "Puedes cambiar esta entrega hasta el ", "Esta entrega se podía cambiar hasta el "],
  ["fr", "Vous pouvez modifier cette livraison jusqu’au ", "Cette livraison pouvait être modifiée jusqu’au "],
] as const)("in %s", (locale, before, after) => {
  test("the page says until when the delivery can be changed, then why it cannot", async () => {
    await enter(locale);
    const until = moment(locale, cutoff, zone);
    const open = await page();
    expect(open).toContain(before + until);
    for (const action of closing) expect(open).toContain(`${id}/${action}`);
    await startClock(shop, cutoff);
    const closed = await page();
    expect(closed).toContain(after + until);
    for (const action of closing) expect(closed).not.toContain(`${id}/${action}`);
    for (const action of ["pause", "cancel", "frequency"]) expect(closed).toContain(`${id}/${action}`);
  });
});

test.each(closing)(
  "the page of %s has its form until then, and from then on the reason instead",
  async (action) => {
    await enter("en");
    const until = moment("en", cutoff, zone);
    expect(await page(action)).toContain(`<form class="card"`);
    expect(await page(action)).toContain(`You can change this delivery until ${until}.`);
    await startClock(shop, cutoff);
    const closed = await page(action);
    expect(closed).not.toContain(`<form class="card"`);
    expect(closed).toContain(`This delivery could be changed until ${until}.`);
  },
);

test("without a cut-off nothing is said of one", async () => {
  await enter("en");
  await done(shop.api, "PUT", id, "schedule", { delivery_slot_id: null });
  expect(await page()).not.toContain("You can change this delivery");
});

test("a day that is full is said to be, beside the field", async () => {
  await enter("en");
  const other = await addSlot(shop, { day_of_week: 2 }, { max_deliveries_per_day: 1 });
  await subscribe(shop, { next_delivery_date: delivery, delivery_slot_id: other });
  const sent = { next_delivery_date: delivery, delivery_slot_id: other };
  const answer = await visitor.post(`/subscriptions/${id}/schedule`, sent);
  expect(answer.status).toBe(409);
  expect(answer.text).toContain(">There is no room left on this day. Please choose another.</a>");
});
