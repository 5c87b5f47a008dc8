/** A customer changes the card of all living subscriptions at once, or of none. */
import { beforeEach, expect, test } from "vitest";
import {
  actionsOf,
  customerOf,
  done,
  feedOf,
  inDays,
  inState,
  type Json,
  on,
  openShop,
  read,
  refusal,
  rowOf,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { advance, linked, setClock, useWorker } from "../../support/worker.ts";

const worker = useWorker();
let shop: Shop;
beforeEach(async () => {
  setClock(`${inDays(0)}T12:00:00.000Z`);
  shop = await openShop();
});

const all = { store_payment_method_id: "pm_other", update_all: true };

function switchAll(id: string, { as = shop.customer, body = all as object, query = {} } = {}) {
  return worker.call<Json>(as, "PUT", on(id, "payment-method"), { body, query });
}

async function switched(id: string, options?: Parameters<typeof switchAll>[1]): Promise<Json> {
  const { status, text, body } = await switchAll(id, options);
  expect(status, text).toBe(200);
  return body;
}

async function cardOf(id: string): Promise<string> {
  return (await worker.call<Json>(shop.api, "GET", on(id, "payment-method"))).body.data.current
    .store_payment_method_id;
}

test("one card for all living subscriptions of the customer, with an entry of each, and of nobody else", async () => {
  const others = await customerOf(shop.of);
  const living = [
    await linked(shop, worker),
    await inState(shop, "PAUSED"),
    await inState(shop, "PAYMENT_FAILED"),
  ];
  const [cancelled, foreign] = [
    await inState(shop, "CANCELLED"),
    await linked(shop, worker, { profile_id: others.profileId }),
  ];
  const before = await Promise.all([cancelled, foreign].map(rowOf));
  const { data, billing_attempt_ids } = await switched(living[0]!);
  expect([data.updated, new Set(data.subscription_ids)]).toEqual([3, new Set(living)]);
  expect(billing_attempt_ids).toEqual([]);
  for (const id of living) {
    expect(await cardOf(id)).toBe("pm_other");
    expect((await actionsOf(id)).filter((action) => action === "payment_method_changed")).toHaveLength(1);
  }
  expect(await Promise.all([cancelled, foreign].map(rowOf))).toEqual(before);
});

test("a payment that is owed is tried with it, of each subscription that owes one", async () => {
  const owing = [
    await linked(shop, worker, { store_payment_method_id: "pm_card_declined" }),
    await linked(shop, worker, { store_payment_method_id: "pm_insufficient_funds" }),
  ];
  await linked(shop, worker, { next_delivery_date: inDays(20) });
  await advance(shop, worker, 1 / 24);
  for (const id of owing) expect((await read(shop, id)).is_in_dunning).toBe(true);
  const body = { ...all, store_payment_method_id: "pm_success" };
  const dry = await switched(owing[0]!, { body, query: { dry_run: true } });
  expect(dry).not.toHaveProperty("billing_attempt_ids");
  expect(new Set(dry.dry_run.map((one: Json) => one.subscription_id))).toEqual(new Set(owing));
  for (const { amount, cycle } of dry.dry_run) expect([amount, cycle]).toEqual([10, 1]);
  for (const id of owing) expect((await read(shop, id)).is_in_dunning).toBe(true);

  const { data, billing_attempt_ids } = await switched(owing[1]!, { body });
  expect([data.updated, billing_attempt_ids.length]).toEqual([3, 2]);
  await worker.drain();
  for (const id of owing)
    expect(await read(shop, id)).toMatchObject({ is_in_dunning: false, current_billing_cycle: 2 });
});

test("said again it changes nothing, and answers the same subscriptions", async () => {
  const ids = [await linked(shop, worker), await linked(shop, worker)];
  await switched(ids[0]!);
  const rows = await Promise.all(ids.map(rowOf));
  const { data, billing_attempt_ids } = await switched(ids[1]!);
  expect([new Set(data.subscription_ids), billing_attempt_ids]).toEqual([new Set(ids), []]);
  expect(await Promise.all(ids.map(rowOf))).toEqual(rows);
});

test("each is undone by its own entry", async () => {
  const ids = [await linked(shop, worker), await linked(shop, worker)];
  await switched(ids[0]!);
  const feed = await feedOf(shop, ids[1]!);
  const { id: entry_id } = feed.find(({ action }) => action === "payment_method_changed")!;
  await done(shop.api, "POST", ids[1]!, "undo", { entry_id });
  expect([await cardOf(ids[0]!), await cardOf(ids[1]!)]).toEqual(["pm_other", "pm_success"]);
});

test("a refusal changes none: of an unknown card, an ended subscription, or what customers may not", async () => {
  const [id, ended] = [await linked(shop, worker), await inState(shop, "CANCELLED")];
  const row = await rowOf(id);
  const unknown = { payment_method_id: crypto.randomUUID(), update_all: true };
  expect(refusal(await switchAll(id, { body: unknown }))).toEqual([400, "UNKNOWN_PAYMENT_METHOD"]);
  expect(refusal(await switchAll(ended))).toEqual([409, "INVALID_STATE"]);
  const stranger = await customerOf(shop.of);
  expect((await switchAll(id, { as: stranger.customer })).status).toBe(404);
  await worker.call(shop.api, "PUT", "/api/account/portal", { body: { can_change_payment_method: false } });
  expect(refusal(await switchAll(id))).toEqual([403, "FORBIDDEN"]);
  expect(await rowOf(id)).toEqual(row);
});

test("with update_all false it is the one subscription's", async () => {
  const [one, other] = [await linked(shop, worker), await subscribe(shop)];
  const { data } = await switched(one, { body: { ...all, update_all: false } });
  expect(data.id).toBe(one);
  expect([await cardOf(one), await cardOf(other)]).toEqual(["pm_other", "pm_success"]);
});
