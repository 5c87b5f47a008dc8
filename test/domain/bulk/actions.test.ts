/** A bulk action changes each subscription as the single call does. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import {
  addSlot,
  entriesOf,
  inDays,
  itemOf,
  type Json,
  nextDay,
  on,
  openShop,
  read,
  type Shop,
} from "../../support/shops.ts";
import { discount, rowsOf, useBulk } from "./bulk-jobs.ts";

const { worker, addOne, bulk, undo } = useBulk();

type Call = (id: string, shown: Json) => [method: "POST" | "PUT" | "DELETE", part: string, body?: object];
type Case = {
  make?: (of: Shop) => Promise<string>;
  input: (of: Shop) => object;
  call: (of: Shop) => Call;
  before?: (of: Shop, id: string) => Promise<unknown>;
};

const slots = { from: "", to: "", shop: "" };

/** A subscription in one of two slots of a day. */
async function inSlot(shop: Shop): Promise<string> {
  if (slots.shop !== shop.of.account.id) {
    const [from, to] = [await addSlot(shop, { day_of_week: 4 }), await addSlot(shop, { day_of_week: 4 })];
    Object.assign(slots, { from, to, shop: shop.of.account.id });
  }
  return addOne(shop, { delivery_slot_id: slots.from, next_delivery_date: nextDay(4, 20) });
}

/** Each action, and the call of the API's own operation that does the same to one subscription. */
const cases: Record<string, Case> = {
  swap_variant: {
    input: () => ({ from: "old", to: { store_variant_id: "new", product_title: "New" }, price: 8 }),
    call:
      () =>
      (_, { lines }) => [
        "PUT",
        `lines/${lines[0].id}`,
        { store_variant_id: "new", product_title: "New", price: 8 },
      ],
  },
  change_price: {
    input: () => ({ store_variant_id: "old", price: 8, from_cycle: 1 }),
    call:
      () =>
      (_, { lines }) => ["PUT", `lines/${lines[0].id}`, { price: 8 }],
  },
  move_slot: {
    make: inSlot,
    input: () => ({ from_slot_id: slots.from, to_slot_id: slots.to }),
    call: () => () => ["PUT", "schedule", { delivery_slot_id: slots.to }],
  },
  skip_deliveries: {
    input: () => ({ count: 2 }),
    call: () => () => ["POST", "skip-deliveries", { count: 2 }],
  },
  reschedule: {
    input: () => ({ date: inDays(50) }),
    call: () => () => ["PUT", "schedule", { next_delivery_date: inDays(50) }],
  },
  pause: {
    input: () => ({ until: inDays(90) }),
    call: () => () => ["POST", "pause", { pause_until: inDays(90) }],
  },
  resume: {
    before: (of, id) => api(of.api, "POST", on(id, "pause")),
    input: () => ({}),
    call: () => () => ["POST", "resume"],
  },
  cancel: {
    input: () => ({ reason: "Sold out" }),
    call: () => () => ["POST", "cancel", { reason: "Sold out" }],
  },
  apply_discount: { input: () => discount, call: () => () => ["POST", "discounts", discount] },
  remove_discount: {
    before: (of, id) => api(of.api, "POST", on(id, "discounts"), { body: discount }),
    input: () => ({ title: "Sorry" }),
    call:
      () =>
      (_, { discounts }) => ["DELETE", `discounts/${discounts[0].id}`],
  },
  add_one_time_line: {
    input: ({ plan }) => itemOf(plan, { store_variant_id: "gift", price: 0 }),
    call:
      ({ plan }) =>
      () => ["POST", "lines", { ...itemOf(plan, { store_variant_id: "gift", price: 0 }), is_one_time: true }],
  },
  set_instructions: {
    input: () => ({ delivery_instructions: "Ring twice" }),
    call: () => () => ["PUT", "delivery-instructions", { delivery_instructions: "Ring twice" }],
  },
  retry_payment: { make: inDunning, input: () => ({}), call: () => () => ["POST", "retry-payment"] },
};

/** Without ids, times, numbers and the job: what two subscriptions that had the same done to them have in common. */
function comparable(value: unknown): Json {
  const text = JSON.stringify(value, (key, each) =>
    ["job_id", "number", "store_contract_id"].includes(key) ? undefined : each,
  );
  return JSON.parse(
    text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id").replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time"),
  );
}

async function stateOf(shop: Shop, id: string) {
  const entries = (await entriesOf(id)).map(({ action, changes, metadata, actor_type, actor_name }) => ({
    ...{ action, changes, metadata: metadata ?? {}, actor_type, actor_name },
  }));
  return comparable([await read(shop, id), entries]);
}

/** A subscription in dunning, whose payment can be tried again. */
async function inDunning(shop: Shop): Promise<string> {
  const id = await addOne(shop, {
    store_payment_method_id: "pm_card_declined",
    next_delivery_date: inDays(0),
  });
  await worker.call(shop.api, "POST", on(id, "ship-now"));
  await worker.drain();
  return id;
}

describe("a bulk is the same loop of single calls", () => {
  test.each(Object.entries(cases))("%s", async (action, { make = addOne, input, call, before }) => {
    const shop = await openShop();
    const [one, other] = [await make(shop), await make(shop)];
    for (const id of [one, other]) await before?.(shop, id);
    const shown = await read(shop, other);
    const [method, part, body] = call(shop)(other, shown);
    const single = await worker.call(shop.api, method, on(other, part), body ? { body } : {});
    expect(single.status, single.text).toBe(200);
    await worker.drain();
    const notice = action === "change_price" || action === "swap_variant" ? { notice_days: 0 } : {};
    const dry = await bulk(shop, { action, input: input(shop), ids: [one], ...notice }, { dry_run: true });
    expect(dry).toMatchObject({ status: "DONE", done: 1 });
    const job = await bulk(shop, { action, input: input(shop), ids: [one], ...notice });
    expect(job, JSON.stringify(await rowsOf(shop, job.id))).toMatchObject({
      status: "DONE",
      total: 1,
      done: 1,
    });
    expect(job.summary).toEqual(dry.summary);
    expect(await stateOf(shop, one)).toEqual(await stateOf(shop, other));
    const entry = (await entriesOf(one)).find(({ metadata }) => metadata?.job_id === job.id);
    expect(entry, "the entry names the job").toBeDefined();
    if (action === "retry_payment") return;
    const undone = await undo(shop, job.id);
    expect(undone, JSON.stringify(await rowsOf(shop, job.id))).toMatchObject({
      status: "UNDONE",
      done: 0,
      undone: 1,
    });
  });
});
