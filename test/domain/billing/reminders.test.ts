/** A customer is reminded once of each charge, so many days before it as the account says. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import {
  actionsOf,
  addPlan,
  done,
  entriesOf,
  force,
  itemOf,
  type Json,
  openShop,
  read,
  rowOf,
  type Shop,
} from "../../support/shops.ts";
import { advance, linked, setClock, startClock, useWorker } from "../../support/worker.ts";
import { endpointsOf, network } from "../webhook-endpoints/receiver.ts";

const worker = useWorker();
const net = network();

const begin = "2030-01-01T12:00:00.000Z";

/** A merchant, with a mailer that sends the reminders unless `mailer` is false. */
async function apart(options: Parameters<typeof openShop>[0] = {}, mailer = true): Promise<Shop> {
  const shop = await openShop(options);
  await startClock(shop, begin);
  if (mailer) await endpointsOf(shop, worker).create({ event_types: ["subscription.payment_reminder_due"] });
  return shop;
}

function remind(shop: Shop, payment_reminder_days_before: number | null) {
  return api(shop.api, "PUT", "/api/account", { body: { payment_reminder_days_before } });
}

async function reminderOf(shop: Shop, id: string) {
  const { payment_reminder_status, last_payment_reminder_sent_at, last_payment_reminder_billing_date } =
    await read(shop, id);
  return [payment_reminder_status, last_payment_reminder_sent_at, last_payment_reminder_billing_date];
}

/** Moves the account's clock without cron, so that a look shows the state before it has come by. */
function movedTo(shop: Shop, instant: string) {
  return startClock(shop, instant);
}

test("NONE, then DUE within the account's days, then SENT for that date", async () => {
  const shop = await apart();
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-20" });
  expect(await reminderOf(shop, id)).toEqual(["NONE", null, null]);
  await movedTo(shop, "2030-01-16T23:59:00.000Z");
  expect(await reminderOf(shop, id)).toEqual(["NONE", null, null]);
  await movedTo(shop, "2030-01-17T00:00:00.000Z");
  expect(await reminderOf(shop, id)).toEqual(["DUE", null, "2030-01-20"]);
  await worker.tick();
  expect(await reminderOf(shop, id)).toEqual(["SENT", "2030-01-17T00:00:00.000Z", "2030-01-20"]);
  await movedTo(shop, "2030-01-18T00:00:00.000Z");
  await worker.tick();
  expect(await reminderOf(shop, id)).toEqual(["SENT", "2030-01-17T00:00:00.000Z", "2030-01-20"]);
});

test("the list says the same", async () => {
  const shop = await apart();
  await linked(shop, worker, { next_delivery_date: "2030-01-03" });
  const status = async () =>
    (await api(shop.api, "GET", "/api/subscriptions")).body.data.map(
      (one: Json) => one.payment_reminder_status,
    );
  expect(await status()).toEqual(["DUE"]);
  await worker.tick();
  expect(await status()).toEqual(["SENT"]);
});

test("the next cycle is another date: NONE, and a reminder of its own", async () => {
  const shop = await apart();
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-03" });
  await advance(shop, worker, 2);
  expect(await reminderOf(shop, id)).toEqual(["NONE", "2030-01-03T12:00:00.000Z", "2030-01-03"]);
  await advance(shop, worker, 5);
  expect(await reminderOf(shop, id)).toEqual(["SENT", "2030-01-08T12:00:00.000Z", "2030-01-10"]);
});

test("a date that has moved is reminded of again", async () => {
  const shop = await apart();
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-03" });
  await worker.tick();
  await done(shop.api, "POST", id, "skip", { skip_weeks: 1 });
  expect(await reminderOf(shop, id)).toEqual(["NONE", begin, "2030-01-03"]);
  await done(shop.api, "PUT", id, "schedule", { next_delivery_date: "2030-01-04" });
  expect((await reminderOf(shop, id))[0]).toBe("DUE");
  await worker.tick();
  expect(await reminderOf(shop, id)).toEqual(["SENT", begin, "2030-01-04"]);
});

test.each([null, 0, 1, 7])("%j days before, as the account sets it, at once", async (days) => {
  const shop = await apart();
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-06" });
  await remind(shop, days);
  const expected = days === 7 ? "DUE" : "NONE";
  expect((await reminderOf(shop, id))[0]).toBe(expected);
  await worker.tick();
  expect((await reminderOf(shop, id))[0]).toBe(days === 7 ? "SENT" : "NONE");
  await movedTo(shop, "2030-01-05T12:00:00.000Z");
  await worker.tick();
  expect((await reminderOf(shop, id))[0]).toBe(days === null || days === 0 ? "NONE" : "SENT");
});

