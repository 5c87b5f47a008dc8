/** No customer is told of a charge that has moved, nor is left untold because another mail would tell them. */
import { describe, expect, test } from "vitest";
import { switchOn } from "../../edges/portal/visitor.ts";
import { api } from "../../support/client.ts";
import { actionsOf, on, openShop, read } from "../../support/shops.ts";
import { advance, later, linked, shipNow, startClock } from "../../support/worker.ts";
import { useBulk } from "../bulk/bulk-jobs.ts";
import { network } from "../webhook-endpoints/receiver.ts";
import { log, postboxOf, resend, resendUrl } from "./postbox.ts";

const { worker, addOne, bulk } = useBulk();
const net = network();

async function opened(settings: object) {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await switchOn(worker, shop);
  await postbox.set(settings);
  return { shop, postbox };
}

const accept = () => Response.json({ id: "at-resend" });

test.each([
  ["puts it off", "PUT", "schedule", { next_delivery_date: "2034-02-20" }, "delivery_rescheduled"],
  ["skips it", "POST", "skip-deliveries", { count: 1 }, "subscription_skipped"],
  ["cancels", "POST", "cancel", {}, "subscription_cancelled"],
] as const)(
  "a customer who %s while the mail provider is away is not reminded of a charge that will not come",
  async (_, method, part, body, action) => {
    const { shop, postbox } = await opened(resend);
    await startClock(shop, "2034-01-20T12:00:00.000Z");
    const id = await linked(shop, worker, { next_delivery_date: "2034-02-03" });
    net.answering(resendUrl, 503);
    await startClock(shop, "2034-01-31T12:00:00.000Z");
    await worker.tick();
    const kind = "upcoming_charge";
    expect(await postbox.list({ kind })).toMatchObject([{ status: "PENDING", subscription_id: id }]);
    const asked = net.to(resendUrl).length;
    expect((await api(shop.customer, method, on(id, part), { body })).status).toBe(200);
    net.answering(resendUrl, accept);
    await later(worker, 600);
    expect(await postbox.list({ kind })).toMatchObject([
      { status: "SUPPRESSED", suppressed_reason: "outdated", to: null },
    ]);
    expect(
      net
        .to(resendUrl)
        .slice(asked)
        .filter(({ body }) => body.subject.includes("Feb 3")),
    ).toEqual([]);
    const actions = ["subscription_created", "store_contract_linked", "payment_reminder_due", action];
    expect(await actionsOf(id)).toEqual(actions);
    expect((await read(shop, id)).payment_reminder_status).not.toBe("SENT");
  },
);

describe("a skip by the shop is told, though within five minutes", () => {
  const skip = { skip_weeks: 1 };

  test("a price changes, of which another mail tells", async () => {
    const { shop, postbox } = await opened(log);
    await startClock(shop, "2034-01-01T12:00:00.000Z");
    const id = await addOne(shop, { next_delivery_date: "2034-02-10" });
    expect((await api(shop.api, "POST", on(id, "skip"), { body: skip })).status).toBe(200);
    await bulk(shop, {
      ...{ action: "change_price", ids: [id] },
      input: { store_variant_id: "old", price: 12, from_cycle: 1 },
    });
    await advance(shop, worker, 1);
    const told = (await postbox.list({ status: "SENT" })).map((mail) => mail.subject);
    expect(told).toContain("Your next delivery comes later");
    expect(await postbox.list({ kind: "price_change" })).toMatchObject([{ status: "SENT" }]);
  });

  test("another change is made of which no mail was made", async () => {
    const { shop, postbox } = await opened(log);
    await startClock(shop, "2034-01-01T12:00:00.000Z");
    const id = await addOne(shop, { next_delivery_date: "2034-02-10" });
    const ask = async () =>
      expect((await worker.call(shop.api, "POST", on(id, "skip"), { body: skip })).status).toBe(200);
    await ask();
    await worker.drain();
    await postbox.set({ kinds: { changed: { is_enabled: false } } });
    await ask();
    await worker.drain();
    await postbox.set({ kinds: { changed: { is_enabled: true } } });
    await advance(shop, worker, 1);
    expect(await postbox.list({ kind: "changed" })).toMatchObject([
      { status: "SENT", subject: "Your next delivery comes later", subscription_id: id },
    ]);
    expect((await actionsOf(id)).filter((action) => action === "subscription_skipped")).toHaveLength(2);
  });
});

test("no mail is sent to a provider within the half hour for which it asks to be left alone", async () => {
  const { shop, postbox } = await opened(resend);
  net.answering(resendUrl, 429, { "Retry-After": "1800" });
  await shipNow(shop, worker, await linked(shop, worker, { next_delivery_date: "2035-01-01" }));
  await worker.drain();
  for (let minutes = 0; minutes < 28; minutes += 4) await later(worker, 240);
  expect(net.to(resendUrl)).toHaveLength(1);
  expect(await postbox.list()).toMatchObject([{ kind: "receipt", status: "PENDING", attempt_count: 0 }]);
  net.answering(resendUrl, accept);
  await later(worker, 180);
  expect(await postbox.list()).toMatchObject([{ kind: "receipt", status: "SENT", attempt_count: 1 }]);
  expect(net.to(resendUrl)).toHaveLength(2);
});
