/** A customer changes a delivery until its slot's cut-off, and staff change it whenever they want. */
import { beforeAll, describe, expect, test } from "vitest";
import { api, type Caller } from "../../support/client.ts";
import {
  actionsOf,
  addSlot,
  done,
  entriesOf,
  type Json,
  on,
  refusal,
  rowOf,
  subscribe,
} from "../../support/shops.ts";
import { bearer, token } from "../../support/tenant.ts";
import { startClock, useShop } from "../../support/worker.ts";

const { shop } = useShop({ timezone: "America/New_York" });

/** A Tuesday; two days before it the clocks are set forward. */
const delivery = "2027-03-16";
/** 18:00 of that Sunday, by the clocks of summer. */
const cutoff = "2027-03-14T22:00:00.000Z";
const words = "2027-03-14 18:00 (America/New_York)";

let slot: string;
let evening: string;
beforeAll(async () => {
  slot = await addSlot(shop, { day_of_week: 2 }, { cutoff_days: 2, cutoff_time: "18:00" });
  evening = await addSlot(shop, { day_of_week: 2 }, { cutoff_days: 2, cutoff_time: "18:00" });
});

/** A subscription whose next delivery is that Tuesday's, at so many minutes from its cut-off. */
async function subscribed(minutes: number, more: object = {}): Promise<string> {
  await startClock(shop, "2027-03-01T12:00:00.000Z");
  const id = await subscribe(shop, { next_delivery_date: delivery, delivery_slot_id: slot, ...more });
  await startClock(shop, new Date(Date.parse(cutoff) + minutes * 60_000).toISOString());
  return id;
}

type Change = [method: "POST" | "PUT", part: string, body: () => object];
const address = {
  address1: "2 Low Road",
  city: "Leeds",
  zip: "LS1",
  country: "United Kingdom",
  country_code: "GB",
};

const changes: Record<string, Change> = {
  skip: ["POST", "skip", () => ({ skip_weeks: 1 })],
  "skip-deliveries": ["POST", "skip-deliveries", () => ({})],
  "another date": ["PUT", "schedule", () => ({ next_delivery_date: "2027-03-23" })],
  "another slot": ["PUT", "schedule", () => ({ delivery_slot_id: evening })],
  "no slot": ["PUT", "schedule", () => ({ delivery_slot_id: null })],
  address: ["PUT", "delivery-address", () => address],
  instructions: ["PUT", "delivery-instructions", () => ({ delivery_instructions: "At the door" })],
  "instructions of all": [
    "PUT",
    "delivery-instructions",
    () => ({ delivery_instructions: "At the gate", update_all_active: true }),
  ],
};

function ask(as: Caller, id: string, [method, part, body]: Change, query = {}) {
  return api<Json>(as, method, on(id, part), { body: body(), query });
}

describe.each(Object.entries(changes))("%s", (_, change) => {
  test("a customer makes it until the cut-off", async () => {
    const id = await subscribed(-1);
    expect((await ask(shop.customer, id, change)).status).toBe(200);
    await done(shop.api, "POST", id, "cancel");
  });

  test.each([0, 1])(
    "a customer is refused %i minutes after it, by a dry run too, and nothing changes",
    async (minutes) => {
      const id = await subscribed(minutes);
      const before = await rowOf(id);
      for (const query of [{}, { dry_run: true }]) {
        const answer = await ask(shop.customer, id, change, query);
        expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
        expect(answer.body.error).toContain(`its delivery of ${delivery} could be changed until ${words}`);
      }
      expect(await rowOf(id)).toEqual(before);
      expect(await actionsOf(id)).toEqual(["subscription_created"]);
      await done(shop.api, "POST", id, "cancel");
    },
  );

  test("staff and the merchant's key make it whenever they want", async () => {
    for (const as of [shop.api, shop.admin]) {
      const id = await subscribed(1);
      expect((await ask(as, id, change)).status).toBe(200);
      expect(await entriesOf(id)).toHaveLength(2);
      await done(shop.api, "POST", id, "cancel");
    }
  });
});