test.each([
  ["paused", { status: "PAUSED" }],
  ["cancelled", { status: "CANCELLED", next_billing_date: null }],
  ["expired", { status: "EXPIRED", next_billing_date: null }],
  ["failed", { status: "PAYMENT_FAILED" }],
  ["in dunning", { dunning_episode_id: "0197b1c0-0000-7000-8000-000000000001" }],
] as const)("nobody is reminded of what will not be billed: %s", async (_, state) => {
  const shop = await apart();
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-03" });
  await force(id, state);
  await worker.tick();
  expect(await reminderOf(shop, id)).toEqual(["NONE", null, null]);
});

test.each([
  ["days", () => ({ payment_reminder_days_before: 3 }), undefined],
  [
    "rule",
    () => ({ payment_reminder_days_before: null }),
    { provider: "log", reminders: [{ interval: "week", at_least: 1, days_before: 3 }] },
  ],
] as const)(
  "nobody is reminded on the day of the charge, which comes too late to be stopped: by the account's %s",
  async (_, settings, mail) => {
    const shop = await apart();
    await api(shop.api, "PUT", "/api/account", { body: settings() });
    if (mail) await api(shop.api, "PUT", "/api/account/mail", { body: mail });
    const [late, ahead] = [
      await linked(shop, worker, { next_delivery_date: "2030-01-20" }),
      await linked(shop, worker, { next_delivery_date: "2030-01-21" }),
    ];
    for (const id of [late, ahead]) await force(id, { store_contract_id: null });
    await movedTo(shop, "2030-01-20T00:00:00.000Z");
    await worker.tick();
    const remindedOf = async (id: string) => (await reminderOf(shop, id))[2];
    expect([await remindedOf(late), await remindedOf(ahead)]).toEqual([null, "2030-01-21"]);
    expect(await actionsOf(late)).not.toContain("payment_reminder_due");
  },
);

test("a reminder is no change but an entry: no revision, and once for its date", async () => {
  const shop = await apart();
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-03" });
  const { revision } = await rowOf(id);
  await worker.tick();
  await worker.tick();
  expect((await rowOf(id)).revision).toBe(revision);
  expect(await actionsOf(id)).toEqual([
    "subscription_created",
    "store_contract_linked",
    "payment_reminder_due",
  ]);
  expect((await entriesOf(id)).at(-1)).toMatchObject({
    actor_type: "system",
    changes: null,
    metadata: { billing_date: "2030-01-03" },
  });
});

test("without a mailer it stays DUE, for this date and no other", async () => {
  const shop = await apart({}, false);
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-03" });
  await worker.tick();
  expect(await reminderOf(shop, id)).toEqual(["DUE", null, "2030-01-03"]);
  expect(net.received).toEqual([]);
  await advance(shop, worker, 2);
  expect(await reminderOf(shop, id)).toEqual(["NONE", null, "2030-01-03"]);
});

test("a mailer's late acceptance does not mark another date's reminder", async () => {
  const shop = await apart();
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-03" });
  const [mailer] = (await api(shop.api, "GET", "/api/webhook-endpoints")).body.data;
  const at = `/api/webhook-endpoints/${mailer.id}`;
  net.answering(mailer.url, 503);
  await worker.tick();
  worker.forget();
  await done(shop.api, "POST", id, "skip", { skip_weeks: 1 });
  net.answering(mailer.url, 200);
  await movedTo(shop, "2030-01-08T12:00:00.000Z");
  expect((await reminderOf(shop, id))[0]).toBe("DUE");
  const [delivery] = (await api(shop.api, "GET", `${at}/deliveries`)).body.data;
  await worker.call(shop.api, "POST", `${at}/deliveries/${delivery.id}/resend`);
  await worker.drain();
  expect((await reminderOf(shop, id))[0]).toBe("DUE");
});

test("each account's days are its own", async () => {
  const zones = ["Pacific/Auckland", "America/Los_Angeles"];
  const [east, west] = await Promise.all(zones.map((timezone) => openShop({ timezone })));
  setClock("2026-03-02T08:00:00.000Z");
  const ids = [
    await linked(east!, worker, { next_delivery_date: "2026-03-07" }),
    await linked(west!, worker, { next_delivery_date: "2026-03-07" }),
  ];
  setClock("2026-03-03T11:30:00.000Z");
  await worker.tick();
  const sent = (await Promise.all(ids.map(rowOf))).map((row) => row.last_payment_reminder_billing_date);
  expect(sent).toEqual(["2026-03-07", null]);
});

