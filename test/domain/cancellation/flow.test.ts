/** An account's cancellation flow is stored in versions, and a faulty one is refused at its field. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import {
  addPlan,
  addReason,
  done,
  itemOf,
  type Json,
  openShop,
  refusal,
  subscribe,
} from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { useAccountPerTest } from "../../support/use-account.ts";
import { flowPath, offers, putFlow, setFlow } from "./leaving.ts";

const shop = useAccountPerTest();

async function get(): Promise<Json> {
  return (await api<Json>(shop.api, "GET", flowPath)).body.data;
}

test("an account without a flow offers nothing, and has the defaults", async () => {
  expect(await get()).toEqual({
    is_enabled: false,
    offers: [],
    cooldown_days: 180,
    max_accepted: 1,
    per: "customer",
    show_at_most: 2,
  });
});

test("offers of every kind are stored with defaults for what is left out, and keep their ids when these are sent", async () => {
  const reason = await addReason(shop, "cancellation");
  const all = Object.values(offers).map((offer) => ({ ...offer }));
  const stored = await setFlow(shop, [
    {
      ...all[0],
      cancellation_reason_ids: [reason],
      selling_plan_ids: [shop.plan],
      min_cycles_billed: 3,
      text: { en: "Until then" },
    },
    ...all.slice(1),
  ]);
  expect(stored.map(({ kind }) => kind)).toEqual(["PAUSE", "SKIP", "DISCOUNT", "FREQUENCY", "SWAP"]);
  expect(stored[0]).toMatchObject({
    text: { en: "Until then" },
    min_cycles_billed: 3,
    cancellation_reason_ids: [reason],
  });
  expect(stored[4]).toMatchObject({
    ...offers.SWAP,
    text: null,
    cancellation_reason_ids: [],
    min_cycles_billed: null,
    selling_plan_ids: [],
    store_variant_ids: [],
    position: 4,
  });
  const again = await setFlow(shop, [stored[2]!, stored[0]!, { ...offers.SKIP, position: 1 }]);
  expect(again.map(({ id }) => id)).toEqual([
    stored[0]!.id,
    expect.not.stringMatching(stored[1]!.id),
    stored[2]!.id,
  ]);
  expect((await get()).offers).toEqual(again);
});

test("each change is a new version and one entry; a PUT changes the named fields only, and the same again changes nothing", async () => {
  await setFlow(shop, [offers.PAUSE]);
  await putFlow(shop, { cooldown_days: 90, per: "subscription" });
  await putFlow(shop, { cooldown_days: 90 });
  const versions = await select<Json>(
    "SELECT version, cooldown_days, per, json_array_length(offers) AS offers FROM cancellation_flows WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.of.account.id,
  );
  expect(versions).toEqual([
    { version: 1, cooldown_days: 180, per: "customer", offers: 1 },
    { version: 2, cooldown_days: 90, per: "subscription", offers: 1 },
  ]);
  const events = await api<Json>(shop.api, "GET", "/api/events", { query: { types: "account.updated" } });
  expect(events.body.data.map(({ metadata }: Json) => metadata)).toEqual([
    { fields: ["cancellation_flow.is_enabled", "cancellation_flow.offers"], version: 1 },
    {
      fields: ["cancellation_flow.is_enabled", "cancellation_flow.cooldown_days", "cancellation_flow.per"],
      version: 2,
    },
  ]);
  await Promise.all([putFlow(shop, { max_accepted: 2 }), putFlow(shop, { show_at_most: 5 })]);
  expect(await get()).toMatchObject({ max_accepted: 2, show_at_most: 5 });
});

test("a dry run says for how many of the cancellations of 90 days it would have had an offer, and writes nothing", async () => {
  const [dear, bad] = [await addReason(shop, "cancellation"), await addReason(shop, "cancellation")];
  const monthly = await addPlan(shop, { billing_interval: "MONTH" });
  const cancel = async (reason: string | null, plan = shop.plan) => {
    const id = await subscribe(shop, { lines: [itemOf(plan)] });
    await done(shop.api, "POST", id, "cancel", { cancellation_reason_id: reason });
  };
  await cancel(dear);
  await cancel(bad);
  await cancel(bad, monthly);
  await cancel(null);
  await subscribe(shop);
  const before = await rowsOf(shop.of.account.id);
  const ids = [newId(), newId(), newId()];
  const { status, body } = await putFlow(
    shop,
    {
      show_at_most: 1,
      offers: [
        { ...offers.DISCOUNT, id: ids[0], cancellation_reason_ids: [dear] },
        { ...offers.PAUSE, id: ids[1], selling_plan_ids: [shop.plan], cancellation_reason_ids: [dear, bad] },
        { ...offers.SKIP, id: ids[2], min_cycles_billed: 1 },
      ],
    },
    { dry_run: true },
  );
  expect([status, body.data]).toEqual([
    200,
    {
      would_have_been_offered: 2,
      of: 4,
      by_offer: [
        { id: ids[0], kind: "DISCOUNT", count: 1 },
        { id: ids[1], kind: "PAUSE", count: 1 },
        { id: ids[2], kind: "SKIP", count: 0 },
      ],
    },
  ]);
  expect(await rowsOf(shop.of.account.id)).toBe(before);
});

test("a reason or plan that the account does not have is 400, and one of another account is none of its own", async () => {
  const other = await openShop();
  const [reason, deleted] = [await addReason(other, "cancellation"), await addReason(shop, "cancellation")];
  await api(shop.api, "DELETE", `/api/subscriptions/cancellation-reasons/${deleted}`);
  for (const id of [reason, deleted, await addReason(shop, "skip")]) {
    const answer = await putFlow(shop, {
      offers: [offers.SKIP, { ...offers.PAUSE, cancellation_reason_ids: [id] }],
    });
    expect(refusal(answer)).toEqual([400, "UNKNOWN_CANCELLATION_REASON"]);
    expect(answer.body.details).toEqual([
      { path: "offers.1.cancellation_reason_ids.0", message: "is not known" },
    ]);
  }
  const answer = await putFlow(shop, { offers: [{ ...offers.PAUSE, selling_plan_ids: [other.plan] }] });
  expect(refusal(answer)).toEqual([400, "UNKNOWN_SELLING_PLAN"]);
  expect(await get()).toMatchObject({ offers: [] });
});

describe("400, with the field", () => {
  const pause = (terms: object) => [{ ...offers.PAUSE, terms }];
  const discount = (terms: object) => [{ ...offers.DISCOUNT, terms: { ...offers.DISCOUNT.terms, ...terms } }];
  const swap = {
    ...offers.SWAP,
    terms: { ...offers.SWAP.terms, to: { ...offers.SWAP.terms.to, price: 1.005 } },
  };
  test.each([
    ["a pause without an end", pause({}), "offers.0.terms.max_days"],
    ["a pause of more than a year", pause({ max_days: 366 }), "offers.0.terms.max_days"],
    ["terms of another kind", pause({ deliveries: 1 }), "offers.0.terms.max_days"],
    ["four deliveries", [{ ...offers.SKIP, terms: { deliveries: 4 } }], "offers.0.terms.deliveries"],
    ["a discount of nothing", discount({ value: 0 }), "offers.0.terms.value"],
    ["a discount of more than all", discount({ value: 101 }), "offers.0.terms.value"],
    [
      "an amount that the currency does not have",
      discount({ value: 1.005, value_type: "FIXED_AMOUNT" }),
      "offers.0.terms.value",
    ],
    ["seven cycles", discount({ cycles: 7 }), "offers.0.terms.cycles"],
    ["no frequency", [{ ...offers.FREQUENCY, terms: { options: [] } }], "offers.0.terms.options"],
    [
      "a frequency of 25 months",
      [{ ...offers.FREQUENCY, terms: { options: [{ interval: "MONTH", interval_count: 25 }] } }],
      "offers.0.terms.options.0.interval_count",
    ],
    ["a price that the currency does not have", [swap], "offers.0.terms.to.price"],
    ["a label without English", [{ ...offers.PAUSE, label: { de: "Pause" } }], "offers.0.label.en"],
    ["a kind that is none", [{ ...offers.PAUSE, kind: "GIFT" }], "offers.0.kind"],
    ["an id that is no UUID", [{ ...offers.PAUSE, id: "mine" }], "offers.0.id"],
    [
      "one id twice",
      [
        { ...offers.PAUSE, id: "019a0000-0000-7000-8000-00000000000a" },
        { ...offers.SKIP, id: "019a0000-0000-7000-8000-00000000000a" },
      ],
      "offers.1.id",
    ],
    ["21 offers", Array.from({ length: 21 }, () => offers.PAUSE), "offers"],
  ])("%s", async (_, list, path) => {
    const answer = await putFlow(shop, { offers: list });
    expect(refusal(answer)).toEqual([400, "VALIDATION_FAILED"]);
    expect(answer.body.details.map((detail: Json) => detail.path)).toContain(path);
  });
});

test("customers reach neither operation, and each needs its scope of the portal", async () => {
  expect(refusal(await api<Json>(shop.customer, "GET", flowPath))).toEqual([403, "FORBIDDEN"]);
  expect(refusal(await api<Json>(shop.customer, "PUT", flowPath, { body: {} }))).toEqual([403, "FORBIDDEN"]);
  expect((await api<Json>(shop.admin, "GET", flowPath)).status).toBe(200);
});