describe("after the cut-off a customer may still", () => {
  test.each<[string, "POST" | "PUT", object]>([
    ["pause", "POST", {}],
    ["cancel", "POST", {}],
    ["payment-method", "PUT", { store_payment_method_id: "pm_card_declined" }],
    ["frequency", "PUT", { interval: "WEEK", interval_count: 1 }],
  ])("%s", async (part, method, body) => {
    const id = await subscribed(1);
    await done(shop.customer, method, id, part, body);
  });

  test("send what is there already, which changes nothing", async () => {
    const id = await subscribed(-1);
    await done(shop.customer, "PUT", id, "delivery-instructions", { delivery_instructions: "At the door" });
    await startClock(shop, cutoff);
    await done(shop.customer, "PUT", id, "delivery-instructions", { delivery_instructions: "At the door" });
    expect(await actionsOf(id)).toEqual(["subscription_created", "delivery_instructions_updated"]);
  });

  test("change a subscription that is paused, in no slot, or whose delivery has passed", async () => {
    const instructions = { delivery_instructions: "At the door" };
    const paused = await subscribed(1);
    await done(shop.customer, "POST", paused, "pause");
    await done(shop.customer, "PUT", paused, "delivery-instructions", instructions);
    const free = await subscribed(1, { delivery_slot_id: null });
    await done(shop.customer, "PUT", free, "delivery-instructions", instructions);
    const late = await subscribed(3 * 24 * 60);
    await done(shop.customer, "PUT", late, "delivery-instructions", instructions);
  });
});

test("a customer cannot move a later delivery onto a day whose cut-off has passed, nor take a skip of it back", async () => {
  const later = await subscribed(1, { next_delivery_date: "2027-04-13" });
  const moved = await ask(shop.customer, later, [
    "PUT",
    "schedule",
    () => ({ next_delivery_date: delivery }),
  ]);
  expect(refusal(moved)).toEqual([409, "INVALID_STATE"]);
  expect(moved.body.error).toContain(words);
  await done(shop.customer, "PUT", later, "schedule", { next_delivery_date: "2027-03-23" });

  const skipped = await subscribed(-1);
  await done(shop.customer, "POST", skipped, "skip-deliveries");
  await startClock(shop, cutoff);
  expect(refusal(await ask(shop.customer, skipped, ["POST", "unskip", () => ({})]))).toEqual([
    409,
    "INVALID_STATE",
  ]);
  await done(shop.api, "POST", skipped, "unskip", {});
});

test("instructions of all active subscriptions are changed on none while the cut-off of one has passed", async () => {
  const open = await subscribed(1, { delivery_slot_id: null });
  const closed = await subscribed(1);
  const change = [
    "PUT",
    "delivery-instructions",
    () => ({ delivery_instructions: "X", update_all_active: true }),
  ] as const;
  expect(refusal(await ask(shop.customer, open, [...change]))).toEqual([409, "INVALID_STATE"]);
  expect(await actionsOf(open)).toEqual(["subscription_created"]);
  await done(shop.api, "POST", closed, "cancel");
});

test("a subscription says until when, and whether the caller can still change it", async () => {
  const id = await subscribed(-1);
  const shown = async (as: Caller) => {
    const { data } = (await api<Json>(as, "GET", on(id))).body;
    return [data.next_delivery_cutoff_at, data.can_change_next_delivery];
  };
  expect(await shown(shop.customer)).toEqual([cutoff, true]);
  await startClock(shop, cutoff);
  expect(await shown(shop.customer)).toEqual([cutoff, false]);
  expect(await shown(shop.api)).toEqual([cutoff, true]);
  await done(shop.api, "PUT", id, "schedule", { next_delivery_date: "2027-11-09" });
  expect(await shown(shop.customer)).toEqual(["2027-11-07T23:00:00.000Z", true]);
  await done(shop.api, "POST", id, "pause");
  expect(await shown(shop.customer)).toEqual([null, true]);
  await done(shop.api, "POST", id, "cancel");
  expect(await shown(shop.customer)).toEqual([null, false]);
});

test("lines are the merchant's: a customer's token does not reach them before or after the cut-off", async () => {
  const id = await subscribed(-1);
  const theirs = bearer(
    await token(shop.of, { actor_type: "customer", name: "Cy", profile_id: shop.profileId }),
  );
  expect(refusal(await ask(theirs, id, ["POST", "lines", () => ({})]))).toEqual([403, "FORBIDDEN"]);
});
