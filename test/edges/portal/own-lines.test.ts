/** A customer adds, changes and swaps lines from the catalogue at its prices, within the merchant's settings. */
import { beforeEach, describe, expect, test } from "vitest";
import { api, type Caller } from "../../support/client.ts";
import {
  addPlan,
  addSlot,
  customerOf,
  entriesOf,
  force,
  inState,
  itemOf,
  type Json,
  openShop,
  read,
  refusal,
  rowOf,
  type Shop,
  type State,
  subscribe,
} from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { startClock } from "../../support/worker.ts";
import { message, toolCall, withAllTools } from "../mcp/session.ts";

const allowed = { can_change_quantity: true, can_swap: true, can_add: true, can_remove: true };

let shop: Shop;
let id: string;
let lineId: string;
beforeEach(async () => {
  shop = await openShop();
  await set({ is_enabled: true, ...allowed });
  await list([
    item("variant-1", { price: 11 }),
    item("variant-2", { price: 25, is_one_time_allowed: true }),
    item("variant-3", { price: 7.5 }),
  ]);
  id = await subscribe(shop);
  lineId = (await read(shop, id)).lines[0].id;
});

function set(settings: object) {
  return api(shop.api, "PUT", "/api/account/portal", { body: settings });
}

async function list(items: object[], of = shop) {
  const { status, text } = await api(of.api, "PUT", "/api/account/portal/catalogue", { body: { items } });
  if (status !== 200) throw new Error(text);
}

function item(variant: string, more: object = {}) {
  const title = variant.replace("variant", "Product");
  return { store_product_id: `of-${variant}`, store_variant_id: variant, product_title: title, ...more };
}

function to(subscription: string, line = ""): string {
  return `/api/portal/subscriptions/${subscription}/lines${line && `/${line}`}`;
}

type Sent = { as?: Caller; query?: Record<string, boolean>; headers?: Record<string, string> };

function add(body: object, { as = shop.customer, ...sent }: Sent = {}, subscription = id) {
  return api<Json>(as, "POST", to(subscription), { body, ...sent });
}

function change(body: object, { as = shop.customer, ...sent }: Sent = {}, line = lineId, subscription = id) {
  return api<Json>(as, "PUT", to(subscription, line), { body, ...sent });
}

function remove(line: string, { as = shop.customer, ...sent }: Sent = {}, subscription = id) {
  return api<Json>(as, "DELETE", to(subscription, line), sent);
}

async function choices(subscription = id, as = shop.customer): Promise<Json> {
  return (await api<Json>(as, "GET", to(subscription))).body.data;
}

describe("adding", () => {
  test("takes the catalogue's product and price and the terms of the subscription's plan, and is one entry of the customer's", async () => {
    const { status, body } = await add({ store_variant_id: "variant-2", quantity: 2 });
    expect(status).toBe(200);
    expect(body.data.lines[1]).toMatchObject({
      store_product_id: "of-variant-2",
      product_title: "Product-2",
      price: 25,
      quantity: 2,
      selling_plan_id: shop.plan,
      is_one_time: false,
      sku: null,
    });
    expect(body.data.total).toBe(60);
    expect(await read(shop, id)).toEqual(body.data);
    const last = (await entriesOf(id)).at(-1);
    expect(last).toMatchObject({ action: "lines_changed", actor_type: "customer", actor_name: "Cy" });
    expect(last?.changes.lines.to).toHaveLength(2);
  });

  test("the plan's discount and shipping are those of now", async () => {
    const terms = { discount_type: "PERCENTAGE", discount_value: 20, shipping_amount: 4 };
    await api(shop.api, "PUT", `/api/subscriptions/selling-plans/${shop.plan}`, { body: terms });
    const { data } = (await add({ store_variant_id: "variant-2" })).body;
    expect([data.lines[1].discount_amount, data.shipping_amount]).toEqual([5, 4]);
  });

  test("one-time where the item allows it: in the next order only", async () => {
    const { data } = (await add({ store_variant_id: "variant-2", is_one_time: true })).body;
    expect(data.lines[1]).toMatchObject({ is_one_time: true, price: 25 });
    const upcoming = await api<Json>(shop.customer, "GET", `/api/subscriptions/${id}/upcoming`, {
      query: { count: 2 },
    });
    expect(upcoming.body.data.map(({ total }: Json) => total)).toEqual([35, 10]);
    expect(refusal(await add({ store_variant_id: "variant-3", is_one_time: true }))).toEqual([
      400,
      "ITEM_NOT_OFFERED",
    ]);
  });

  test("an item that a line has is 409: more of it is a matter of quantity; beside it one may be one-time", async () => {
    await add({ store_variant_id: "variant-2" });
    expect(refusal(await add({ store_variant_id: "variant-2" }))).toEqual([409, "INVALID_STATE"]);
    expect((await add({ store_variant_id: "variant-2", is_one_time: true })).status).toBe(200);
    expect(refusal(await add({ store_variant_id: "variant-2", is_one_time: true }))).toEqual([
      409,
      "INVALID_STATE",
    ]);
  });

  test("a price in the request is an unknown field", async () => {
    const { status, body } = await add({ store_variant_id: "variant-2", price: 1 });
    expect([status, body.details]).toEqual([400, [{ path: "price", message: "unknown field" }]]);
  });

  test("a plan that is not sold any more takes nothing new", async () => {
    await api(shop.api, "PUT", `/api/subscriptions/selling-plans/${shop.plan}`, {
      body: { is_active: false },
    });
    expect(refusal(await add({ store_variant_id: "variant-2" }))).toEqual([400, "ITEM_NOT_OFFERED"]);
    expect((await change({ store_variant_id: "variant-2" })).status).toBe(200);
  });

  test("an Idempotency-Key makes it once", async () => {
    const headers = { "Idempotency-Key": "once" };
    const first = await add({ store_variant_id: "variant-2" }, { headers });
    const again = await add({ store_variant_id: "variant-2" }, { headers });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await read(shop, id)).lines).toHaveLength(2);
  });
});

