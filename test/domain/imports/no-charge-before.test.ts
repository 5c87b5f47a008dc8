/** Nothing that is moved in is charged before its day, whatever is done to it. */
// Subscriptions that were moved in are not charged before charge_from, whoever asks and whatever moves their dates.
import { describe, expect, test } from "vitest";
import { api, type Caller } from "../../support/client.ts";
import {
  actionsOf,
  addSlot,
  done,
  force,
  inDays,
  type Json,
  nextDay,
  on,
  openShop,
  read,
  refusal,
  type Shop,
  rowOf as subscriptionRow,
} from "../../support/shops.ts";
import { bearer, token } from "../../support/tenant.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  ordersOf,
  shipNow,
  startClock,
  useWorker,
} from "../../support/worker.ts";
import { cellsIn, forecast } from "../goods/forecasts.ts";
import { moveIn, must, release, rowOf } from "./imports.ts";

const worker = useWorker();
const day = inDays(10);
const tooEarly = (path: string) => [{ path, message: `must not lead to a charge before ${day}` }];

type Moved = { shop: Shop; id: string; job: string; customer: Caller };

/** A subscription that was moved in, is charged from the day on, and is due five days after it. */
async function movedIn(more: Record<string, unknown> = {}): Promise<Moved> {
  const shop = await openShop();
  await startClock(shop, new Date().toISOString());
  const all = { can_reschedule: true, can_cancel: true, can_ship_now: true, can_skip: true, can_pause: true };
  must(await api(shop.api, "PUT", "/api/account/portal", { body: all }));
  const row = rowOf(shop, "a", { next_billing_date: inDays(15), ...more });
  const { ids, id: job } = await moveIn(shop, worker, [row], { charge_from: day });
  const id = ids.a!;
  const { profile_id } = await read(shop, id);
  const customer = bearer(await token(shop.of, { actor_type: "customer", name: "Cy", profile_id }));
  return { shop, id, job, customer };
}

async function released(more: Record<string, unknown> = {}): Promise<Moved> {
  const moved = await movedIn(more);
  await release(moved.shop, worker, moved.job);
  return moved;
}

function ask(as: Caller, id: string, request: string, body: object = {}) {
  const [method = "", part] = request.split(" ");
  return worker.call<Json>(as, method as "POST" | "PUT", on(id, part), { body });
}

/** Lets the time until the day pass: nothing is charged, and on the day or after it something is. */
async function expectNoneBefore({ shop, id }: Moved): Promise<void> {
  await worker.tick();
  await advance(shop, worker, 9);
  expect(await chargesOf(id)).toEqual([]);
  await advance(shop, worker, 40);
  const orders = await ordersOf(shop, id);
  expect(orders.length).toBeGreaterThan(0);
  for (const { created_at } of orders) expect(created_at.slice(0, 10) >= day, created_at).toBe(true);
}

test("an import says from when it is charged: from charge_from on, or a later day of the row's", async () => {
  const shop = await openShop();
  const { ids } = await moveIn(
    shop,
    worker,
    [
      rowOf(shop, "a", { next_billing_date: inDays(15) }),
      rowOf(shop, "earlier", { next_billing_date: inDays(15), no_charge_before: inDays(8) }),
      rowOf(shop, "later", { next_billing_date: inDays(15), no_charge_before: inDays(12) }),
      rowOf(shop, "ended", { status: "CANCELLED", next_billing_date: "" }),
    ],
    { charge_from: day },
  );
  const shown = async (ref: string) => (await read(shop, ids[ref]!)).no_charge_before;
  expect(await shown("a")).toBe(day);
  expect(await shown("earlier")).toBe(day);
  expect(await shown("later")).toBe(inDays(12));
  expect(await shown("ended")).toBe(day);
  const listed = must(await api(shop.api, "GET", "/api/subscriptions", { query: { limit: 10 } })).data;
  expect(listed.map((one: Json) => one.no_charge_before).toSorted()).toEqual([day, day, day, inDays(12)]);
});

