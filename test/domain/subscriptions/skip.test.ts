/** A skip leaves out the deliveries that it names, keeps the cycle, and is undone in turn. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api, type Caller } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import {
  actionsOf,
  addPlan,
  addReason,
  addSlot,
  done,
  entriesOf,
  feedOf,
  force,
  inDays,
  itemOf,
  type Json,
  nextDay,
  on,
  read,
  refusal,
  rowOf,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { useAccount } from "../../support/use-account.ts";

const shop = useAccount();
let id: string;
beforeEach(async () => {
  id = await subscribe(shop);
});

function ask(part: string, body?: unknown, as: Caller = shop.api) {
  return api<Json>(as, "POST", on(id, part), body === undefined ? {} : { body });
}

async function skipsOf(of: Shop = shop): Promise<Json[]> {
  return (await api<Json>(of.api, "GET", on(id, "skips"))).body.data;
}

function dates({ next_billing_date, next_delivery_date, next_production_date }: Json) {
  return [next_billing_date, next_production_date, next_delivery_date];
}

describe("skip", () => {
  test.each([1, 2, 52])("by %i weeks moves dates and anchor, and the cycle stays", async (weeks) => {
    const before = await rowOf(id);
    const skipped = await done(shop.api, "POST", id, "skip", { skip_weeks: weeks });
    const date = inDays(7 + 7 * weeks);
    expect(dates(skipped)).toEqual([date, null, date]);
    expect(skipped.current_billing_cycle).toBe(1);
    expect(await rowOf(id)).toMatchObject({ anchor_date: date, next_index: before.next_index });
  });

  test("with a slot all three dates move, and stay on its days", async () => {
    const slot = await addSlot(shop, { day_of_week: 5, packing_day_of_week: 3, billing_day_of_week: 2 });
    id = await subscribe(shop, { delivery_slot_id: slot, next_delivery_date: nextDay(5, 14) });
    const [billing, production, delivery] = dates(await read(shop, id));
    const later = (date: string) =>
      new Date(Date.parse(date) + 3 * 7 * 86_400_000).toISOString().slice(0, 10);
    const skipped = await done(shop.api, "POST", id, "skip", { skip_weeks: 3 });
    expect(dates(skipped)).toEqual([later(billing), later(production), later(delivery)]);
    expect(skipped.delivery_slot_valid).toBe(true);
  });

  test.each([0, 53, -1, 1.5, "1", null, undefined])("skip_weeks %j is 400", async (skip_weeks) => {
    expect(refusal(await ask("skip", { skip_weeks }))).toEqual([400, "VALIDATION_FAILED"]);
  });

  test("is recorded, with the reason in words", async () => {
    await done(shop.admin, "POST", id, "skip", { skip_weeks: 2, reason: "Away" });
    expect(await skipsOf()).toEqual([
      {
        id: expect.any(String),
        subscription_id: id,
        cycle: 1,
        skip_weeks: 2,
        deliveries: null,
        reason: "Away",
        skip_reason_id: null,
        skip_reason_label: null,
        previous_billing_date: inDays(7),
        previous_delivery_date: inDays(7),
        previous_production_date: null,
        undone_at: null,
        created_at: expect.any(String),
      },
    ]);
    expect((await feedOf(shop, id))[0]).toMatchObject({
      action: "subscription_skipped",
      metadata: { skip_weeks: 2, reason: "Away" },
      changes: { next_delivery_date: { from: inDays(7), to: inDays(21) } },
    });
  });

  test.each([
    ["skip", { skip_weeks: 2 }, "skip_weeks"],
    ["skip-deliveries", { count: 2 }, "count"],
  ])("%s leads no date more than ten years ahead, again and again", async (verb, body, path) => {
    const nearly = inDays(3640);
    await force(id, { anchor_date: nearly, next_delivery_date: nearly, next_billing_date: nearly });
    const { status, body: refused } = await ask(verb, body);
    const message = expect.stringMatching(/^must be \S+ or earlier: no date lies more than 10 years ahead$/);
    expect([status, refused.details]).toEqual([400, [{ path, message }]]);
    expect((await read(shop, id)).next_delivery_date).toBe(nearly);
  });
});

describe("skip-deliveries", () => {
  async function monthly(next_delivery_date: string): Promise<void> {
    const plan = await addPlan(shop, { billing_interval: "MONTH" });
    id = await subscribe(shop, { lines: [itemOf(plan)], next_delivery_date });
  }
  async function upcoming(): Promise<string[]> {
    const { body } = await api<Json>(shop.api, "GET", on(id, "upcoming"), { query: { count: 4 } });
    return body.data.map((one: Json) => one.delivery_date);
  }

  test("leaves out the next delivery and keeps the day of the month; the cycle stays", async () => {
    await monthly("2035-01-31");
    const skipped = await done(shop.api, "POST", id, "skip-deliveries");
    expect(dates(skipped)).toEqual(["2035-02-28", null, "2035-02-28"]);
    expect(skipped.current_billing_cycle).toBe(1);
    expect(await upcoming()).toEqual(["2035-02-28", "2035-03-31", "2035-04-30", "2035-05-31"]);
    expect(await rowOf(id)).toMatchObject({ anchor_date: "2035-01-31", next_index: 1, next_billed_index: 1 });
  });

  test.each([1, 5, 12])("leaves out %i at once", async (count) => {
    await done(shop.api, "POST", id, "skip-deliveries", { count });
    expect((await read(shop, id)).next_delivery_date).toBe(inDays(7 + 7 * count));
  });

  test.each([0, 13, -1, 1.5, "1", null])("count %j is 400 and changes nothing", async (count) => {
    const row = await rowOf(id);
    expect(refusal(await ask("skip-deliveries", { count }))).toEqual([400, "VALIDATION_FAILED"]);
    expect(await rowOf(id)).toEqual(row);
  });

  test("is recorded, in the history and in the list of skips", async () => {
    await done(shop.admin, "POST", id, "skip-deliveries", { count: 2, reason: "Away" });
    expect(await skipsOf()).toMatchObject([
      { skip_weeks: 0, deliveries: 2, reason: "Away", previous_delivery_date: inDays(7), undone_at: null },
    ]);
    expect((await feedOf(shop, id))[0]).toMatchObject({
      action: "subscription_skipped",
      metadata: { deliveries: 2, reason: "Away" },
      changes: { next_delivery_date: { from: inDays(7), to: inDays(21) } },
    });
  });

  test("does not lose deliveries that are paid for: the next billing comes as many later", async () => {
    const quarterly = { billing_interval: "MONTH", billing_interval_count: 3 };
    const plan = await addPlan(shop, {
      ...quarterly,
      delivery_interval: "MONTH",
      delivery_interval_count: 1,
    });
    id = await subscribe(shop, { lines: [itemOf(plan)], next_delivery_date: "2035-01-31" });
    await force(id, { next_index: 1, next_billed_index: 3, next_delivery_date: "2035-02-28" });
    const skipped = await done(shop.api, "POST", id, "skip-deliveries", { count: 2 });
    expect(dates(skipped)).toEqual(["2035-06-30", null, "2035-04-30"]);
    expect(await rowOf(id)).toMatchObject({ next_index: 3, next_billed_index: 5 });
  });

  test("and unskip keeps them too: they come before the next billing, as they did", async () => {
    const plan = await addPlan(shop, {
      ...{ billing_interval: "MONTH", billing_interval_count: 3 },
      ...{ delivery_interval: "MONTH", delivery_interval_count: 1 },
    });
    id = await subscribe(shop, { lines: [itemOf(plan)], next_delivery_date: "2035-01-31" });
    await force(id, {
      ...{ next_index: 1, next_billed_index: 3 },
      ...{ next_delivery_date: "2035-02-28", next_billing_date: "2035-04-30" },
    });
    const before = await rowOf(id);
    await done(shop.api, "POST", id, "skip-deliveries");
    await done(shop.api, "POST", id, "unskip");
    const { revision, updated_at, ...after } = await rowOf(id);
    expect({ ...after, revision: before.revision, updated_at: before.updated_at }).toEqual(before);
  });

  test("and unskip is the identity, also in turn with skips by weeks", async () => {
    await monthly("2035-01-31");
    const before = [await rowOf(id)];
    for (const [part, body] of [
      ["skip-deliveries", { count: 3 }],
      ["skip", { skip_weeks: 2 }],
      ["skip-deliveries", {}],
    ] as const) {
      await done(shop.api, "POST", id, part, body);
      before.push(await rowOf(id));
    }
    for (const was of before.slice(0, -1).toReversed()) {
      await done(shop.api, "POST", id, "unskip");
      const row = await rowOf(id);
      expect(row).toEqual({ ...was, revision: row.revision, updated_at: row.updated_at });
    }
    const [last] = (await entriesOf(id)).slice(-1);
    expect(last?.metadata).toEqual({ skip_id: expect.any(String), deliveries: 3 });
  });

  test("as a dry run shows the dates and changes nothing", async () => {
    const row = await rowOf(id);
    const query = { dry_run: "true" };
    const answer = await api<Json>(shop.api, "POST", on(id, "skip-deliveries"), {
      query,
      body: { count: 2 },
    });
    expect([answer.status, answer.body.data.next_delivery_date]).toEqual([200, inDays(21)]);
    expect(await rowOf(id)).toEqual(row);
  });

  test("leaves a delivery that is late out, and is not billed today", async () => {
    await force(id, {
      anchor_date: inDays(-3),
      next_delivery_date: inDays(-3),
      next_billing_date: inDays(-3),
    });
    const skipped = await done(shop.api, "POST", id, "skip-deliveries");
    expect(dates(skipped)).toEqual([inDays(4), null, inDays(4)]);
  });

  test("is refused when a skip is: not ACTIVE, or an attempt is open", async () => {
    await force(id, { open_attempt_id: newId() });
    expect(refusal(await ask("skip-deliveries"))).toEqual([409, "BILLING_IN_PROGRESS"]);
    await force(id, { open_attempt_id: null });
    await done(shop.api, "POST", id, "pause");
    expect(refusal(await ask("skip-deliveries"))).toEqual([409, "INVALID_STATE"]);
  });
});

describe("the reason of a skip", () => {
  const strict = useAccount();
  let reason: string;
  let inactive: string;
  beforeAll(async () => {
    reason = await addReason(strict, "skip", { label: "On holiday" });
    inactive = await addReason(strict, "skip", { label: "Old", is_active: false });
  });
  beforeEach(async () => {
    id = await subscribe(strict);
  });

  test("while one is active all but staff must pick one", async () => {
    for (const caller of [strict.api, strict.customer])
      for (const more of [{}, { reason: "Away" }])
        expect(refusal(await ask("skip", { skip_weeks: 1, ...more }, caller))).toEqual([
          400,
          "SKIP_REASON_REQUIRED",
        ]);
    expect(await actionsOf(id)).toEqual(["subscription_created"]);
    expect(refusal(await ask("skip-deliveries", {}, strict.customer))).toEqual([400, "SKIP_REASON_REQUIRED"]);
    for (const caller of [strict.api, strict.customer])
      expect((await ask("skip", { skip_weeks: 1, skip_reason_id: reason }, caller)).status).toBe(200);
    expect((await ask("skip-deliveries", { skip_reason_id: reason }, strict.customer)).status).toBe(200);
    expect((await ask("skip", { skip_weeks: 1 }, strict.admin)).status).toBe(200);
    expect((await ask("skip", { skip_weeks: 1, skip_reason_id: reason }, strict.admin)).status).toBe(200);
  });

  test("an unknown one is refused, whoever asks: none such, inactive, another kind's, another account's", async () => {
    const unknown = [newId(), inactive, await addReason(strict, "pause"), await addReason(shop, "pause")];
    for (const caller of [strict.api, strict.customer, strict.admin])
      for (const skip_reason_id of unknown)
        expect(refusal(await ask("skip", { skip_weeks: 1, skip_reason_id }, caller))).toEqual([
          400,
          "UNKNOWN_SKIP_REASON",
        ]);
  });

  test("is asked for before the state is looked at", async () => {
    await done(strict.api, "POST", id, "pause");
    expect(refusal(await ask("skip", { skip_weeks: 1 }, strict.api))).toEqual([400, "SKIP_REASON_REQUIRED"]);
    expect(refusal(await ask("skip", { skip_weeks: 1 }, strict.admin))).toEqual([409, "INVALID_STATE"]);
  });

  test("keeps its label, whatever becomes of it", async () => {
    const gone = await addReason(strict, "skip", { label: "Too full" });
    await done(strict.customer, "POST", id, "skip", { skip_weeks: 1, skip_reason_id: gone });
    const at = `/api/subscriptions/skip-reasons/${gone}`;
    await api(strict.api, "PUT", at, { body: { label: "Renamed" } });
    await api(strict.api, "DELETE", at);
    expect((await skipsOf(strict))[0]).toMatchObject({ skip_reason_id: gone, skip_reason_label: "Too full" });
    const skip_reason = { id: gone, label: "Too full" };
    expect((await feedOf(strict, id))[0].metadata).toMatchObject({ skip_reason });
    expect(refusal(await ask("skip", { skip_weeks: 1, skip_reason_id: gone }, strict.api))).toEqual([
      400,
      "UNKNOWN_SKIP_REASON",
    ]);
  });
});

describe("unskip", () => {
  test("undoes the latest, several in turn, and then nothing is left", async () => {
    const before = [await rowOf(id)];
    for (const skip_weeks of [1, 2, 3]) {
      await done(shop.api, "POST", id, "skip", { skip_weeks });
      before.push(await rowOf(id));
    }
    for (const was of before.slice(0, -1).toReversed()) {
      await done(shop.api, "POST", id, "unskip");
      const row = await rowOf(id);
      expect(row).toEqual({ ...was, revision: row.revision, updated_at: row.updated_at });
    }
    const skips = await skipsOf();
    expect(skips.map(({ skip_weeks }) => skip_weeks)).toEqual([3, 2, 1]);
    expect(skips.every(({ undone_at }) => undone_at !== null)).toBe(true);
    expect(refusal(await ask("unskip"))).toEqual([409, "INVALID_STATE"]);
    expect((await entriesOf(id)).at(-1)?.metadata).toEqual({ skip_id: skips[2].id, skip_weeks: 1 });
  });

  test("with nothing skipped is 409", async () => {
    expect(refusal(await ask("unskip"))).toEqual([409, "INVALID_STATE"]);
  });

  test("takes no body but an empty one", async () => {
    await done(shop.api, "POST", id, "skip", { skip_weeks: 1 });
    expect((await ask("unskip", {})).status).toBe(200);
  });

  const slotted = async () => {
    const day = { day_of_week: 4, packing_day_of_week: 2, billing_day_of_week: 1 };
    const [a, b] = [await addSlot(shop, day), await addSlot(shop, { ...day, packing_day_of_week: 3 })];
    id = await subscribe(shop, { delivery_slot_id: a, next_delivery_date: nextDay(4, 14) });
    return { a, b };
  };

  test.each<[string, () => Promise<unknown>]>([
    ["a new date", () => done(shop.api, "PUT", id, "schedule", { next_delivery_date: inDays(40) })],
    [
      "billing",
      () =>
        force(id, {
          next_index: 1,
          next_billed_index: 1,
          current_billing_cycle: 2,
          next_delivery_date: inDays(35),
          schedule_revision: 9,
        }),
    ],
    [
      "a resume long after",
      async () => {
        await done(shop.api, "POST", id, "pause");
        await done(shop.api, "POST", id, "resume", { next_delivery_date: inDays(44) });
      },
    ],
    [
      "the end of its day",
      () => execute("UPDATE subscription_skips SET previous_delivery_date = ?", inDays(-1)),
    ],
  ])("after %s is 409", async (_, move) => {
    await done(shop.api, "POST", id, "skip", { skip_weeks: 2 });
    await move();
    const row = await rowOf(id);
    expect(refusal(await ask("unskip"))).toEqual([409, "INVALID_STATE"]);
    expect(await rowOf(id)).toEqual(row);
  });

  test("of a delivery whose billing day has passed bills it today, and packs it today", async () => {
    await slotted();
    await done(shop.api, "POST", id, "skip", { skip_weeks: 2 });
    await execute(
      "UPDATE subscription_skips SET previous_billing_date = ?1, previous_production_date = ?1",
      inDays(-1),
    );
    await done(shop.api, "POST", id, "unskip");
    expect(dates(await read(shop, id))).toEqual([inDays(0), inDays(0), nextDay(4, 14)]);
  });

  test("after another slot has moved packing and billing, they are not put back to the old slot's days", async () => {
    for (const to of ["another", null]) {
      const { b } = await slotted();
      await done(shop.api, "POST", id, "skip", { skip_weeks: 2 });
      const delivery_slot_id = to === null ? null : b;
      await done(shop.api, "PUT", id, "schedule", { delivery_slot_id });
      const answer = await ask("unskip");
      expect.soft(refusal(answer), `slot ${to}`).toEqual([409, "INVALID_STATE"]);
    }
  });

  test("what does not move dates does not hinder it", async () => {
    await done(shop.api, "POST", id, "skip", { skip_weeks: 2 });
    await done(shop.api, "PUT", id, "delivery-instructions", { delivery_instructions: "Ring" });
    await done(shop.api, "POST", id, "lines", itemOf(shop.plan));
    const back = await done(shop.api, "POST", id, "unskip");
    expect([back.next_delivery_date, back.delivery_instructions, back.lines.length]).toEqual([
      inDays(7),
      "Ring",
      2,
    ]);
  });

  test("of a monthly schedule puts the anchor back, so that later dates do not drift", async () => {
    const plan = await addPlan(shop, { billing_interval: "MONTH" });
    id = await subscribe(shop, { lines: [itemOf(plan)], next_delivery_date: "2035-01-31" });
    const upcoming = async () =>
      (await api<Json>(shop.api, "GET", on(id, "upcoming"), { query: { count: 4 } })).body.data.map(
        (one: Json) => one.delivery_date,
      );
    expect(await upcoming()).toEqual(["2035-01-31", "2035-02-28", "2035-03-31", "2035-04-30"]);
    await done(shop.api, "POST", id, "skip", { skip_weeks: 1 });
    expect(await upcoming()).toEqual(["2035-02-07", "2035-03-07", "2035-04-07", "2035-05-07"]);
    await done(shop.api, "POST", id, "unskip");
    expect(await upcoming()).toEqual(["2035-01-31", "2035-02-28", "2035-03-31", "2035-04-30"]);
  });
});
