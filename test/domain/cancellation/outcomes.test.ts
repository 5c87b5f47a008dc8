/** A customer counts as saved only after a charge at full terms, and as lost when cancelling before that. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import { seeded } from "../../support/records.ts";
import {
  addReason,
  done,
  entriesOf,
  type Json,
  on,
  openShop,
  read,
  refusal,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { advance, chargesOf, linked, startClock, useWorker } from "../../support/worker.ts";
import {
  accept,
  caseRows,
  casesOf,
  confirm,
  everyOffer,
  type Kind,
  kinds,
  offers,
  open,
  opened,
  setFlow,
  take,
  taking,
} from "./leaving.ts";

const worker = useWorker();
const start = "2026-03-02";

async function openClockShop(): Promise<Shop> {
  const shop = await openShop();
  await startClock(shop, `${start}T12:00:00.000Z`);
  return shop;
}

/** A weekly subscription that was charged once. */
async function billedOnce(shop: Shop): Promise<string> {
  const id = await linked(shop, worker);
  await advance(shop, worker, 1);
  expect((await read(shop, id)).current_billing_cycle).toBe(2);
  return id;
}

async function retention(shop: Shop, group_by = "offer"): Promise<Json[]> {
  const query = { from: start, to: addDays(start, 399), group_by };
  return (await api<Json>(shop.api, "GET", "/api/insights/retention", { query })).body.data;
}

/** Whether the case is settled after each of four cycles of a week, until a pause of 30 days is over. */
async function fourCycles(shop: Shop, id: string, days = 7): Promise<string[]> {
  const seen: string[] = [];
  for (let cycle = 0; cycle < 4; cycle++) {
    await advance(shop, worker, days);
    seen.push((await casesOf(shop, id))[0].outcome);
  }
  return seen;
}

describe("over four cycles", { timeout: 120_000 }, () => {
  const expected: Record<Kind, { days: number; outcomes: string[]; cost: number; revenue: number }> = {
    PAUSE: { days: 10, outcomes: ["PENDING", "PENDING", "PENDING", "SAVED"], cost: 0, revenue: 10 },
    SKIP: { days: 7, outcomes: ["PENDING", "PENDING", "SAVED", "SAVED"], cost: 0, revenue: 20 },
    DISCOUNT: { days: 7, outcomes: ["PENDING", "PENDING", "SAVED", "SAVED"], cost: 4, revenue: 36 },
    FREQUENCY: { days: 14, outcomes: ["SAVED", "SAVED", "SAVED", "SAVED"], cost: 0, revenue: 40 },
    SWAP: { days: 7, outcomes: ["SAVED", "SAVED", "SAVED", "SAVED"], cost: 0, revenue: 32 },
  };

  test.each(kinds)("%s: pending until a charge at full terms, then saved", async (kind) => {
    const shop = await openClockShop();
    const reason = await addReason(shop, "cancellation");
    const [offer] = await setFlow(shop, [offers[kind]]);
    const id = await billedOnce(shop);
    const found = await opened(shop.customer, id, { cancellation_reason_id: reason });
    expect((await accept(shop.customer, found, taking(found.offers[0]))).status).toBe(200);
    const { days, outcomes, cost, revenue } = expected[kind];
    expect(await fourCycles(shop, id, days)).toEqual(outcomes);
    const saved = (await entriesOf(id)).filter(({ action }) => action === "cancellation_saved");
    expect(saved).toMatchObject([
      { actor_type: "system", metadata: { cancellation_case_id: found.id, kind } },
    ]);
    const row = {
      ...{ shown: 1, accepted: 1, saved: 1, lost: 0, pending: 0 },
      ...{ cost, revenue_after: revenue, currency_code: "USD" },
    };
    expect(await retention(shop)).toEqual([{ key: offer!.id, ...row }]);
    expect(await retention(shop, "reason")).toEqual([{ key: reason, ...row }]);
    await done(shop.customer, "POST", id, "cancel", {});
    expect((await casesOf(shop, id))[0].outcome).toBe("SAVED");
  });

  test.each(kinds)("%s: lost where the subscription is cancelled before that", async (kind) => {
    const shop = await openClockShop();
    const [offer] = await setFlow(shop, [offers[kind]]);
    const id = await billedOnce(shop);
    await take(shop.customer, id, kind);
    if (kind === "DISCOUNT") await advance(shop, worker, 7);
    await done(shop.customer, "POST", id, "cancel", {});
    expect(await retention(shop)).toMatchObject([
      {
        key: offer!.id,
        shown: 1,
        accepted: 1,
        saved: 0,
        lost: 1,
        pending: 0,
        ...(kind === "DISCOUNT" ? { cost: 2, revenue_after: 8 } : { cost: 0, revenue_after: 0 }),
      },
    ]);
    await done(shop.customer, "POST", id, "reactivate", {});
    await advance(shop, worker, 15);
    expect(await retention(shop)).toMatchObject([{ saved: 0, lost: 1 }]);
  });
});

