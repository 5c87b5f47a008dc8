/** A mail, and the delivery of an event, write the documented rows. */
import { beforeEach, expect, test } from "vitest";
import { renewalRows, toldCosts } from "../../scripts/docs/figures.ts";
import { postboxOf, resend, resendUrl } from "../domain/mail/postbox.ts";
import { network } from "../domain/webhook-endpoints/receiver.ts";
import { inDays, itemOf, openShop, type Shop } from "../support/shops.ts";
import { measured } from "../support/slow-database.ts";
import { linked, openWorker, setClock } from "../support/worker.ts";

const { answering } = network();
const { DB, reads: statements } = measured();
const worker = openWorker({ DB });

/** The provider has a number for each mail. */
beforeEach(() => answering(resendUrl, () => Response.json({ id: crypto.randomUUID() })));

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
  return fewestRows(create, create);
}

/** The rows that two alike write, of which at most one also counts the 32 places of the stream before it. */
async function fewestRows(...alike: (() => Promise<void>)[]): Promise<number> {
  const rows: number[] = [];
  for (const write of alike) {
    statements.length = 0;
    await write();
    rows.push(statements.reduce((sum, { written }) => sum + written, 0));
  }
  return Math.min(...rows);
}

test("a mail from its event to its outcome", async () => {
  const [without, shop] = [await openShop(), await openShop()];
  await postboxOf(shop, worker).set({ ...resend, kinds: { welcome: { is_enabled: true } } });
  const rows = await rowsOfCreation(shop);
  expect(rows).toBe(toldCosts.creation);
  expect(rows - (await rowsOfCreation(without))).toBe(toldCosts.mail);
});

test("a delivery of an event from the event to its outcome", async () => {
  const [without, shop] = [await openShop(), await openShop()];
  const body = { url: "https://hooks.example.com/a", event_types: ["subscription.created"] };
  expect((await worker.call(shop.api, "POST", "/api/webhook-endpoints", { body })).status).toBe(201);
  const rows = (await rowsOfCreation(shop)) - (await rowsOfCreation(without));
  expect(rows).toBe(toldCosts.delivery);
});

test("a renewal, its reminder and all that is told of both", async () => {
  const shop = await openShop();
  await postboxOf(shop, worker).set({ ...resend, kinds: {}, reminders: [] });
  const endpoint = { url: "https://hooks.example.com/a" };
  expect((await worker.call(shop.api, "POST", "/api/webhook-endpoints", { body: endpoint })).status).toBe(
    201,
  );
  await linked(shop, worker, { next_delivery_date: inDays(5) });
  const [start, account_id] = [Date.now(), shop.of.account.id];
  const isRenewed = async (day: number) => {
    for (const [kind, at] of [
      ["reminder", day - 3],
      ["schedule", day],
    ] as const) {
      setClock(start + at * 86_400_000);
      await worker.bindings.JOBS.sendBatch([{ body: { type: "find_due", account_id, kind } }]);
      await worker.drain();
    }
  };
  await isRenewed(5);
  const rows = await fewestRows(
    () => isRenewed(12),
    () => isRenewed(19),
  );
  expect(rows).toBe(toldCosts.renewal);
  expect(Object.values(renewalRows).reduce((sum, count) => sum + count, 0)).toBe(rows);
});
