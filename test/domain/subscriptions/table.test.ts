/** Each operation in each state of a subscription has the outcome of the table, and its entry in the history. */
import { describe, expect, test } from "vitest";
import { api, type RequestOptions } from "../../support/client.ts";
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
  states,
  subscribe,
} from "../../support/shops.ts";
import { useAccount } from "../../support/use-account.ts";
import { bodies, cells, expectedFlags, flagsIn, stateOrder, table, transitionFlags } from "./table.setup.ts";

const account = useAccount();

test("the table has a cell for every operation and state", () =>
  expect(cells).toHaveLength(table.length * stateOrder.length));

describe("each operation in each state", () => {
  test.each(cells)("$operation of $state: $outcome", async ({ operation, action, state, outcome }) => {
    const id = await inState(account, state, { lines: [itemOf(account.plan), itemOf(account.plan)] });
    const [method = "", part = ""] = operation.split(" ");
    const before = await read(account, id);
    const rowBefore = await rowOf(id);
    expect(flagsIn(before)).toEqual(expectedFlags[state]);
    expect(before.is_in_dunning).toBe(state === "DUNNING");

    const body = bodies[operation]?.(account.plan);
    const path = on(id, part.replace("{line}", before.lines[0].id));
    const options: RequestOptions = body === undefined ? {} : { body };
    const answer = await api<Json>(account.api, method, path, options);
    const isTransition = transitionFlags[operation] !== undefined;
    if (isTransition) expect(before[transitionFlags[operation]!]).toBe(!["same", "409"].includes(outcome));

    if (outcome === "409") {
      expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
      expect(answer.body.error).toContain(states[state].status);
      if (isTransition) expect(answer.body.error).toContain(part);
    } else {
      expect(answer.status, answer.text).toBe(200);
      const status = ["same", "ok"].includes(outcome) ? states[state].status : outcome;
      expect(answer.body.data.status).toBe(status);
      expect(answer.body.data.is_active).toBe(status === "ACTIVE");
      expect(answer.body.data).toEqual(await read(account, id));
    }
    const isChanged = !["same", "409"].includes(outcome);
    expect(await actionsOf(id)).toEqual(["subscription_created", ...(isChanged ? [action] : [])]);
    if (isChanged) expect((await rowOf(id)).revision).toBe(rowBefore.revision + 1);
    else expect(await rowOf(id)).toEqual(rowBefore);
  });
});

describe("unskip and the removal of a discount, which need something to undo", () => {
  test.each(stateOrder)("unskip of %s", async (state) => {
    const id = await subscribe(account);
    const skipped = await done(account.api, "POST", id, "skip", { skip_weeks: 2 });
    const { status } = states[state];
    await force(id, states[state]);
    const answer = await api<Json>(account.api, "POST", on(id, "unskip"));
    const isActive = status === "ACTIVE";
    expect(answer.status).toBe(isActive ? 200 : 409);
    if (!isActive) expect(answer.body.error).toMatch(new RegExp(`unskip.*${status}`));
    else expect(answer.body.data.next_delivery_date < skipped.next_delivery_date).toBe(true);
    expect((await actionsOf(id)).slice(2)).toEqual(isActive ? ["subscription_unskipped"] : []);
  });

  test.each(stateOrder)("removing a discount of %s", async (state) => {
    const id = await subscribe(account);
    const discount = { title: "T", value: 1, value_type: "FIXED_AMOUNT", target_type: "ORDER" };
    const { discounts } = await done(account.api, "POST", id, "discounts", discount);
    await force(id, states[state]);
    const answer = await api<Json>(account.api, "DELETE", on(id, `discounts/${discounts[0].id}`));
    expect(answer.status).toBe(["CANCELLED", "EXPIRED"].includes(state) ? 409 : 200);
  });
});