describe("changing the quantity", () => {
  test("keeps the line's own price", async () => {
    const { status, body } = await change({ quantity: 3 });
    expect([status, body.data.lines[0].price, body.data.total]).toEqual([200, 10, 30]);
    expect((await entriesOf(id)).at(-1)).toMatchObject({ action: "lines_changed", actor_type: "customer" });
  });

  test("goes up to max_quantity; what the merchant has set higher may stay, and be lowered", async () => {
    await set({ max_quantity: 5 });
    expect((await change({ quantity: 5 })).status).toBe(200);
    const over = await change({ quantity: 6 });
    expect([over.status, over.body.details]).toEqual([
      400,
      [{ path: "quantity", message: "must be at most 5" }],
    ]);
    expect(refusal(await add({ store_variant_id: "variant-2", quantity: 6 }))).toEqual([
      400,
      "VALIDATION_FAILED",
    ]);
    await api(shop.api, "PUT", `/api/subscriptions/${id}/lines/${lineId}`, { body: { quantity: 50 } });
    expect((await change({ quantity: 50 })).status).toBe(200);
    expect((await change({ quantity: 4 })).body.data.lines[0].quantity).toBe(4);
  });

  test("to what it is changes nothing, and is no entry", async () => {
    const before = await rowsOf(shop.of.account.id);
    expect((await change({ quantity: 1 })).status).toBe(200);
    expect((await change({})).status).toBe(200);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
  });
});

describe("swapping", () => {
  test("takes the catalogue's product and price, keeps the line's id, quantity, plan and its discount", async () => {
    const plan = await addPlan(shop, { discount_type: "PERCENTAGE", discount_value: 10 });
    const boxed = {
      sku: "OLD",
      quantity: 2,
      selection_items: [{ ...itemOf(plan), slot_id: "s", selling_plan_id: undefined }],
    };
    const other = await subscribe(shop, { lines: [itemOf(plan, boxed)] });
    const [line] = (await read(shop, other)).lines;
    const { status, body } = await change({ store_variant_id: "variant-2" }, {}, line.id, other);
    expect(status).toBe(200);
    expect(body.data.lines).toMatchObject([
      {
        id: line.id,
        store_variant_id: "variant-2",
        price: 25,
        quantity: 2,
        selling_plan_id: plan,
        discount_amount: 5,
        sku: null,
        selection_items: null,
      },
    ]);
  });

  test("and quantity go together, in one entry", async () => {
    const { data } = (await change({ store_variant_id: "variant-3", quantity: 4 })).body;
    expect([data.lines[0].price, data.total]).toEqual([7.5, 30]);
    expect((await entriesOf(id)).filter(({ action }) => action === "lines_changed")).toHaveLength(1);
  });

  test("a line for what it is already keeps its price", async () => {
    const before = await rowsOf(shop.of.account.id);
    const { data } = (await change({ store_variant_id: "variant-1" })).body;
    expect(data.lines[0].price).toBe(10);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
  });

  test("for what another line has is 409", async () => {
    await add({ store_variant_id: "variant-2" });
    expect(refusal(await change({ store_variant_id: "variant-2" }))).toEqual([409, "INVALID_STATE"]);
  });

  test("a one-time line, only for an item that may be one", async () => {
    const { data } = (await add({ store_variant_id: "variant-2", is_one_time: true })).body;
    expect(refusal(await change({ store_variant_id: "variant-3" }, {}, data.lines[1].id))).toEqual([
      400,
      "ITEM_NOT_OFFERED",
    ]);
  });
});