describe("a date before it is refused at its field, and nothing is charged before the day", () => {
  test.each<[string, boolean]>([
    ["while it is held", false],
    ["once it is released", true],
  ])("of a delivery that a customer or the merchant moves, %s", async (_, isReleased) => {
    const moved = isReleased ? await released() : await movedIn();
    const { shop, id, job, customer } = moved;
    const before = await subscriptionRow(id);
    const actions = await actionsOf(id);
    for (const as of [customer, shop.admin, shop.api])
      for (const next_delivery_date of [inDays(0), inDays(9)]) {
        const refused = await ask(as, id, "PUT schedule", { next_delivery_date });
        expect(refusal(refused)).toEqual([400, "VALIDATION_FAILED"]);
        expect(refused.body.details).toEqual(tooEarly("next_delivery_date"));
      }
    expect(await subscriptionRow(id)).toEqual(before);
    expect(await actionsOf(id)).toEqual(actions);
    must(await ask(customer, id, "PUT schedule", { next_delivery_date: day }));
    if (!isReleased) await release(shop, worker, job);
    await expectNoneBefore(moved);
  });

  test.each([
    ["cancel", "reactivate"],
    ["pause", "resume"],
  ])("of a start after %s by %s, which comes on the first possible day without one", async (end, start) => {
    const moved = await movedIn({
      next_billing_date: day,
      billing_interval: "DAY",
      billing_interval_count: 3,
    });
    const { shop, id, job, customer } = moved;
    must(await ask(customer, id, `POST ${end}`));
    await force(id, { anchor_date: inDays(1), next_index: 0, next_billed_index: 0 });
    if (end === "pause") await force(id, { next_billing_date: inDays(1), next_delivery_date: inDays(1) });
    const refused = await ask(customer, id, `POST ${start}`, { next_delivery_date: inDays(2) });
    expect([...refusal(refused), refused.body.details]).toEqual([
      ...[400, "VALIDATION_FAILED"],
      tooEarly("next_delivery_date"),
    ]);
    must(await ask(customer, id, `POST ${start}`));
    const { next_billing_date, next_delivery_date } = await read(shop, id);
    expect([next_billing_date, next_delivery_date]).toEqual([day, day]);
    await release(shop, worker, job);
    await expectNoneBefore(moved);
  });

  test("of a pause that ends by itself", async () => {
    const moved = await released();
    const { id, customer } = moved;
    must(await ask(customer, id, "POST pause", { pause_until: inDays(2) }));
    await force(id, { next_billing_date: inDays(3), next_delivery_date: inDays(3), anchor_date: inDays(3) });
    await advance(moved.shop, worker, 3);
    expect(await read(moved.shop, id)).toMatchObject({ status: "ACTIVE", next_billing_date: day });
  });

  test("of a slot whose charge is before its delivery", async () => {
    const { shop, id, customer } = await released();
    const weekday = new Date(inDays(11)).getUTCDay() || 7;
    const slot = await addSlot(shop, {
      day_of_week: weekday,
      packing_day_of_week: weekday,
      billing_day_of_week: ((weekday + 4) % 7) + 1,
    });
    const refused = await ask(customer, id, "PUT schedule", {
      next_delivery_date: nextDay(weekday, 11),
      delivery_slot_id: slot,
    });
    expect(refused.body.details).toEqual(tooEarly("next_delivery_date"));
    must(
      await ask(customer, id, "PUT schedule", {
        next_delivery_date: nextDay(weekday, 12),
        delivery_slot_id: slot,
      }),
    );
  });

  test("of many that are moved at once", async () => {
    const { shop, id } = await released();
    const body = { action: "reschedule", input: { date: inDays(2) }, ids: [id] };
    const { data } = must(await worker.call(shop.api, "POST", "/api/bulk", { body }));
    await worker.drain();
    const rows = must(await api(shop.api, "GET", `/api/jobs/${data.id}/rows`)).data;
    expect(rows).toMatchObject([{ status: "FAILED" }]);
    expect(rows[0].errors[0].message).toContain(`before ${day}`);
    expect(await read(shop, id)).toMatchObject({ next_billing_date: inDays(15) });
  });

  test("of a skip that is taken back, a frequency, and a change that is undone", async () => {
    const moved = await released({ next_billing_date: day });
    const { shop, id, customer } = moved;
    must(await ask(customer, id, "POST skip", { skip_weeks: 1 }));
    must(await ask(customer, id, "POST unskip"));
    expect(await read(shop, id)).toMatchObject({ next_billing_date: day });
    await done(shop.api, "PUT", id, "frequency", { interval: "DAY", interval_count: 1 });
    expect(await read(shop, id)).toMatchObject({ next_billing_date: day });
    const later = await ask(shop.api, id, "PUT schedule", { next_delivery_date: inDays(20) });
    const entry_id = later.headers.get("Entry-Id")!;
    await force(id, { no_charge_before: inDays(12) });
    const undone = await ask(shop.api, id, "POST undo", { entry_id });
    expect([...refusal(undone), undone.body.error]).toEqual([
      ...[409, "INVALID_STATE"],
      `Cannot undo: nothing may be charged before ${inDays(12)}`,
    ]);
    await force(id, { no_charge_before: day });
    must(await ask(shop.api, id, "POST undo", { entry_id }));
    await expectNoneBefore(moved);
  });

  test("of deliveries that are paid for: the charge after them comes on the day at the earliest", async () => {
    const { shop, id } = await released({
      ...{
        billing_interval_count: 3,
        delivery_interval: "WEEK",
        delivery_interval_count: 1,
        prepaid_owed: 1,
      },
      ...{ next_delivery_date: inDays(15), next_billing_date: inDays(22), no_charge_before: inDays(22) },
    });
    await done(shop.api, "PUT", id, "frequency", { interval: "DAY", interval_count: 3 });
    expect(await read(shop, id)).toMatchObject({
      next_delivery_date: inDays(15),
      next_billing_date: inDays(22),
    });
  });
});

