/** An undo restores what was before its change, leaves what came after, and refuses what no longer fits. */
import { describe, expect, test } from "vitest";
import { addDays } from "../../../../src/base/lib/time/calendar.ts";
import { api } from "../../../support/client.ts";
import { execute, select } from "../../../support/database.ts";
import { faults } from "../../../support/records.ts";
import {
  addPlan,
  addSlot,
  done,
  entriesOf,
  itemOf,
  type Json,
  on,
  openShop,
  read,
  refusal,
  rowOf,
} from "../../../support/shops.ts";
import {
  advance,
  attemptsOf,
  episodesOf,
  linked,
  ordersOf,
  shipNow,
  startClock,
  useWorker,
} from "../../../support/worker.ts";
import { type Made, make, mustMake, mustUndo, stateOf, undo, upcomingOf } from "./undoing.ts";

const worker = useWorker();

/** A monthly subscription whose first delivery is on the 31st, on the clock of its account. */
async function monthly(
  terms: object = {},
  more: object = {},
  start = "2030-01-30T12:00:00.000Z",
): Promise<Made> {
  const shop = await openShop();
  await startClock(shop, start);
  const plan = await addPlan(shop, { billing_interval: "MONTH", billing_interval_count: 1, ...terms });
  const item = itemOf(plan, { price: 100 });
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-31", lines: [item], ...more });
  return { shop: { ...shop, plan }, id };
}

async function expectRefused(
  made: Made,
  entry: string,
  why: string | RegExp,
  as = made.shop.api,
): Promise<void> {
  const before = await stateOf(made);
  const entries = await entriesOf(made.id);
  for (const dryRun of [true, false]) {
    const answer = await undo(made, entry, { as, dryRun });
    expect(refusal(answer), answer.text).toEqual([409, "INVALID_STATE"]);
    expect(answer.body.error).toMatch(why);
  }
  expect(await stateOf(made), "nothing is half undone").toEqual(before);
  expect(await entriesOf(made.id)).toEqual(entries);
}

describe("an undone cancellation", () => {
  test("of a plan of three payments leaves the one that was to come", async () => {
    const made = await monthly({ max_cycles: 3 });
    await advance(made.shop, worker, 32);
    const before = await stateOf(made);
    expect(await ordersOf(made.shop, made.id)).toHaveLength(2);
    await mustUndo(made, await mustMake(made, "cancel"));
    expect(await stateOf(made)).toEqual(before);
    await advance(made.shop, worker, 150);
    expect(await ordersOf(made.shop, made.id), "three payments in all").toHaveLength(3);
    expect(await read(made.shop, made.id)).toMatchObject({ status: "EXPIRED" });
  });

  test("of staff does not begin the minimum term anew", async () => {
    const made = await monthly({ min_cycles: 3 });
    await advance(made.shop, worker, 32);
    expect(await read(made.shop, made.id)).toMatchObject({ min_cycles_remaining: 0 });
    const seen = async () => (await api(made.shop.customer, "GET", on(made.id))).body.data;
    const before = await seen();
    expect(before).toMatchObject({ min_cycles_remaining: 1, current_billing_cycle: 3 });
    await mustUndo(made, await mustMake(made, "cancel"));
    expect(await seen()).toEqual({ ...before, updated_at: expect.any(String) });
  });

  test("pauses again until when it was to be paused, and fails again what had failed", async () => {
    const paused = await monthly();
    await make(paused, "pause until");
    const failed = await monthly({}, { store_payment_method_id: "pm_insufficient_funds" });
    await advance(failed.shop, worker, 12);
    expect(await read(failed.shop, failed.id)).toMatchObject({ status: "PAYMENT_FAILED" });
    for (const made of [paused, failed]) {
      const before = await stateOf(made);
      await mustUndo(made, await mustMake(made, "cancel"));
      expect(await stateOf(made)).toEqual(before);
    }
  });

  test("opens the case of leaving again, and tracks an accepted offer further", async () => {
    const made = await monthly();
    const flow = {
      is_enabled: true,
      max_accepted: 5,
      offers: [{ kind: "SKIP", label: { en: "Skip one" }, terms: { deliveries: 1 } }],
    };
    await api(made.shop.api, "PUT", "/api/account/cancellation-flow", { body: flow });
    const open = () => api(made.shop.customer, "POST", on(made.id, "cancellations"), { body: {} });
    const { data: first } = (await open()).body;
    await api(made.shop.customer, "POST", on(made.id, `cancellations/${first.id}/accept`), {
      body: { offer_id: first.offers[0].id },
    });
    const { data: second } = (await open()).body;
    const before = await stateOf(made);
    const confirmed = await api(
      made.shop.customer,
      "POST",
      on(made.id, `cancellations/${second.id}/confirm`),
    );
    expect((await stateOf(made)).cases).toMatchObject([{ outcome: "LOST" }, { status: "CONFIRMED" }]);
    await mustUndo(made, confirmed.headers.get("Entry-Id")!, made.shop.customer);
    expect(await stateOf(made)).toEqual(before);
  });

  test("is billed from tomorrow on where its charge was withdrawn", async () => {
    const made = await monthly({}, { next_delivery_date: "2030-01-30" });
    const entry = await mustMake(made, "cancel");
    await mustUndo(made, entry);
    expect(await read(made.shop, made.id)).toMatchObject({
      status: "ACTIVE",
      next_billing_date: "2030-01-31",
    });
    await advance(made.shop, worker, 1);
    expect(await ordersOf(made.shop, made.id)).toMatchObject([{ billing_date: "2030-01-31", total: 100 }]);
  });

  test("is refused where another subscription lives in its place, or its customer is deleted", async () => {
    const made = await monthly({}, { migration_source_ref: "ref-1" });
    const entry = await mustMake(made, "cancel");
    const other = await linked(made.shop, worker, {
      ...{ migration_source_ref: "ref-1", next_delivery_date: "2030-02-20" },
      lines: [itemOf(made.shop.plan)],
    });
    await expectRefused(made, entry, `its migration_source_ref is that of the living subscription ${other}`);
    await done(made.shop.api, "POST", other, "cancel", {});
    await api(made.shop.admin, "DELETE", `/api/profiles/${made.shop.profileId}`);
    await expectRefused(made, entry, "its customer is deleted");
  });
});