test("removing takes a line out, but never the last recurring one", async () => {
  const added = (await add({ store_variant_id: "variant-2" })).body.data.lines[1].id;
  const once = (await add({ store_variant_id: "variant-2", is_one_time: true })).body.data.lines[2].id;
  expect((await remove(lineId)).body.data.lines.map((line: Json) => line.id)).toEqual([added, once]);
  expect(refusal(await remove(added))).toEqual([409, "INVALID_STATE"]);
  expect((await remove(once)).body.data.lines).toHaveLength(1);
  expect(refusal(await remove(once))).toEqual([404, "NOT_FOUND"]);
});

describe("what is not in the catalogue for the subscription is 400 ITEM_NOT_OFFERED", () => {
  const expectNotOffered = async (variant: string, subscription = id) => {
    const [line] = (await read(shop, subscription)).lines;
    for (const answer of [
      await add({ store_variant_id: variant }, {}, subscription),
      await change({ store_variant_id: variant }, {}, line.id, subscription),
    ]) {
      expect(refusal(answer)).toEqual([400, "ITEM_NOT_OFFERED"]);
      expect(answer.body.details[0].path).toBe("store_variant_id");
    }
  };

  test("a variant that it does not list", () => expectNotOffered("variant-9"));

  test("an item that is for other plans", async () => {
    const other = await addPlan(shop);
    await list([item("variant-2", { price: 5, selling_plan_ids: [other] })]);
    await expectNotOffered("variant-2");
    await list([item("variant-2", { price: 5, selling_plan_ids: [other, shop.plan] })]);
    expect((await add({ store_variant_id: "variant-2" })).status).toBe(200);
  });

  test("any item where the subscription is in another currency than the catalogue", async () => {
    await force(id, { currency_code: "EUR" });
    await expectNotOffered("variant-2");
    expect((await choices()).items).toEqual([]);
    expect((await change({ quantity: 2 })).status).toBe(200);
  });

  test("an item for all plans where one charge pays for several deliveries: its price has to be set for that plan", async () => {
    const plan = await addPlan(shop, { billing_interval_count: 3, delivery_interval_count: 1 });
    const prepaid = await subscribe(shop, { lines: [itemOf(plan)] });
    await expectNotOffered("variant-2", prepaid);
    expect((await add({ store_variant_id: "variant-2", is_one_time: true }, {}, prepaid)).status).toBe(200);
    await list([item("variant-2", { price: 70, selling_plan_ids: [plan] })]);
    expect((await add({ store_variant_id: "variant-2" }, {}, prepaid)).body.data.lines[2].price).toBe(70);
  });
});

test("while deliveries are paid for, customers change nothing that is in them; a one-time line waits for the next charge", async () => {
  const plan = await addPlan(shop, { billing_interval_count: 3, delivery_interval_count: 1 });
  await list([item("variant-2", { price: 70, selling_plan_ids: [plan], is_one_time_allowed: true })]);
  const prepaid = await subscribe(shop, { lines: [itemOf(plan), itemOf(plan, { store_variant_id: "b" })] });
  const { next_index } = await rowOf(prepaid);
  await force(prepaid, { next_billed_index: next_index + 2 });
  const [line] = (await read(shop, prepaid)).lines;
  const before = await rowsOf(shop.of.account.id);
  for (const answer of [
    await change({ quantity: 9 }, {}, line.id, prepaid),
    await change({ store_variant_id: "variant-2" }, {}, line.id, prepaid),
    await add({ store_variant_id: "variant-2" }, {}, prepaid),
    await remove(line.id, {}, prepaid),
  ])
    expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
  expect(await rowsOf(shop.of.account.id)).toBe(before);
  expect((await choices(prepaid)).items).toMatchObject([
    { can_add: false, can_add_one_time: true, swap_line_ids: [] },
  ]);
  expect((await add({ store_variant_id: "variant-2", is_one_time: true }, {}, prepaid)).status).toBe(200);
});