test("what is charged counts for the offer that was accepted last, and its discount for the one before", async () => {
  const shop = await openClockShop();
  await setFlow(shop, [offers.DISCOUNT, offers.SWAP], { per: "subscription", max_accepted: 2 });
  const id = await billedOnce(shop);
  await take(shop.customer, id, "DISCOUNT");
  await take(shop.customer, id, "SWAP");
  await advance(shop, worker, 21);
  const amounts = (await chargesOf(id)).map(({ amount }) => amount).slice(1);
  expect(amounts).toEqual([640, 640, 800]);
  expect((await caseRows(id)).map((one) => [one.accepted_kind, one.revenue_after, one.cost])).toEqual([
    ["DISCOUNT", 0, 160 + 160],
    ["SWAP", 640 + 640 + 800, 0],
  ]);
  expect((await casesOf(shop, id)).map(({ outcome }) => outcome)).toEqual(["SAVED", "SAVED"]);
});

test("a charge that was under way at the acceptance proves nothing, and one that fails neither", async () => {
  const shop = await openClockShop();
  await setFlow(shop, [offers.SWAP]);
  const id = await linked(shop, worker, { store_payment_method_id: "pm_pending" });
  await api(shop.api, "POST", on(id, "ship-now"));
  const found = await opened(shop.api, id);
  expect(found.offers[0].preview).toMatchObject({ saves: null, next_charge_after: { amount: 10 } });
  await accept(shop.api, found, { offer_id: found.offers[0].id });
  await advance(shop, worker, 1);
  expect((await read(shop, id)).current_billing_cycle).toBe(2);
  expect((await casesOf(shop, id))[0].outcome).toBe("PENDING");
  await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_card_declined" });
  await advance(shop, worker, 7);
  expect((await casesOf(shop, id))[0].outcome).toBe("PENDING");
  await api(shop.api, "PUT", "/api/account", { body: { dunning_final_action: "cancel" } });
  await advance(shop, worker, 10);
  expect((await read(shop, id)).status).toBe("CANCELLED");
  expect((await casesOf(shop, id))[0].outcome).toBe("LOST");
});

