/** The pages and previews show the deliveries and charges that upcoming says, and no others. */
import { describe, expect, test } from "vitest";
import { day, money, shortDay } from "../../../src/base/language/format.ts";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { textsOf } from "../../../src/edges/portal/pages/texts/index.ts";
import { states, turnCard } from "../../domain/billing/upcoming-states.ts";
import { api } from "../../support/client.ts";
import { addPlan, done, itemOf, type Json, on, openShop, read, type Shop } from "../../support/shops.ts";
import { advance, linked, startClock, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
const en = textsOf("en");

async function open(more: object = {}) {
  const shop = await openShop();
  await switchOn(worker, shop);
  await startClock(shop, "2030-01-31T10:00:00.000Z");
  const plan = await addPlan(shop, { billing_interval: "MONTH", billing_interval_count: 1 });
  const id = await linked(shop, worker, { next_delivery_date: "2030-02-03", lines: [itemOf(plan)], ...more });
  const visitor = openVisitor(worker, shop);
  await visitor.enter((await linkFor(worker, shop, { locale: "en" })).url);
  return { shop, id, visitor };
}

async function upcomingOf(shop: Shop, id: string, query: object = {}): Promise<Json[]> {
  return (await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 6, ...query } })).body.data;
}

/** The text of one definition on a page. */
function factIn(text: string, name: string) {
  return new RegExp(`<dt[^>]*>${name}</dt>\\s*<dd[^>]*>(?:<(?:time|span)[^>]*>)?([^<]*)`).exec(text)?.[1];
}