test("from the cut-off of the next delivery on, nothing can be changed, and nothing is listed", async () => {
  const clock = await openShop();
  shop = clock;
  await set({ is_enabled: true, ...allowed });
  await list([item("variant-2", { price: 25 })]);
  await startClock(clock, "2027-03-01T12:00:00.000Z");
  const slot = await addSlot(clock, { day_of_week: 2 }, { cutoff_days: 2, cutoff_time: "18:00" });
  const late = await subscribe(clock, {
    next_delivery_date: "2027-03-16",
    delivery_slot_id: slot,
    lines: [itemOf(clock.plan), itemOf(clock.plan, { store_variant_id: "variant-3" })],
  });
  const [line] = (await read(clock, late)).lines;
  expect((await choices(late)).items).toHaveLength(1);
  await startClock(clock, "2027-03-15T12:00:00.000Z");
  for (const answer of [
    await add({ store_variant_id: "variant-2" }, {}, late),
    await change({ quantity: 2 }, {}, line.id, late),
    await change({ store_variant_id: "variant-2" }, { query: { dry_run: true } }, line.id, late),
    await remove(line.id, {}, late),
  ]) {
    expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
    expect(answer.body.error).toContain("could be changed until");
  }
  const closed = { can_change_quantity: false, can_swap: false, can_remove: false };
  expect(await choices(late)).toMatchObject({ lines: [closed, closed], items: [] });
});

describe("the states", () => {
  test.each<[State, boolean]>([
    ["ACTIVE", true],
    ["DUNNING", true],
    ["PAUSED", true],
    ["PAYMENT_FAILED", true],
    ["CANCELLED", false],
    ["EXPIRED", false],
  ])("%s: %s", async (state, isPossible) => {
    const one = await inState(shop, state);
    const [line] = (await read(shop, one)).lines;
    const expected = isPossible ? [200, undefined] : [409, "INVALID_STATE"];
    expect(refusal(await add({ store_variant_id: "variant-2" }, {}, one))).toEqual(expected);
    expect(refusal(await change({ quantity: 2 }, {}, line.id, one))).toEqual(expected);
    expect(refusal(await change({ store_variant_id: "variant-3" }, {}, line.id, one))).toEqual(expected);
    expect(refusal(await remove(line.id, {}, one))).toEqual(expected);
    expect((await choices(one)).lines.some((each: Json) => each.can_change_quantity)).toBe(isPossible);
  });
});

describe("the merchant's settings bind customers", () => {
  const requests: [setting: string, tool: string, body: Json, send: (sent: Sent) => Promise<Json>][] = [
    [
      "can_add",
      "addOwnLine",
      { store_variant_id: "variant-2" },
      (sent) => add({ store_variant_id: "variant-2" }, sent),
    ],
    ["can_change_quantity", "changeOwnLine", { quantity: 2 }, (sent) => change({ quantity: 2 }, sent)],
    [
      "can_swap",
      "changeOwnLine",
      { store_variant_id: "variant-2" },
      (sent) => change({ store_variant_id: "variant-2" }, sent),
    ],
    ["can_remove", "removeOwnLine", {}, (sent) => remove(lineId, sent)],
  ];

  test.each(requests)(
    "%s: 403 by HTTP, by MCP and in a dry run; nothing changes",
    async (setting, tool, body, send) => {
      await set({ [setting]: false });
      const before = await rowsOf(shop.of.account.id);
      for (const query of [{}, { dry_run: true }])
        expect(refusal(await send({ query }))).toEqual([403, "FORBIDDEN"]);
      const called = await message<Json>(
        shop.customer,
        toolCall(tool, { id, ...(tool === "addOwnLine" ? {} : { lineId }), ...body }),
        { path: withAllTools },
      );
      expect(JSON.parse(called.body.result.content[0].text).errorCode).toBe("FORBIDDEN");
      expect(await rowsOf(shop.of.account.id)).toBe(before);
    },
  );

  test("a swap with another quantity needs both", async () => {
    await set({ can_change_quantity: false });
    expect(refusal(await change({ store_variant_id: "variant-2", quantity: 2 }))).toEqual([403, "FORBIDDEN"]);
  });

  test("a new account lets customers do none of it", async () => {
    const fresh = await openShop();
    await api(fresh.api, "PUT", "/api/account/portal", { body: { is_enabled: true } });
    await list([item("variant-2", { price: 25 })], fresh);
    const one = await subscribe(fresh);
    expect(await choices(one, fresh.customer)).toMatchObject({
      lines: [{ can_change_quantity: false, can_swap: false, can_remove: false }],
      items: [],
    });
    expect(refusal(await add({ store_variant_id: "variant-2" }, { as: fresh.customer }, one))).toEqual([
      403,
      "FORBIDDEN",
    ]);
  });
});