test("the insight counts what was shown, by the day of the case; as CSV too, and for insights:read alone", async () => {
  const shop = await openClockShop();
  const shown = await setFlow(shop, [offers.PAUSE, offers.DISCOUNT], { max_accepted: 2 });
  const ids = [
    await subscribe(shop, { next_delivery_date: "2026-03-20" }),
    await subscribe(shop, { next_delivery_date: "2026-03-20" }),
  ];
  for (const id of ids) await opened(shop.customer, id);
  await confirm(shop.customer, (await casesOf(shop, ids[0]!))[0]);
  const none = {
    accepted: 0,
    saved: 0,
    lost: 0,
    pending: 0,
    cost: 0,
    revenue_after: 0,
    currency_code: "USD",
  };
  const rows = shown.map(({ id: key }) => ({ key, shown: 2, ...none }));
  expect(await retention(shop)).toEqual(rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
  expect(await retention(shop, "reason")).toEqual([{ key: null, shown: 2, ...none }]);
  const ask = (query: Record<string, string>, headers = {}) =>
    api<Json>(shop.api, "GET", "/api/insights/retention", { query, headers });
  expect((await ask({ from: "2026-03-03", to: "2026-03-04" })).body.data).toEqual([]);
  const csv = await ask({ from: start, to: start }, { accept: "text/csv" });
  expect(csv.text).toBe(
    "\ufeffkey,shown,accepted,saved,lost,pending,cost,revenue_after,currency_code\r\n,2,0,0,0,0,0,0,USD\r\n",
  );
  expect(refusal(await ask({ from: start, to: "2026-03-01" }))).toEqual([400, "VALIDATION_FAILED"]);
  expect(refusal(await ask({ from: start, to: addDays(start, 400) }))).toEqual([400, "VALIDATION_FAILED"]);
  expect(
    refusal(
      await api<Json>(shop.customer, "GET", "/api/insights/retention", { query: { from: start, to: start } }),
    ),
  ).toEqual([403, "FORBIDDEN"]);
});

type Step = "open" | "accept" | "confirm" | "cancel" | "reactivate" | "day" | "resume" | "ship-now";
const steps: Step[] = [
  "open",
  "open",
  "accept",
  "accept",
  "confirm",
  "cancel",
  "reactivate",
  "day",
  "resume",
  "ship-now",
];

test("an effect is there exactly where its offer was accepted, and the counters are what a recount gives", {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...steps), fc.nat(4)), { minLength: 4, maxLength: 12 }),
      fc.boolean(),
      async (walk, perSubscription) => {
        const shop = await openClockShop();
        const per = perSubscription ? "subscription" : "customer";
        await setFlow(shop, everyOffer, { show_at_most: 5, cooldown_days: 20, per });
        const id = await billedOnce(shop);
        for (const [step, nth] of walk) await perform(shop, id, { step, nth });
        const cases = await caseRows(id);
        const accepted = cases.filter(({ status }) => status === "ACCEPTED");
        const actions = (await entriesOf(id)).map(({ action }) => action);
        const count = (action: string) => actions.filter((each) => each === action).length;
        const ofKind = (...which: Kind[]) =>
          accepted.filter(({ accepted_kind }) => which.includes(accepted_kind)).length;
        expect([
          count("discount_applied"),
          count("subscription_paused"),
          count("subscription_skipped"),
        ]).toEqual([ofKind("DISCOUNT"), ofKind("PAUSE"), ofKind("SKIP")]);
        expect([count("frequency_changed"), count("lines_changed")]).toEqual([
          ofKind("FREQUENCY"),
          ofKind("SWAP"),
        ]);
        expect(count("cancellation_offer_accepted")).toBe(accepted.length);
        const outcomes = (outcome: string) => cases.filter((each) => each.outcome === outcome).length;
        expect([count("cancellation_saved"), count("cancellation_lost")]).toEqual([
          outcomes("SAVED"),
          outcomes("LOST"),
        ]);
        const [row] = await retention(shop, "reason");
        const shownCases = cases.filter((each) => each.offers !== "[]");
        expect(row ?? { shown: 0 }).toMatchObject({
          shown: shownCases.length,
          ...(row ? { accepted: accepted.length, saved: outcomes("SAVED"), lost: outcomes("LOST") } : {}),
        });
        for (const one of accepted)
          for (const other of accepted)
            if (one.accepted_at < other.accepted_at)
              expect(Date.parse(other.accepted_at) - Date.parse(one.accepted_at)).toBeGreaterThanOrEqual(
                20 * 86_400_000,
              );
      },
    ),
    seeded(Math.min(12, Math.ceil(Number(process.env.MODEL_RUNS ?? 8)))),
  );
});

async function perform(shop: Shop, id: string, { step, nth }: { step: Step; nth: number }): Promise<void> {
  if (step === "day") return void (await advance(shop, worker, 3 + nth * 2));
  if (step === "open") return void (await open(shop.customer, id));
  if (step === "accept" || step === "confirm") {
    const [found] = await casesOf(shop, id);
    if (!found) return;
    if (step === "confirm") return void (await confirm(shop.customer, found));
    const offer = found.offers[nth % Math.max(1, found.offers.length)];
    if (!offer) return;
    return void (await accept(shop.customer, found, taking(offer)));
  }
  await worker.call(shop.customer, "POST", on(id, step), {
    body: step === "ship-now" ? { allow_repeat: true } : {},
  });
  await worker.drain();
}