test("prepaid: of the billing, not of the deliveries between", async () => {
  const shop = await apart();
  const terms = { billing_interval_count: 3, delivery_interval: "WEEK", delivery_interval_count: 1 };
  const plan = await addPlan(shop, terms);
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-01", lines: [itemOf(plan)] });
  await advance(shop, worker, 13);
  expect((await reminderOf(shop, id))[2]).toBeNull();
  await advance(shop, worker, 6);
  expect(await reminderOf(shop, id)).toMatchObject(["SENT", expect.any(String), "2030-01-22"]);
});

describe("while a pause with an end lasts", () => {
  const pauseUntil = (shop: Shop, id: string, pause_until: string) =>
    done(shop.api, "POST", id, "pause", { pause_until });
  const remindedOf = async (id: string) =>
    (await entriesOf(id)).flatMap(({ action, metadata }) =>
      action === "payment_reminder_due" ? [metadata.billing_date] : [],
    );

  test("the customer is reminded of the charge after it, so many days before, and once", async () => {
    const shop = await apart();
    await remind(shop, 7);
    const id = await linked(shop, worker, { next_delivery_date: "2030-01-20" });
    const dry = await api<Json>(shop.api, "POST", `/api/subscriptions/${id}/pause?dry_run=true`, {
      body: { pause_until: "2030-02-07" },
    });
    const paused = await pauseUntil(shop, id, "2030-02-07");
    expect([dry.body.data.restart_billing_date, paused.restart_billing_date]).toEqual([
      "2030-02-10",
      "2030-02-10",
    ]);
    await movedTo(shop, "2030-02-02T12:00:00.000Z");
    await worker.tick();
    expect([await reminderOf(shop, id), await remindedOf(id)]).toEqual([["NONE", null, null], []]);
    await movedTo(shop, "2030-02-03T12:00:00.000Z");
    expect(await reminderOf(shop, id)).toEqual(["DUE", null, "2030-02-10"]);
    const due = await api<Json>(shop.api, "GET", "/api/subscriptions?payment_reminder_status=DUE");
    expect(due.body.data.map((one: Json) => one.id)).toEqual([id]);
    await worker.tick();
    expect(await reminderOf(shop, id)).toEqual(["SENT", "2030-02-03T12:00:00.000Z", "2030-02-10"]);
    expect((await read(shop, id)).status).toBe("PAUSED");
    await advance(shop, worker, 5);
    expect(await read(shop, id)).toMatchObject({
      ...{ status: "ACTIVE", next_billing_date: "2030-02-10", restart_billing_date: null },
      payment_reminder_status: "SENT",
    });
    await advance(shop, worker, 3);
    expect(await actionsOf(id)).toContain("billing_succeeded");
    expect((await remindedOf(id)).filter((date) => date === "2030-02-10")).toHaveLength(1);
  });

  test("with less time left the customer is reminded at once, and anew of another end", async () => {
    const shop = await apart();
    await remind(shop, 7);
    const id = await linked(shop, worker, { next_delivery_date: "2030-01-20" });
    await pauseUntil(shop, id, "2030-01-03");
    await worker.tick();
    expect(await remindedOf(id), "no charge within seven days").toEqual([]);
    await pauseUntil(shop, id, "2030-01-26");
    await movedTo(shop, "2030-01-21T12:00:00.000Z");
    await worker.tick();
    expect(await remindedOf(id)).toEqual(["2030-01-27"]);
    await done(shop.api, "PUT", id, "frequency", { interval: "WEEK", interval_count: 2 });
    await pauseUntil(shop, id, "2030-01-28");
    const { restart_billing_date } = await read(shop, id);
    await movedTo(shop, "2030-01-27T12:00:00.000Z");
    await worker.tick();
    expect(await remindedOf(id)).toEqual(["2030-01-27", restart_billing_date]);
  });

  test("nobody is reminded where it has none, or while a payment is owed", async () => {
    const shop = await apart();
    const open = await linked(shop, worker, { next_delivery_date: "2030-01-03" });
    await done(shop.api, "POST", open, "pause");
    const owing = await linked(shop, worker, { store_payment_method_id: "pm_card_declined" });
    await advance(shop, worker, 0.5);
    await pauseUntil(shop, owing, "2030-01-04");
    await movedTo(shop, "2030-01-03T12:00:00.000Z");
    await worker.tick();
    expect([await remindedOf(open), await remindedOf(owing)]).toEqual([[], []]);
    expect((await read(shop, open)).restart_billing_date).toBeNull();
    expect(await read(shop, owing)).toMatchObject({ status: "PAUSED", restart_billing_date: "2030-01-05" });
  });
});
