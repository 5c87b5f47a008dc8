import { describe, expect, test } from "vitest";
import { api, type RequestOptions } from "../support/client.ts";
import {
  actionsOf,
  addSlot,
  done,
  feedOf,
  force,
  inDays,
  inState,
  itemOf,
  type Json,
  nextDay,
  on,
  read,
  refusal,
  rowOf,
  type State,
  states,
  subscribe,
} from "../support/lives.ts";
import { useAccount } from "../support/use-account.ts";

const own = useAccount();

const change = "ok ok ok ok 409 409";
/** The table of states (docs/decisions.md#5-subscriptions-and-their-history), by state (in `order`): the new status, `same` (200, unchanged and unlogged), `ok` (200, the status stays) or 409. */
const table: [string, string, string][] = [
  ["POST pause", "PAUSED PAUSED same 409 409 409", "subscription_paused"],
  ["POST resume", "same same ACTIVE 409 409 409", "subscription_resumed"],
  ["POST cancel", "CANCELLED CANCELLED CANCELLED CANCELLED same 409", "subscription_cancelled"],
  ["POST reactivate", "same same 409 409 ACTIVE ACTIVE", "subscription_reactivated"],
  ["POST skip", "ok ok 409 409 409 409", "subscription_skipped"],
  ["PUT frequency", change, "frequency_changed"],
  ["PUT delivery-instructions", change, "delivery_instructions_updated"],
  ["PUT schedule", change, "delivery_rescheduled"],
  ["PUT delivery-address", change, "delivery_address_changed"],
  ["PUT payment-method", change, "payment_method_changed"],
  ["POST lines", change, "lines_changed"],
  ["PUT lines/{line}", change, "lines_changed"],
  ["DELETE lines/{line}", change, "lines_changed"],
  ["POST discounts", change, "discount_applied"],
];

const bodies: Record<string, () => unknown> = {
  "POST skip": () => ({ skip_weeks: 1 }),
  "PUT frequency": () => ({ interval: "DAY", interval_count: 10 }),
  "PUT delivery-instructions": () => ({ delivery_instructions: "Ring twice" }),
  "PUT schedule": () => ({ next_delivery_date: inDays(20) }),
  "PUT delivery-address": () => ({ address1: "2", city: "C", zip: "Z", country: "UK", country_code: "GB" }),
  "PUT payment-method": () => ({ store_payment_method_id: "pm_pending" }),
  "POST lines": () => itemOf(own.plan),
  "PUT lines/{line}": () => ({ quantity: 3 }),
  "POST discounts": () => ({ title: "T", value: 1, value_type: "FIXED_AMOUNT", target_type: "ORDER" }),
};

const order: State[] = ["ACTIVE", "DUNNING", "PAUSED", "PAYMENT_FAILED", "CANCELLED", "EXPIRED"];
const flags: Record<string, string> = {
  "POST pause": "can_pause",
  "POST resume": "can_resume",
  "POST cancel": "can_cancel",
  "POST reactivate": "can_reactivate",
};
const flagNames = ["can_pause", "can_resume", "can_cancel", "can_reactivate", "can_retry_payment"];
const flagsIn = (body: Json): string[] => flagNames.filter((name) => body[name]);
/** The flags of each state, as the table makes them. */
const expectedFlags: Record<State, string[]> = {
  ACTIVE: ["can_pause", "can_cancel"],
  DUNNING: ["can_pause", "can_cancel", "can_retry_payment"],
  PAUSED: ["can_resume", "can_cancel"],
  PAYMENT_FAILED: ["can_cancel", "can_retry_payment"],
  CANCELLED: ["can_reactivate"],
  EXPIRED: ["can_reactivate"],
};

const cells = table.flatMap(([operation, row, action]) =>
  row.split(/\s+/).map((outcome, at) => ({ operation, action, state: order[at]!, outcome })),
);

test("the table is whole", () => expect(cells).toHaveLength(table.length * order.length));