describe("no attempt starts before it", () => {
  test("ship-now is 409 and names the day, and is possible once the day has come", async () => {
    const { shop, id, customer } = await released();
    for (const as of [customer, shop.api]) {
      const refused = await ask(as, id, "POST ship-now");
      expect([...refusal(refused), refused.body.error]).toEqual([
        ...[409, "INVALID_STATE"],
        `Cannot charge before ${day}, the subscription's no_charge_before`,
      ]);
    }
    expect(await attemptsOf(shop, id)).toEqual([]);
    await advance(shop, worker, 10);
    must(await shipNow(shop, worker, id));
    await worker.drain();
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(await read(shop, id)).toMatchObject({ no_charge_before: day });
  });

  test("what waits, or is owed, is neither retried nor tried with a new card", async () => {
    const { shop, id } = await released({ store_payment_method_id: "pm_insufficient_funds" });
    await advance(shop, worker, 16);
    const tried = (await attemptsOf(shop, id)).length;
    expect(await read(shop, id)).toMatchObject({ is_in_dunning: true, can_retry_payment: true });
    const until = inDays(40);
    await force(id, { no_charge_before: until });
    expect(await read(shop, id)).toMatchObject({ can_retry_payment: false });
    const retried = await ask(shop.api, id, "POST retry-payment");
    expect([...refusal(retried), retried.body.error]).toEqual([
      ...[409, "INVALID_STATE"],
      `Cannot charge before ${until}, the subscription's no_charge_before`,
    ]);
    must(await ask(shop.api, id, "PUT payment-method", { store_payment_method_id: "pm_success" }));
    await advance(shop, worker, 23);
    expect(await attemptsOf(shop, id)).toHaveLength(tried);
    const { data } = must(await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 1 } }));
    expect(data).toMatchObject([{ billing_date: until }]);
    await advance(shop, worker, 2);
    expect((await attemptsOf(shop, id))[0]).toMatchObject({ status: "SUCCEEDED" });
  });

  test("a date before it waits for it: upcoming and the forecast of goods say so", async () => {
    const { shop, id } = await released();
    await force(id, { next_billing_date: inDays(0), next_delivery_date: inDays(0), anchor_date: inDays(0) });
    const { data } = must(await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 1 } }));
    expect(data).toMatchObject([{ billing_date: day, delivery_date: day }]);
    const goods = (from: string, to: string) =>
      api(shop.api, "PUT", on(id, "frequency"), { body: { interval: "MONTH", interval_count: 1 } }).then(() =>
        forecast(shop, { from, to, by: "delivery_date" }),
      );
    const early = await goods(inDays(0), inDays(9));
    expect([early.meta.horizon, cellsIn(early)]).toEqual(["next", []]);
    expect(cellsIn(await goods(day, day))).toEqual([`${day} variant-1 0/2/0`]);
    await worker.tick();
    expect(await attemptsOf(shop, id)).toEqual([]);
    await advance(shop, worker, 10);
    expect((await ordersOf(shop, id)).map(({ delivery_date }) => delivery_date)).toEqual([day]);
  });
});
