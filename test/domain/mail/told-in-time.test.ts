/** A rise of a price is told 7 to 30 days before its first charge, or refused, by the term and the days that are left. */
import { describe, expect, test } from "vitest";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { rules } from "../../../src/domain/declarations/rules.ts";
import { switchOn } from "../../edges/portal/visitor.ts";
import { select } from "../../support/database.ts";
import { addPlan, itemOf, openShop } from "../../support/shops.ts";
import { advance, linked, startClock } from "../../support/worker.ts";
import { rowsOf, useBulk } from "../bulk/bulk-jobs.ts";
import { postboxOf } from "./postbox.ts";

const { worker, bulk } = useBulk();

const today = "2034-01-10";
const window = rules.find(({ paragraph }) => paragraph.startsWith("§ 17602 (change of the fee)"))!;
const { from, to } = (window as { days: { from: number; to: number } }).days;

/** The days before the first charge at the new price on which a mail has told it; undefined where the rise is refused. */
async function toldBefore(interval: string, count: number, days: number, notice_days?: number) {
  const shop = await openShop();
  await postboxOf(shop, worker).set({ provider: "log" });
  await switchOn(worker, shop);
  await startClock(shop, `${today}T12:00:00.000Z`);
  const plan = await addPlan(shop, { billing_interval: interval, billing_interval_count: count });
  const charge = addDays(today, days);
  const lines = [itemOf(plan, { store_variant_id: "old" })];
  const id = await linked(shop, worker, { next_delivery_date: charge, lines });
  const job = await bulk(shop, {
    action: "change_price",
    input: { store_variant_id: "old", price: 12, from_cycle: 1 },
    ids: [id],
    ...(notice_days === undefined ? {} : { notice_days }),
  });
  if ((await rowsOf(shop, job.id))[0]!.status === "SKIPPED") return undefined;
  await advance(shop, worker, days - 1);
  const postbox = postboxOf(shop, worker);
  const mails = [
    ...(await postbox.list({ kind: "price_change" })),
    ...(await postbox.list({ kind: "upcoming_charge" })),
  ];
  const told: number[] = [];
  for (const mail of mails) {
    const { text } = await postbox.content(mail);
    expect(text, "how to cancel").toContain("/subscriptions/");
    expect(text).toContain("$12.00");
    const [event] = await select<{ created_at: string }>(
      "SELECT created_at FROM activity_logs WHERE id = ?",
      mail.event_id,
    );
    told.push((Date.parse(charge) - Date.parse(event!.created_at.slice(0, 10))) / 86_400_000);
  }
  return told.toSorted((a, b) => b - a);
}

const terms = [
  ["week", 1],
  ["month", 1],
  ["month", 3],
  ["year", 1],
] as const;

describe.each(terms)("%s %i", (interval, count) => {
  test.each([1, 3, from - 1])("%i days before, with the law's notice, it is refused", async (days) => {
    expect(await toldBefore(interval, count, days, from)).toBeUndefined();
  });

  test.each([from, 8, 15, to])("%i days before it is told at once", async (days) => {
    expect((await toldBefore(interval, count, days, from))?.[0]).toBe(days);
  });

  test("with no notice named it is told exactly at the end of the window, or refused", async () => {
    expect(await toldBefore(interval, count, to - 1)).toBeUndefined();
    expect((await toldBefore(interval, count, to))?.[0]).toBe(to);
  });
});

describe("earlier than the window, a reminder tells the new amount within it", () => {
  test.each([
    ["month", 2],
    ["month", 3],
    ["week", 5],
    ["month", 12],
    ["year", 1],
  ])("%s %i", async (interval, count) => {
    const told = (await toldBefore(interval, count, to + 5)) ?? [];
    expect(told[0]).toBe(to + 5);
    expect(told.filter((days) => days >= from && days <= to)).toHaveLength(1);
  });

  test.each([
    ["week", 1],
    ["month", 1],
  ])("but not of %s %i: who changes such a price so early tells it again", async (interval, count) => {
    const told = (await toldBefore(interval, count, to + 5)) ?? [];
    expect(told[0]).toBe(to + 5);
    expect(told.filter((days) => days >= from && days <= to)).toEqual([]);
  });
});