describe("each operation in each state", () => {
  test.each(cells)("$operation of $state: $outcome", async ({ operation, action, state, outcome }) => {
    const id = await inState(own, state, { lines: [itemOf(own.plan), itemOf(own.plan)] });
    const [method = "", part = ""] = operation.split(" ");
    const before = await read(own, id);
    const rowBefore = await rowOf(id);
    expect(flagsIn(before)).toEqual(expectedFlags[state]);
    expect(before.is_in_dunning).toBe(state === "DUNNING");

    const body = bodies[operation]?.();
    const path = on(id, part.replace("{line}", before.lines[0].id));
    const options: RequestOptions = body === undefined ? {} : { body };
    const answer = await api<Json>(own.api, method, path, options);
    const isTransition = flags[operation] !== undefined;
    if (isTransition) expect(before[flags[operation]!]).toBe(!["same", "409"].includes(outcome));

    if (outcome === "409") {
      expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
      expect(answer.body.error).toContain(states[state].status);
      if (isTransition) expect(answer.body.error).toContain(part);
    } else {
      expect(answer.status, answer.text).toBe(200);
      const status = ["same", "ok"].includes(outcome) ? states[state].status : outcome;
      expect(answer.body.data.status).toBe(status);
      expect(answer.body.data.is_active).toBe(status === "ACTIVE");
      expect(answer.body.data).toEqual(await read(own, id));
    }
    const isChanged = !["same", "409"].includes(outcome);
    expect(await actionsOf(id)).toEqual(["subscription_created", ...(isChanged ? [action] : [])]);
    if (isChanged) expect((await rowOf(id)).revision).toBe(rowBefore.revision + 1);
    else expect(await rowOf(id)).toEqual(rowBefore);
  });
});

describe("unskip and removing a discount, which need something to undo", () => {
  test.each(order)("unskip of %s", async (state) => {
    const id = await subscribe(own);
    const skipped = await done(own.api, "POST", id, "skip", { skip_weeks: 2 });
    const { status } = states[state];
    await force(id, states[state]);
    const answer = await api<Json>(own.api, "POST", on(id, "unskip"));
    const isActive = status === "ACTIVE";
    expect(answer.status).toBe(isActive ? 200 : 409);
    if (!isActive) expect(answer.body.error).toMatch(new RegExp(`unskip.*${status}`));
    else expect(answer.body.data.next_delivery_date < skipped.next_delivery_date).toBe(true);
    expect((await actionsOf(id)).slice(2)).toEqual(isActive ? ["subscription_unskipped"] : []);
  });

  test.each(order)("removing a discount of %s", async (state) => {
    const id = await subscribe(own);
    const discount = { title: "T", value: 1, value_type: "FIXED_AMOUNT", target_type: "ORDER" };
    const { discounts } = await done(own.api, "POST", id, "discounts", discount);
    await force(id, states[state]);
    const answer = await api<Json>(own.api, "DELETE", on(id, `discounts/${discounts[0].id}`));
    expect(answer.status).toBe(["CANCELLED", "EXPIRED"].includes(state) ? 409 : 200);
  });
});

