/** A change of frequency, instructions or label concerns what it names, and is one entry or none. */
import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import {
  actionsOf,
  addPlan,
  customerOf,
  done,
  entriesOf,
  feedOf,
  force,
  inDays,
  inState,
  itemOf,
  type Json,
  on,
  refusal,
  rowOf,
  subscribe,
} from "../../support/shops.ts";
import { useAccount } from "../../support/use-account.ts";

const shop = useAccount();
const other = useAccount();
let id: string;
beforeEach(async () => {
  id = await subscribe(shop);
});

function put(part: string, body: unknown) {
  return api<Json>(shop.api, "PUT", on(id, part), { body });
}

async function deliveries(count = 3): Promise<string[]> {
  return (await api<Json>(shop.api, "GET", on(id, "upcoming"), { query: { count } })).body.data.map(
    (one: Json) => one.delivery_date,
  );
}

describe("frequency", () => {
  test("the next dates stay, later ones follow", async () => {
    expect(await deliveries()).toEqual([inDays(7), inDays(14), inDays(21)]);
    const changed = await done(shop.api, "PUT", id, "frequency", { interval: "day", interval_count: 10 });
    expect(changed).toMatchObject({
      billing_interval: "DAY",
      billing_interval_count: 10,
      delivery_interval: "DAY",
      delivery_interval_count: 10,
      frequency_label: "Every 10 days",
      next_delivery_date: inDays(7),
      next_billing_date: inDays(7),
      current_billing_cycle: 1,
    });
    expect(await deliveries()).toEqual([inDays(7), inDays(17), inDays(27)]);
    expect((await feedOf(shop, id))[0]).toMatchObject({
      action: "frequency_changed",
      changes: {
        billing_interval: { from: "WEEK", to: "DAY" },
        delivery_interval_count: { from: 1, to: 10 },
      },
    });
  });

  test.each([
    ["Week", 52, 200],
    ["mOnTh", 24, 200],
    ["YEAR", 3, 200],
    ["day", 365, 200],
    ["WEEK", 53, 400],
    ["MONTH", 25, 400],
    ["YEAR", 4, 400],
    ["DAY", 366, 400],
    ["DAY", 0, 400],
    ["DAY", 1.5, 400],
    ["DAY", "2", 400],
    ["FORTNIGHT", 1, 400],
    ["", 1, 400],
    [null, 1, 400],
    ["WEEK", undefined, 400],
  ])("%j %j: %i", async (interval, interval_count, status) => {
    const answer = await put("frequency", { interval, interval_count });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.data.billing_interval).toBe(String(interval).toUpperCase());
    else expect(await actionsOf(id)).toEqual(["subscription_created"]);
  });

  test("the same again is unchanged and unlogged", async () => {
    const row = await rowOf(id);
    expect((await put("frequency", { interval: "week", interval_count: 1 })).status).toBe(200);
    expect(await rowOf(id)).toEqual(row);
  });

  test.each(["CANCELLED", "EXPIRED"] as const)(
    "%s refuses, whatever is asked, once it makes sense",
    async (state) => {
      id = await inState(shop, state);
      const answer = await put("frequency", { interval: "WEEK", interval_count: 2 });
      expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
      expect(answer.body.error).toMatch(new RegExp(`frequency.*${state}`));
      expect((await put("frequency", { interval: "WEEK", interval_count: 53 })).status).toBe(400);
      expect(refusal(await put("frequency", { interval: "WEEK", interval_count: 1 }))).toEqual([
        409,
        "INVALID_STATE",
      ]);
    },
  );

  test("prepaid: billing and delivery together, in whole deliveries", async () => {
    const plan = await addPlan(shop, {
      billing_interval_count: 4,
      delivery_interval: "WEEK",
      delivery_interval_count: 1,
    });
    id = await subscribe(shop, { lines: [itemOf(plan)] });
    expect(await put("frequency", { interval: "WEEK", interval_count: 8 })).toMatchObject({
      body: {
        data: { billing_interval_count: 8, delivery_interval_count: 2, next_delivery_date: inDays(7) },
      },
    });
    expect(refusal(await put("frequency", { interval: "WEEK", interval_count: 2 }))).toEqual([
      400,
      "FREQUENCY_NOT_OFFERED",
    ]);
    expect((await put("frequency", { interval: "DAY", interval_count: 20 })).status).toBe(200);
    expect(await deliveries()).toEqual([inDays(7), inDays(12), inDays(17)]);
  });

  test("on a monthly schedule in its short month keeps its day of the month", async () => {
    const plan = await addPlan(shop, { billing_interval: "MONTH" });
    id = await subscribe(shop, { lines: [itemOf(plan)], next_delivery_date: "2035-01-31" });
    await force(id, {
      next_index: 1,
      next_billed_index: 1,
      next_delivery_date: "2035-02-28",
      next_billing_date: "2035-02-28",
    });
    await done(shop.api, "PUT", id, "frequency", { interval: "MONTH", interval_count: 2 });
    expect(await deliveries(2)).toEqual(["2035-02-28", "2035-04-30"]);
  });
});