describe("an undone pause", () => {
  test("leaves a payment owed, and its next retry on its day", async () => {
    const made = await monthly({}, { store_payment_method_id: "pm_insufficient_funds" });
    await advance(made.shop, worker, 1.5);
    const before = await stateOf(made);
    expect(before.episodes).toMatchObject([{ status: "OPEN", attempt_count: 1 }]);
    await mustUndo(made, await mustMake(made, "pause"));
    expect(await stateOf(made)).toEqual(before);
    await advance(made.shop, worker, 1);
    expect(await attemptsOf(made.shop, made.id)).toHaveLength(2);
  });

  test("tries at once what fell due meanwhile, and never before now", async () => {
    const made = await monthly({}, { store_payment_method_id: "pm_insufficient_funds" });
    await advance(made.shop, worker, 1);
    const [{ next_retry_at: due }] = await episodesOf(made.shop, made.id);
    const entry = await mustMake(made, "pause");
    const now = await advance(made.shop, worker, 0.99);
    await startClock(made.shop, new Date(Date.parse(now) + 600_000).toISOString());
    await mustUndo(made, entry);
    const [episode] = await episodesOf(made.shop, made.id);
    expect(episode.next_retry_at >= due, `${due}, then ${episode.next_retry_at}`).toBe(true);
  });
});

test("an undone frequency keeps the 31st", async () => {
  const made = await monthly();
  await advance(made.shop, worker, 5);
  const dates = async () => (await upcomingOf(made, 4)).map(({ billing_date }) => billing_date);
  const before = await dates();
  expect(before).toEqual(["2030-02-28", "2030-03-31", "2030-04-30", "2030-05-31"]);
  await mustUndo(made, await mustMake(made, "frequency"));
  expect(await dates()).toEqual(before);
});

test("an undone skip is no skip that could be undone again, and the one before it is", async () => {
  const made = await monthly();
  await done(made.shop.api, "POST", made.id, "skip-deliveries", {});
  const between = await stateOf(made);
  await mustUndo(made, await mustMake(made, "skip deliveries"));
  expect(await stateOf(made)).toEqual(between);
  await done(made.shop.api, "POST", made.id, "unskip");
  expect(refusal(await api(made.shop.api, "POST", on(made.id, "unskip")))).toEqual([409, "INVALID_STATE"]);
});

