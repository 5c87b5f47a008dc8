/** An account that requires an address charges nothing until there is one, and tells its customer once. */
import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import {
  actionsOf,
  done,
  inDays,
  itemOf,
  type Json,
  on,
  openShop,
  read,
  type Shop,
} from "../../support/shops.ts";
import { profile } from "../../support/tenant.ts";
import {
  advance,
  attemptsOf,
  episodesOf,
  later,
  linked,
  ordersOf,
  shipNow,
  startClock,
  useWorker,
} from "../../support/worker.ts";
import { log, postboxOf } from "../mail/postbox.ts";

const worker = useWorker();
const whole = { address1: "12 Elm Street", city: "Brooklyn", zip: "11201", country_code: "US" };
let shop: Shop;
let bare: string;

beforeEach(async () => {
  shop = await openShop();
  ({ id: bare } = await profile(shop.of));
  worker.forget();
});

async function require(require_address: boolean) {
  expect((await api(shop.api, "PUT", "/api/account", { body: { require_address } })).status).toBe(200);
}

function withoutAddress(more: object = {}) {
  return linked(shop, worker, { profile_id: bare, ...more });
}

function give(id: string, address: object = whole): Promise<Json> {
  return worker.call(shop.api, "PUT", on(id, "delivery-address"), { body: address });
}

describe("an account that requires an address", () => {
  beforeEach(() => require(true));

  test("waits with one word and one entry, charges nothing, and goes on with the address", async () => {
    const id = await withoutAddress();
    await advance(shop, worker, 12);
    expect(await read(shop, id)).toMatchObject({
      ...{ status: "ACTIVE", billing_blocked_reason: "address_missing", current_billing_cycle: 1 },
      ...{ can_retry_payment: false, is_in_dunning: false },
    });
    expect(await attemptsOf(shop, id)).toEqual([]);
    const waits = async () => (await actionsOf(id)).filter((action) => action.startsWith("billing_wait"));
    expect(await waits()).toEqual(["billing_waiting"]);
    expect((await api(shop.api, "GET", on(id, "upcoming"))).body.data).toEqual([]);

    await give(id);
    await worker.drain();
    expect(await read(shop, id)).toMatchObject({ billing_blocked_reason: null, current_billing_cycle: 2 });
    expect(await ordersOf(shop, id)).toHaveLength(1);
    expect(await waits()).toEqual(["billing_waiting", "billing_wait_ended"]);
  });

  test("by the minute's tick nothing is tried, nor an entry added, until there is an address", async () => {
    const id = await withoutAddress({ next_delivery_date: inDays(0) });
    await later(worker, 60);
    await later(worker, 7200);
    expect(await attemptsOf(shop, id)).toEqual([]);
    expect((await actionsOf(id)).filter((action) => action === "billing_waiting")).toHaveLength(1);
    await give(id);
    await later(worker, 60);
    expect(await ordersOf(shop, id)).toHaveLength(1);
  });

  test("mails the customer once, with what is missing and a link", async () => {
    const postbox = postboxOf(shop, worker);
    await postbox.set(log);
    await api(shop.api, "PUT", "/api/account/portal", { body: { is_enabled: true } });
    const id = await withoutAddress();
    await advance(shop, worker, 20);
    const mails = await postbox.list({ kind: "address_missing" });
    expect(mails).toMatchObject([{ status: "SENT", subscription_id: id }]);
    const { text } = await postbox.content(mails[0]);
    expect(text).toContain(
      "Your delivery of Kibble is on hold, because your address is incomplete: street and number, city, postal code, country.",
    );
    expect(text).toMatch(new RegExp(`Complete the address:\nhttps?://.*/subscriptions/${id}/address\n`));
    await worker.drain();
    expect(await postbox.list()).toHaveLength(1);
  });

  test("neither ship-now nor retry-payment charges, and both name what is missing", async () => {
    const id = await withoutAddress();
    const refused = await shipNow(shop, worker, id);
    expect([refused.status, refused.body.errorCode]).toEqual([409, "NOT_BILLABLE"]);
    expect(refused.body.details).toEqual([
      { path: "delivery_address", message: "is not complete without address1, city, zip, country_code" },
    ]);
    await advance(shop, worker, 8);
    const retried = await worker.call(shop.api, "POST", on(id, "retry-payment"));
    expect([retried.status, retried.body.errorCode]).toEqual([409, "NOT_BILLABLE"]);
    expect(await attemptsOf(shop, id)).toEqual([]);
  });

  test("a retry of dunning and a switch of the card wait for it too, and go on with it", async () => {
    await require(false);
    const id = await withoutAddress({ store_payment_method_id: "pm_insufficient_funds" });
    await advance(shop, worker, 0.1);
    await require(true);
    await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_success" });
    await advance(shop, worker, 20);
    expect(await attemptsOf(shop, id)).toHaveLength(1);
    expect(await read(shop, id)).toMatchObject({
      billing_blocked_reason: "address_missing",
      is_in_dunning: true,
    });
    await give(id);
    await worker.drain();
    expect(await episodesOf(shop, id)).toMatchObject([{ status: "RECOVERED" }]);
  });

  test("the setting switched off lets billing go on", async () => {
    const id = await withoutAddress();
    await advance(shop, worker, 8);
    await require(false);
    await advance(shop, worker, 0.1);
    expect(await read(shop, id)).toMatchObject({ billing_blocked_reason: null, current_billing_cycle: 2 });
  });

  test("an address that is taken back by Undo is waited for again", async () => {
    await startClock(shop, "2030-01-01T12:00:00.000Z");
    const id = await withoutAddress({ next_delivery_date: "2030-01-03" });
    await advance(shop, worker, 3);
    const path = on(id, "delivery-address");
    const given = await api(shop.api, "PUT", path, { body: whole });
    const entry_id = given.headers.get("Entry-Id");
    const undone = await api(shop.api, "POST", on(id, "undo"), { body: { entry_id } });
    expect([undone.status, undone.body.data?.billing_blocked_reason]).toEqual([200, "address_missing"]);
  });
});

test("without the setting nothing waits", async () => {
  const id = await withoutAddress();
  await advance(shop, worker, 0.1);
  expect(await ordersOf(shop, id)).toHaveLength(1);
});

test("a creation without an address succeeds with a warning, as its dry run and its repetition do", async () => {
  const body = {
    ...{ profile_id: bare, store_payment_method_id: "pm_success", next_delivery_date: inDays(7) },
    lines: [itemOf(shop.plan)],
  };
  const path = "/api/subscriptions";
  const dry = await api(shop.api, "POST", path, { body, query: { dry_run: true } });
  expect(dry.body.warnings).toMatchObject([
    { code: "address_missing", subscription_id: dry.body.data[0].id },
  ]);
  const headers = { "Idempotency-Key": "once" };
  const made = await api(shop.api, "POST", path, { body, headers });
  expect(made.status).toBe(201);
  expect(made.body.warnings).toEqual([
    {
      code: "address_missing",
      message: "The delivery address is not complete without address1, city, zip, country_code",
      subscription_id: made.body.ids[0],
    },
  ]);
  expect((await api(shop.api, "POST", path, { body, headers })).body).toEqual(made.body);
  const complete = await api(shop.api, "POST", path, { body: { ...body, profile_id: shop.profileId } });
  expect(complete.body).toEqual({ ids: [expect.any(String)] });
});