describe("delivery instructions", () => {
  const write = (delivery_instructions: unknown, more: object = {}) =>
    put("delivery-instructions", { delivery_instructions, ...more });

  test("of one", async () => {
    expect((await write("Ring twice")).body.data.delivery_instructions).toBe("Ring twice");
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "delivery_instructions_updated",
      changes: { delivery_instructions: { from: null, to: "Ring twice" } },
    });
    expect((await write("Ring twice")).status).toBe(200);
    expect(await actionsOf(id)).toHaveLength(2);
    expect((await write("", { update_all_active: false })).body.data.delivery_instructions).toBe("");
  });

  test.each([
    ["x".repeat(10_000), 200],
    ["x".repeat(10_001), 400],
    ["😀".repeat(2_500), 200],
    ["😀".repeat(2_501), 400],
    [null, 400],
    [7, 400],
    [undefined, 400],
  ])("at most 10,000 bytes (%#)", async (text, status) => {
    expect((await write(text)).status).toBe(status);
  });

  test("all active ones of the profile at once: an entry each, of those that differ; nobody else's", async () => {
    const { profileId, customer } = await customerOf(shop.of);
    const theirs = { profile_id: profileId };
    const active = [
      await subscribe(shop, theirs),
      await subscribe(shop, theirs),
      await subscribe(shop, theirs),
    ];
    const resting = await Promise.all(
      (["PAUSED", "PAYMENT_FAILED", "CANCELLED", "EXPIRED"] as const).map((state) =>
        inState(shop, state, theirs),
      ),
    );
    const foreign = [await subscribe(shop), await subscribe(other)];
    await done(shop.api, "PUT", active[1]!, "delivery-instructions", { delivery_instructions: "Ring" });
    for (const from of [active[0]!, resting[0]!, resting[1]!]) {
      const body = {
        delivery_instructions: `Ring ${from === active[0] ? "" : from}`.trim(),
        update_all_active: true,
      };
      const { data } = (await api<Json>(customer, "PUT", on(from, "delivery-instructions"), { body })).body;
      expect(data.updated).toBe(3);
      expect(data.subscription_ids.toSorted()).toEqual(active.toSorted());
      for (const one of active)
        expect((await rowOf(one)).delivery_instructions).toBe(body.delivery_instructions);
    }
    id = resting[2]!;
    expect(refusal(await write("Ring", { update_all_active: true }))).toEqual([409, "INVALID_STATE"]);
    expect(await actionsOf(active[0]!)).toHaveLength(4);
    expect(await actionsOf(active[1]!)).toHaveLength(4);
    for (const one of active) expect((await rowOf(one)).revision).toBe(4);
    for (const one of [...resting, ...foreign]) {
      expect((await rowOf(one)).delivery_instructions).toBeNull();
      expect(await actionsOf(one)).toEqual(["subscription_created"]);
    }
    const entry = (await entriesOf(active[2]!)).at(-1);
    expect([entry?.actor_type, entry?.profile_id]).toEqual(["customer", profileId]);
  });

  test("all or none: one that cannot be written leaves all as they were", async () => {
    const { profileId } = await customerOf(shop.of);
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await subscribe(shop, { profile_id: profileId }));
    await execute(
      `CREATE TRIGGER no_change BEFORE UPDATE OF delivery_instructions ON subscriptions WHEN NEW.id = '${ids[2]}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    const body = { delivery_instructions: "Ring", update_all_active: true };
    try {
      expect((await api(shop.api, "PUT", on(ids[0]!, "delivery-instructions"), { body })).status).toBe(500);
    } finally {
      await execute("DROP TRIGGER no_change");
    }
    for (const one of ids) {
      expect((await rowOf(one)).delivery_instructions).toBeNull();
      expect(await actionsOf(one)).toEqual(["subscription_created"]);
    }
  });
});