describe("a transition to the current state is 200, unless the body asks for something else", () => {
  const pauseFirst = async (body: unknown) => {
    const id = await subscribe(account);
    await done(account.api, "POST", id, "pause", body);
    return id;
  };
  const until = inDays(30);

  test.each<[unknown, unknown, number]>([
    [{}, {}, 200],
    [{ reason: "Away", pause_until: until }, {}, 200],
    [{ reason: "Away", pause_until: until }, { reason: "Away", pause_until: until }, 200],
    [{ reason: "Away", pause_until: until }, { pause_until: until }, 200],
    [{}, { pause_until: null, reason: null, pause_reason_id: null }, 200],
  ])("a subscription paused with %j answers a pause with %j with %i", async (first, second, status) => {
    const id = await pauseFirst(first);
    const row = await rowOf(id);
    const answer = await api<Json>(account.api, "POST", on(id, "pause"), { body: second });
    expect(answer.status).toBe(status);
    expect(await rowOf(id)).toEqual(row);
    expect(await actionsOf(id)).toEqual(["subscription_created", "subscription_paused"]);
  });

  test.each<[object, object]>([
    [{ reason: "Away" }, { reason: "Ill" }],
    [{ reason: "Away" }, { reason: null }],
    [{ pause_until: until }, { pause_until: inDays(31) }],
    [{ pause_until: until }, { pause_until: null }],
    [{ reason: "Away" }, { pause_until: until }],
  ])(
    "a subscription paused with %j that is paused with %j has both, the last first",
    async (first, second) => {
      const id = await pauseFirst(first);
      const { reason, pause_until } = { reason: null, pause_until: null, ...first, ...second };
      const changed = await done(account.api, "POST", id, "pause", second);
      expect(changed).toMatchObject({ status: "PAUSED", pause_reason: reason, pause_until });
      expect((await actionsOf(id)).slice(1)).toEqual(["subscription_paused", "subscription_paused"]);
    },
  );

  test.each<[unknown, unknown, number]>([
    [{}, {}, 200],
    [{ reason: "Enough" }, {}, 200],
    [{ reason: "Enough" }, { reason: "Enough" }, 200],
    [{ reason: "Enough" }, { reason: "Other" }, 409],
    [{ reason: "Enough" }, { reason: null }, 409],
    [{}, { reason: "Other" }, 409],
  ])(
    "a subscription cancelled with %j answers a cancellation with %j with %i",
    async (first, second, status) => {
      const id = await subscribe(account);
      await done(account.api, "POST", id, "cancel", first);
      const row = await rowOf(id);
      expect((await api(account.api, "POST", on(id, "cancel"), { body: second })).status).toBe(status);
      expect(await rowOf(id)).toEqual(row);
    },
  );

  test.each(["resume", "reactivate"])(
    "%s of an active subscription succeeds only with its next date",
    async (part) => {
      const id = await subscribe(account);
      const { next_delivery_date } = await read(account, id);
      const resumeOn = (date: string) =>
        api(account.api, "POST", on(id, part), { body: { next_delivery_date: date } });
      expect((await resumeOn(next_delivery_date)).status).toBe(200);
      expect((await resumeOn(`${next_delivery_date}T12:00:00Z`)).status).toBe(200);
      expect((await resumeOn(inDays(12))).status).toBe(409);
      expect(await actionsOf(id)).toEqual(["subscription_created"]);
    },
  );
});

describe("the history of a subscription", () => {
  test("lists in the feed each action, in order, with its actor", async () => {
    const slot = await addSlot(account, {
      day_of_week: 4,
      packing_day_of_week: 2,
      courier_lead_time_days: 1,
    });
    const id = await subscribe(account, { delivery_slot_id: slot, next_delivery_date: nextDay(4, 14) });
    await done(account.customer, "POST", id, "skip", { skip_weeks: 1 });
    await done(account.customer, "POST", id, "unskip");
    await done(account.admin, "POST", id, "pause", { reason: "Away" });
    await done(account.customer, "POST", id, "resume");
    await done(account.api, "POST", id, "cancel", { reason: "Enough" });
    await done(account.admin, "POST", id, "reactivate");
    const feed = (await feedOf(account, id)).toReversed();
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
      profile_id: account.profileId,
      actor_name: "Ada Admin",
      changes: { status: { from: "ACTIVE", to: "PAUSED" }, pause_reason: { from: null, to: "Away" } },
    });
    expect((await rowOf(id)).revision).toBe(feed.length);
  });

  test("a pause keeps the dunning episode, and a cancellation closes it", async () => {
    for (const [part, back, isOwed] of [
      ["pause", "resume", true],
      ["cancel", "reactivate", false],
    ] as const) {
      const id = await inState(account, "DUNNING");
      const ended = await done(account.api, "POST", id, part);
      expect.soft([part, ended.is_in_dunning, ended.can_retry_payment]).toEqual([part, isOwed, false]);
      const again = await done(account.api, "POST", id, back);
      expect.soft([again.is_in_dunning, again.can_retry_payment]).toEqual([isOwed, isOwed]);
    }
  });
});