function listedIn(text: string, name: string) {
  const lists = [...text.matchAll(new RegExp(`<ol class="${name}">([\\s\\S]*?)</ol>`, "g"))];
  return lists.flatMap(([list]) => [...list.matchAll(/<time datetime="([^"]+)"/g)].map(([, date]) => date));
}

/** The dates on a page, except that of the end of a pause. */
function timesIn(text: string) {
  const dates = text.matchAll(/(\S+) <time datetime="([^"]+)"|<time datetime="([^"]+)"/g);
  return [...dates].flatMap(([, before, after, date]) => (before === "until" ? [] : [after ?? date]));
}

/** The row of a comparison: what is shown before and after. */
function comparedIn(text: string, name: string) {
  const row = new RegExp(`<dt>${name}</dt><dd>([\\s\\S]*?)</dd>`).exec(text)?.[1] ?? "";
  return [...row.matchAll(/<(?:span class="was"|strong)>([^<]*)/g)].map(([, shown]) => shown);
}

describe("the pages show what upcoming says, and nothing else", () => {
  test.each(Object.keys(states))("%s", async (name) => {
    const { shop, id, visitor } = await open();
    await states[name]!.enter({ shop, worker, id, days: 20, shipsNow: false });
    await turnCard({ id }, "pm_success");
    const [subscription, upcoming] = [await read(shop, id), await upcomingOf(shop, id)];
    const days = upcoming.map(({ delivery_date }) => delivery_date);
    const isOwed = subscription.is_in_dunning || subscription.status === "PAYMENT_FAILED";
    const isToConfirm = name === "challenge open";
    const undated = isToConfirm ? en.afterConfirmation : isOwed ? en.afterPayment : en.none.delivery;
    const next = upcoming[0] ? day("en", upcoming[0].delivery_date) : undated;
    const charge = upcoming.find(({ is_billed }) => is_billed)?.billing_date;
    const undatedCharge = subscription.status === "PAUSED" ? en.noChargesWhilePaused : en.none.charge;
    const nothing = isToConfirm ? en.afterConfirmation : undatedCharge;
    const isSameYear = charge?.slice(0, 4) === days[0]?.slice(0, 4);
    const charged = charge && `${en.look.charged((isSameYear ? shortDay : day)("en", charge))} ·`;

    const page = (await visitor.get(`/subscriptions/${id}`)).text;
    expect(listedIn(page, "dates")).toEqual(days);
    expect(factIn(page, en.nextDelivery)).toBe(next);
    expect(factIn(page, en.nextCharge)).toBe(charged ?? nothing);
    expect(page.includes(en.ifPaymentSucceeds)).toBe(upcoming.some(({ is_at_risk }) => is_at_risk));
    const until = subscription.pause_until;
    expect(page.includes(`${en.pausedUntil} <time`)).toBe(until !== null);
    if (until)
      expect(page).toContain(`${en.pausedUntil} <time datetime="${until}">${day("en", until)}</time>`);

    const home = (await visitor.get()).text;
    expect(timesIn(home)).toEqual(days.slice(0, 4));
    const label = subscription.status === "CANCELLED" ? en.lastPaidDelivery : en.nextDelivery;
    expect(factIn(home, label)).toBe(next);
  });
});

describe("the preview of a pause", () => {
  test("with a date shows the first charge after it, which then comes", async () => {
    const { shop, id, visitor } = await open();
    const form = { pause_until: "2030-03-10" };
    const { text } = await visitor.post(`/subscriptions/${id}/pause`, form);
    expect(comparedIn(text, en.pausedUntil)[1]).toBe(day("en", "2030-03-10"));
    expect(comparedIn(text, en.nextCharge)).toEqual([day("en", "2030-02-03"), day("en", "2030-04-03")]);
    expect(comparedIn(text, en.nextDelivery)).toEqual([day("en", "2030-02-03"), day("en", "2030-04-03")]);
    const previewed = await upcomingOf(shop, id, form);
    await done(shop.api, "POST", id, "pause", form);
    expect(await upcomingOf(shop, id)).toEqual(previewed);
    await advance(shop, worker, 100);
    expect((await read(shop, id)).total_revenue).toBe(20);
  });

  test("without a date shows that nothing is charged", async () => {
    const { id, visitor } = await open();
    const { text } = await visitor.post(`/subscriptions/${id}/pause`, {});
    expect(comparedIn(text, en.nextCharge)).toEqual([day("en", "2030-02-03"), en.noChargesWhilePaused]);
    expect(comparedIn(text, en.nextDelivery)).toEqual([day("en", "2030-02-03"), en.none.delivery]);
  });

  test.each(["de", "fr", "es"] as const)("says so in %s", async (locale) => {
    const { shop, id } = await open();
    const visitor = openVisitor(worker, shop);
    await visitor.enter((await linkFor(worker, shop, { locale })).url);
    const texts = textsOf(locale);
    expect((await visitor.post(`/subscriptions/${id}/pause`, {})).text).toContain(texts.noChargesWhilePaused);
    await done(shop.api, "POST", id, "pause", { pause_until: "2030-03-10" });
    const shown = `${texts.pausedUntil} <time datetime="2030-03-10">${day(locale, "2030-03-10")}</time>`;
    for (const path of ["", `/subscriptions/${id}`]) expect((await visitor.get(path)).text).toContain(shown);
  });
});

describe("the preview of another change shows no charge that will not come", () => {
  const movedTo = async (visitor: ReturnType<typeof openVisitor>, id: string, date: string) =>
    comparedIn(
      (await visitor.post(`/subscriptions/${id}/schedule`, { next_delivery_date: date })).text,
      en.nextCharge,
    );

  test("while it is paused: only dates behind the pause", async () => {
    const { shop, id, visitor } = await open();
    await done(shop.api, "POST", id, "pause", { pause_until: "2030-03-10" });
    const now = day("en", "2030-04-03");
    expect(await movedTo(visitor, id, "2030-03-12")).toEqual([now, day("en", "2030-03-12")]);
    expect(await movedTo(visitor, id, "2030-02-20")).toEqual([now, en.noChargesWhilePaused]);
  });

  test("while a payment is owed: the day of the next try", async () => {
    const { shop, id, visitor } = await open();
    await states["in dunning"]!.enter({ shop, worker, id, days: 0, shipsNow: false });
    const [first] = await upcomingOf(shop, id);
    const shown = day("en", first.billing_date);
    const form = { next_delivery_date: addDays(first.billing_date, 20) };
    const { text } = await visitor.post(`/subscriptions/${id}/schedule`, form);
    expect(text).toContain(en.look.chargeStays(shown));
    expect((await visitor.get(`/subscriptions/${id}`)).text).toContain(money("en", first.total, "USD"));
  });
});
