/** A mail, and the delivery of an event, write the rows that docs/scale.md says. */
import { expect, test } from "vitest";
import page from "../../docs/scale.md?raw";
import { postboxOf, resend } from "../domain/mail/postbox.ts";
import { network } from "../domain/webhook-endpoints/receiver.ts";
import { inDays, itemOf, openShop, type Shop } from "../support/shops.ts";
import { measured } from "../support/slow-database.ts";
import { openWorker } from "../support/worker.ts";

network();
const { DB, reads: statements } = measured();
const worker = openWorker({ DB });

/** The rows that a new subscription writes, its contract and all that it is told of included. */
async function rowsOfCreation(shop: Shop): Promise<number> {
  const create = async () => {
    const body = {
      profile_id: shop.profileId,
      store_payment_method_id: "pm_success",
      next_delivery_date: inDays(60),
      lines: [itemOf(shop.plan)],
    };
    expect((await worker.call(shop.api, "POST", "/api/subscriptions", { body })).status).toBe(201);
    await worker.drain();
  };
  // The first one writes what an account has once.
  await create();
  statements.length = 0;
  await create();
  return statements.reduce((sum, { written }) => sum + written, 0);
}

const documented = new Map(
  [...page.matchAll(/^\| (a mail|a delivery of an event)[^|]*\| (\d+) +\|$/gm)].map(([, what, rows]) => [
    what,
    Number(rows),
  ]),
);

test("a mail from its event to its outcome", async () => {
  const [without, shop] = [await openShop(), await openShop()];
  await postboxOf(shop, worker).set({ ...resend, kinds: { welcome: { is_enabled: true } } });
  const rows = (await rowsOfCreation(shop)) - (await rowsOfCreation(without));
  expect(rows).toBe(documented.get("a mail"));
});

test("a delivery of an event from the event to its outcome", async () => {
  const [without, shop] = [await openShop(), await openShop()];
  const body = { url: "https://hooks.example.com/a", event_types: ["subscription.created"] };
  expect((await worker.call(shop.api, "POST", "/api/webhook-endpoints", { body })).status).toBe(201);
  const rows = (await rowsOfCreation(shop)) - (await rowsOfCreation(without));
  expect(rows).toBe(documented.get("a delivery of an event"));
});