describe("a transition already reached is 200, unless the body asks for something that is not so", () => {
  const pauseFirst = async (body: unknown) => {
    const id = await subscribe(own);
    await done(own.api, "POST", id, "pause", body);
    return id;
  };
  const until = inDays(30);

  test.each<[unknown, unknown, number]>([
    [{}, {}, 200],
    [{ reason: "Away", pause_until: until }, {}, 200],
    [{ reason: "Away", pause_until: until }, { reason: "Away", pause_until: until }, 200],
    [{ reason: "Away", pause_until: until }, { pause_until: until }, 200],
    [{ reason: "Away" }, { reason: "Ill" }, 409],
    [{ reason: "Away" }, { reason: null }, 409],
    [{ pause_until: until }, { pause_until: inDays(31) }, 409],
    [{ pause_until: until }, { pause_until: null }, 409],
    [{}, { pause_until: until }, 409],
    [{}, { pause_until: null, reason: null, pause_reason_id: null }, 200],
  ])("paused with %j, asked again with %j: %i", async (first, second, status) => {
    const id = await pauseFirst(first);
    const row = await rowOf(id);
    const answer = await api<Json>(own.api, "POST", on(id, "pause"), { body: second });
    expect(answer.status).toBe(status);
    if (status === 409) expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
    expect(await rowOf(id)).toEqual(row);
    expect(await actionsOf(id)).toEqual(["subscription_created", "subscription_paused"]);
  });

  test.each<[unknown, unknown, number]>([
    [{}, {}, 200],
    [{ reason: "Enough" }, {}, 200],
    [{ reason: "Enough" }, { reason: "Enough" }, 200],
    [{ reason: "Enough" }, { reason: "Other" }, 409],
    [{ reason: "Enough" }, { reason: null }, 409],
    [{}, { reason: "Other" }, 409],
  ])("cancelled with %j, asked again with %j: %i", async (first, second, status) => {
    const id = await subscribe(own);
    await done(own.api, "POST", id, "cancel", first);
    const row = await rowOf(id);
    expect((await api(own.api, "POST", on(id, "cancel"), { body: second })).status).toBe(status);
    expect(await rowOf(id)).toEqual(row);
  });

  test.each(["resume", "reactivate"])("%s of an active one, with a date", async (part) => {
    const id = await subscribe(own);
    const { next_delivery_date } = await read(own, id);
    const asked = (date: string) =>
      api(own.api, "POST", on(id, part), { body: { next_delivery_date: date } });
    expect((await asked(next_delivery_date)).status).toBe(200);
    expect((await asked(`${next_delivery_date}T12:00:00Z`)).status).toBe(200);
    expect((await asked(inDays(12))).status).toBe(409);
    expect(await actionsOf(id)).toEqual(["subscription_created"]);
  });
});

describe("a whole life", () => {
  test("reads in the feed as it was lived, with who did what", async () => {
    const slot = await addSlot(own, { day_of_week: 4, packing_day_of_week: 2, courier_lead_time_days: 1 });
    const id = await subscribe(own, { delivery_slot_id: slot, next_delivery_date: nextDay(4, 14) });
    await done(own.customer, "POST", id, "skip", { skip_weeks: 1 });
    await done(own.customer, "POST", id, "unskip");
    await done(own.admin, "POST", id, "pause", { reason: "Away" });
    await done(own.customer, "POST", id, "resume");
    await done(own.api, "POST", id, "cancel", { reason: "Enough" });
    await done(own.admin, "POST", id, "reactivate");
    const feed = (await feedOf(own, id)).toReversed();
    expect(feed.map(({ action, actor_type }) => `${action} ${actor_type}`)).toEqual([
      "subscription_created api",
      "subscription_skipped customer",
      "subscription_unskipped customer",
      "subscription_paused admin",
      "subscription_resumed customer",
      "subscription_cancelled api",
      "subscription_reactivated admin",
    ]);
    expect(feed[3]).toMatchObject({
      loggable_id: id,
      subscription_id: id,
      profile_id: own.profileId,
      actor_name: "Ada Admin",
      changes: { status: { from: "ACTIVE", to: "PAUSED" }, pause_reason: { from: null, to: "Away" } },
    });
    expect((await rowOf(id)).revision).toBe(feed.length);
  });

  test("what closes a dunning episode: pause and cancel leave none open, and reactivation starts without", async () => {
    for (const part of ["pause", "cancel"]) {
      const id = await inState(own, "DUNNING");
      const closed = await done(own.api, "POST", id, part);
      expect.soft([part, closed.is_in_dunning, closed.current_dunning_episode]).toEqual([part, false, null]);
      const again = await done(own.api, "POST", id, part === "pause" ? "resume" : "reactivate");
      expect.soft([again.is_in_dunning, again.can_retry_payment]).toEqual([false, false]);
    }
  });
});