test("the list says what is accepted: each choice succeeds as a dry run, what it leaves out is refused", async () => {
  await add({ store_variant_id: "variant-2" });
  const { lines } = await read(shop, id);
  const listed = await choices();
  expect(listed).toMatchObject({ currency_code: "USD", max_quantity: 10 });
  expect(listed.items.map((one: Json) => [one.store_variant_id, one.can_add, one.can_add_one_time])).toEqual([
    ["variant-2", false, true],
    ["variant-3", true, false],
  ]);
  const query = { dry_run: true };
  for (const variant of ["variant-1", "variant-2", "variant-3"]) {
    const one = listed.items.find((each: Json) => each.store_variant_id === variant);
    const isAccepted = async (body: object) =>
      (await add({ store_variant_id: variant, ...body }, { query })).status === 200;
    expect([await isAccepted({}), await isAccepted({ is_one_time: true })]).toEqual([
      one?.can_add ?? false,
      one?.can_add_one_time ?? false,
    ]);
    for (const line of lines) {
      if (line.store_variant_id === variant) continue;
      const { status } = await change({ store_variant_id: variant }, { query }, line.id);
      expect([variant, status === 200]).toEqual([variant, one?.swap_line_ids.includes(line.id) ?? false]);
    }
  }
  for (const choice of listed.lines) {
    expect(choice).toMatchObject({ can_change_quantity: true, can_swap: true, can_remove: true });
    expect((await remove(choice.line_id, { query })).status).toBe(200);
  }
});

test("a dry run answers what would be, and writes nothing", async () => {
  const before = await rowsOf(shop.of.account.id);
  const query = { dry_run: true };
  const dry = await add({ store_variant_id: "variant-2" }, { query });
  expect([dry.status, dry.body.data.total]).toEqual([200, 35]);
  expect((await change({ quantity: 2 }, { query })).body.data.total).toBe(20);
  expect((await change({ store_variant_id: "variant-3" }, { query })).body.data.total).toBe(7.5);
  expect(refusal(await remove(lineId, { query }))).toEqual([409, "INVALID_STATE"]);
  expect(await rowsOf(shop.of.account.id)).toBe(before);
});

describe("who", () => {
  test("another customer's subscription is 404, and nothing changes", async () => {
    const { customer } = await customerOf(shop.of);
    const before = await rowsOf(shop.of.account.id);
    expect((await api(customer, "GET", to(id))).status).toBe(404);
    for (const answer of [
      await add({ store_variant_id: "variant-2" }, { as: customer }),
      await change({ quantity: 2 }, { as: customer }),
      await remove(lineId, { as: customer }),
    ])
      expect(refusal(answer)).toEqual([404, "NOT_FOUND"]);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
  });

  test("a key alone is 401, staff's token 403, and a customer 403 while the portal is off", async () => {
    expect((await api(shop.api, "GET", to(id))).status).toBe(401);
    expect(refusal(await add({ store_variant_id: "variant-2" }, { as: shop.admin }))).toEqual([
      403,
      "FORBIDDEN",
    ]);
    await set({ is_enabled: false });
    expect(refusal(await change({ quantity: 2 }))).toEqual([403, "FORBIDDEN"]);
  });
});

test("what one operation does another takes back, as long as the catalogue has it", async () => {
  const before = (await read(shop, id)).lines;
  await change({ quantity: 3 });
  await change({ quantity: 1 });
  const added = (await add({ store_variant_id: "variant-2" })).body.data.lines[1].id;
  await remove(added);
  expect((await read(shop, id)).lines).toEqual(before);
  await change({ store_variant_id: "variant-2" });
  const back = (await change({ store_variant_id: "variant-1" })).body.data.lines;
  expect(back).toMatchObject([{ id: lineId, store_variant_id: "variant-1", price: 11 }]);
});