describe("undoing", () => {
  test("has an entry of its own, which names what it undoes and what is as before", async () => {
    const made = await monthly();
    const entry = await mustMake(made, "instructions");
    const dry = await undo(made, entry, { as: made.shop.admin, dryRun: true });
    expect([dry.status, dry.headers.get("Entry-Id")]).toEqual([200, null]);
    expect(dry.body.data.delivery_instructions).toBeNull();
    expect((await read(made.shop, made.id)).delivery_instructions).toBe("Ring twice");
    const answer = await undo(made, entry, { as: made.shop.admin });
    expect(answer.body.data).toMatchObject({ id: made.id, delivery_instructions: null });
    const { body } = await api(made.shop.api, "GET", "/api/events", {
      query: { types: "subscription.change_undone" },
    });
    expect(body.data).toMatchObject([
      {
        id: answer.headers.get("Entry-Id"),
        type: "subscription.change_undone",
        changes: { delivery_instructions: { from: "Ring twice", to: null } },
        metadata: { undoes: entry },
        actor_type: "admin",
      },
    ]);
  });

  test("is done once, also where two ask for it at the same moment", async () => {
    const made = await monthly();
    const entry = await mustMake(made, "pause");
    const answers = await Promise.all([undo(made, entry), undo(made, entry), undo(made, entry)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    await make(made, "pause");
    await expectRefused(made, entry, "undone already");
  });

  test("answers a repeated request as the first", async () => {
    const made = await monthly();
    const options = {
      body: { entry_id: await mustMake(made, "pause") },
      headers: { "Idempotency-Key": "one" },
    };
    const ask = () => api(made.shop.api, "POST", on(made.id, "undo"), options);
    const [first, second] = [await ask(), await ask()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect([second.body, second.headers.get("Entry-Id")]).toEqual([
      first.body,
      first.headers.get("Entry-Id"),
    ]);
  });

  test("names who has changed it since, and when; to customers the shop alone", async () => {
    const made = await monthly();
    const entry = await mustMake(made, "schedule", made.shop.customer);
    await done(made.shop.admin, "PUT", made.id, "schedule", { next_delivery_date: "2030-02-20" });
    const at = (await entriesOf(made.id)).at(-1) as Json;
    await expectRefused(made, entry, `changed since by ${at.actor_name} at ${at.created_at}`);
    await expectRefused(made, entry, `changed since by the shop at ${at.created_at}`, made.shop.customer);
  });

  test("leaves what others have changed besides", async () => {
    const made = await monthly();
    const entry = await mustMake(made, "schedule");
    await make(made, "address");
    await make(made, "discount");
    const { delivery_address, total } = await read(made.shop, made.id);
    await mustUndo(made, entry);
    expect(await read(made.shop, made.id)).toMatchObject({
      ...{ delivery_address, total, next_delivery_date: "2030-01-31" },
    });
  });

  test("of lines takes back each line by itself", async () => {
    const made = await monthly();
    const entry = await mustMake(made, "add a line");
    await make(made, "change a line");
    const changed = await read(made.shop, made.id);
    await mustUndo(made, entry);
    expect(await read(made.shop, made.id)).toMatchObject({ lines: [changed.lines[0]], total: 24 });
    expect(refusal(await undo(made, entry))).toEqual([409, "INVALID_STATE"]);
  });

  test("leaves no order without a line", async () => {
    const made = await monthly();
    const shown = await read(made.shop, made.id);
    const added = await api(made.shop.api, "POST", on(made.id, "lines"), {
      body: itemOf(made.shop.plan, { store_variant_id: "more" }),
    });
    await done(made.shop.api, "DELETE", made.id, `lines/${shown.lines[0].id}`);
    await expectRefused(made, added.headers.get("Entry-Id")!, "no line left");
  });

  test("is refused after 24 hours of the account's time", async () => {
    const made = await monthly({}, { next_delivery_date: "2030-03-31" });
    const [first, second] = [await mustMake(made, "instructions"), await mustMake(made, "address")];
    await startClock(made.shop, "2030-01-31T11:59:59.000Z");
    await mustUndo(made, first);
    await startClock(made.shop, "2030-01-31T12:00:00.000Z");
    await expectRefused(made, second, "24 hours are over");
  });

  test("is refused once a charge was made, whatever the change was", async () => {
    for (const name of ["address", "frequency", "payment method", "change a line", "discount"]) {
      const made = await monthly();
      const entry = await mustMake(made, name);
      await advance(made.shop, worker, 0.9);
      expect(await ordersOf(made.shop, made.id)).toHaveLength(1);
      await expectRefused(made, entry, "a charge was made since");
    }
  });

  test("is refused once a date has passed", async () => {
    const made = await monthly({}, { next_delivery_date: "2030-01-30" });
    const entry = await mustMake(made, "cancel");
    await advance(made.shop, worker, 0.9);
    await expectRefused(made, entry, "2030-01-30 has passed");
  });

  test("is refused while a charge is under way, but of a pause that came after it", async () => {
    const made = await monthly(
      {},
      { store_payment_method_id: "pm_pending", next_delivery_date: "2030-02-20" },
    );
    const entry = await mustMake(made, "frequency");
    await shipNow(made.shop, worker, made.id);
    await worker.drain({ soon: false });
    expect((await rowOf(made.id)).open_attempt_id).not.toBeNull();
    expect(refusal(await undo(made, entry))).toEqual([409, "BILLING_IN_PROGRESS"]);
    const before = await stateOf(made);
    await mustUndo(made, await mustMake(made, "pause"));
    expect(await stateOf(made)).toEqual(before);
  });

  test("of another payment method is refused where that was charged, or has gone", async () => {
    const owing = await monthly({}, { store_payment_method_id: "pm_insufficient_funds" });
    await advance(owing.shop, worker, 1);
    const tried = await mustMake(owing, "payment method");
    await expectRefused(owing, tried, "a payment was tried with it");
    const made = await monthly();
    const { payment_method_id } = await rowOf(made.id);
    const entry = await mustMake(made, "payment method");
    await execute("UPDATE payment_methods SET status = 'REVOKED' WHERE id = ?", payment_method_id);
    await expectRefused(made, entry, "the payment method is gone");
  });

  test("is refused of what is no change of a person's", async () => {
    const made = await monthly();
    await advance(made.shop, worker, 1);
    await make(made, "pause until");
    await advance(made.shop, worker, 46);
    await api(made.shop.admin, "POST", "/api/activity-logs", {
      body: { action: "integration_note", loggable_type: "subscription", loggable_id: made.id },
    });
    const entries = await select<{ id: string; action: string }>(
      "SELECT id, action FROM activity_logs WHERE loggable_id = ?",
      made.id,
    );
    const of = (action: string) => entries.find((entry) => entry.action === action)!.id;
    for (const action of ["subscription_created", "billing_started", "billing_succeeded", "integration_note"])
      await expectRefused(made, of(action), `${action} is not undone`);
    await expectRefused(made, of("subscription_resumed"), "what was before is not kept");
  });

  test("knows the entries of its own subscription alone", async () => {
    const made = await monthly();
    const entry = await mustMake(made, "instructions");
    const other = await linked(made.shop, worker, { lines: [itemOf(made.shop.plan)] });
    const stranger = await monthly();
    const wrong = [400, "VALIDATION_FAILED", "entry_id"];
    const unknown = ["no-id", "01a222f7-bed3-7426-bb3b-d2bf6049deae", entry.toUpperCase()];
    for (const id of unknown) expect(faults(await undo(made, id))).toEqual(wrong);
    expect(faults(await undo({ ...made, id: other }, entry))).toEqual(wrong);
    expect(faults(await undo(stranger, entry))).toEqual(wrong);
    expect((await undo({ shop: stranger.shop, id: made.id }, entry)).status).toBe(404);
  });
});

describe("a customer", () => {
  test("undoes changes of their own, where the merchant lets them make these", async () => {
    const made = await monthly();
    const { shop } = made;
    const staffs = await mustMake(made, "pause");
    expect(refusal(await undo(made, staffs, { as: shop.customer }))).toEqual([403, "FORBIDDEN"]);
    await mustUndo(made, staffs);
    const needs = {
      pause: "can_pause",
      resume: "can_pause",
      cancel: "can_cancel",
      reactivate: "can_cancel",
      "skip deliveries": "can_skip",
      schedule: "can_reschedule",
      frequency: "can_change_frequency",
      address: "can_change_address",
      "payment method": "can_change_payment_method",
    };
    for (const [name, permission] of Object.entries(needs)) {
      const own = await monthly();
      const frequencies = [{ interval: "MONTH", interval_count: 2 }];
      await api(own.shop.api, "PUT", "/api/account/portal", { body: { frequencies } });
      if (name === "resume") await make(own, "pause");
      if (name === "reactivate") await make(own, "cancel");
      const entry = await mustMake(own, name, own.shop.customer);
      const allow = (is: boolean) =>
        api(own.shop.api, "PUT", "/api/account/portal", { body: { [permission]: is } });
      await allow(false);
      for (const dryRun of [true, false])
        expect(refusal(await undo(own, entry, { as: own.shop.customer, dryRun })), name).toEqual([
          403,
          "FORBIDDEN",
        ]);
      await allow(true);
      await mustUndo(own, entry, own.shop.customer);
    }
  });

  test("is bound by the cut-off of the delivery that comes back", async () => {
    const shop = await openShop();
    await startClock(shop, "2030-01-31T10:00:00.000Z");
    const slot = await addSlot(shop, { day_of_week: 5 }, { cutoff_days: 1, cutoff_time: "18:00" });
    const id = await linked(shop, worker, { next_delivery_date: "2030-02-01", delivery_slot_id: slot });
    const made = { shop, id };
    const entry = await mustMake(made, "skip deliveries", shop.customer);
    await startClock(shop, "2030-01-31T18:00:00.000Z");
    await expectRefused(made, entry, "could be changed until", shop.customer);
    await mustUndo(made, entry);
  });
});

describe("what no longer fits stays where it is", () => {
  async function inSlot(more: object = {}) {
    const shop = await openShop();
    await startClock(shop, "2030-01-02T12:00:00.000Z");
    const [from, to] = [
      await addSlot(shop, { day_of_week: 3 }, more),
      await addSlot(shop, { day_of_week: 5 }),
    ];
    const id = await linked(shop, worker, { delivery_slot_id: from, next_delivery_date: "2030-01-30" });
    return { made: { shop, id }, from, to };
  }

  async function moveTo({ shop, id }: Made, to: string, date: string): Promise<string> {
    const body = { delivery_slot_id: to, next_delivery_date: date };
    return (await api(shop.api, "PUT", on(id, "schedule"), { body })).headers.get("Entry-Id")!;
  }

  test("in a slot that is full by now, for each way back into it", async () => {
    for (const name of ["pause", "cancel", "skip deliveries", "schedule"]) {
      const { made, from, to } = await inSlot({ max_deliveries_per_day: 1 });
      const entry = name === "schedule" ? await moveTo(made, to, "2030-02-01") : await mustMake(made, name);
      await linked(made.shop, worker, { delivery_slot_id: from, next_delivery_date: "2030-01-30" });
      await expectRefused(made, entry, "the delivery slot is full on 2030-01-30");
    }
  });

  test("in a slot that has gone, is not served, or has another day", async () => {
    const gone = await inSlot();
    const entry = await moveTo(gone.made, gone.to, "2030-02-01");
    await api(gone.made.shop.api, "DELETE", `/api/subscriptions/delivery-slots/${gone.from}`);
    await expectRefused(gone.made, entry, "its delivery slot is gone");
    const idle = await inSlot();
    const paused = await mustMake(idle.made, "pause");
    await api(idle.made.shop.api, "PUT", `/api/subscriptions/delivery-slots/${idle.from}`, {
      body: { is_active: false },
    });
    await expectRefused(idle.made, paused, "its delivery slot is gone");
    const moved = await inSlot();
    const skipped = await mustMake(moved.made, "skip deliveries");
    await execute("UPDATE delivery_days SET day_of_week = 4 WHERE day_of_week = 3");
    await expectRefused(moved.made, skipped, "has no deliveries on 2030-01-30");
  });

  test("on a day that was closed since", async () => {
    const made = await monthly({}, { next_delivery_date: "2030-02-14" });
    const entry = await mustMake(made, "schedule");
    const body = { from: "2030-02-14", to: "2030-02-14", rule: "earlier", label: "Holiday" };
    await worker.call(made.shop.api, "POST", "/api/subscriptions/closed-days", { body });
    await worker.drain();
    await expectRefused(made, entry, "closed days");
    const [first] = await upcomingOf(made, 1);
    await advance(made.shop, worker, 25);
    expect((await ordersOf(made.shop, made.id))[0]).toMatchObject({
      billing_date: first.billing_date,
      delivery_date: addDays("2030-02-14", 7),
    });
  });
});

test("what was before is kept for 30 days, once for each change that can be undone", async () => {
  const made = await monthly();
  for (const name of ["pause", "resume", "instructions", "instructions"]) await make(made, name);
  const kept = await select<Json>("SELECT * FROM undo_images WHERE subscription_id = ?", made.id);
  expect(kept, "writing the same instructions again is no change").toHaveLength(3);
  await worker.tick(Date.now() + 30 * 86_400_000 - 60_000);
  expect(await select("SELECT 1 FROM undo_images WHERE subscription_id = ?", made.id)).toHaveLength(3);
  await worker.tick(Date.now() + 30 * 86_400_000 + 60_000);
  expect(await select("SELECT 1 FROM undo_images WHERE subscription_id = ?", made.id)).toEqual([]);
});
