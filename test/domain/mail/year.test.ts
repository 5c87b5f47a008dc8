/** As a test clock moves, mails are sent in time: a reminder names the charge that is then made, and none that waits is late. */
import { expect, test } from "vitest";
import { portalLocales } from "../../../src/base/accounts/portal-settings.ts";
import { day, money } from "../../../src/base/language/format.ts";
import { switchOn } from "../../edges/portal/visitor.ts";
import { execute } from "../../support/database.ts";
import { addPlan, done, itemOf, type Json, openShop } from "../../support/shops.ts";
import { advance, attemptsOf, linked, startClock, useWorker } from "../../support/worker.ts";
import { log, postboxOf } from "./postbox.ts";

const worker = useWorker();

test.each(portalLocales)(
  "a reminder says the amount and the date of the charge that is then made, in each of twelve cycles (%s)",
  async (locale) => {
    const shop = await openShop();
    const postbox = postboxOf(shop, worker);
    await postbox.set(log);
    await switchOn(worker, shop, { default_locale: locale });
    await startClock(shop, "2030-01-01T12:00:00.000Z");
    const monthly = await addPlan(shop, { billing_interval: "MONTH", delivery_interval: "MONTH" });
    const id = await linked(shop, worker, { next_delivery_date: "2030-01-31", lines: [itemOf(monthly)] });
    // Off for the first three cycles, so that the amount changes on the way.
    const discount = {
      title: "Welcome",
      value_type: "PERCENTAGE",
      target_type: "ORDER",
      value: 15,
      recurring_cycle_limit: 3,
    };
    await done(shop.api, "POST", id, "discounts", discount);
    await advance(shop, worker, 364);
    const charges: Json[] = (await attemptsOf(shop, id)).toReversed();
    expect(charges.map(({ status }) => status)).toEqual(Array(12).fill("SUCCEEDED"));
    expect(new Set(charges.map(({ amount }) => amount)).size).toBe(2);
    const mails = await postbox.list({ kind: "upcoming_charge" });
    const subjects = mails.map(({ subject }: Json) => subject).toSorted();
    const said = await Promise.all(
      mails.map(async (mail: Json) => (await postbox.content(mail)).text as string),
    );
    expect(mails).toHaveLength(12);
    for (const { amount, created_at } of charges) {
      const [sum, date] = [money(locale, amount, "USD"), day(locale, created_at.slice(0, 10))];
      const told = said.filter((text) => text.split("\n")[0]!.includes(date));
      expect(told, date).toHaveLength(1);
      expect(told[0]!.split("\n")[0]).toContain(sum);
      expect(subjects.filter((subject) => subject.includes(date) && subject.includes(sum))).toHaveLength(1);
    }
  },
);

test("every reminder of a day is sent before a test clock moves on to the charges, however many there are", async () => {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await postbox.set(log);
  await startClock(shop, "2030-01-25T12:00:00.000Z");
  const subscriptions = 60;
  for (let n = 0; n < subscriptions; n++) await linked(shop, worker, { next_delivery_date: "2030-01-31" });
  await advance(shop, worker, 7);
  const mails = await postbox.list({ kind: "upcoming_charge" });
  expect(mails).toHaveLength(subscriptions);
  expect(mails.filter(({ status }) => status !== "SENT")).toEqual([]);
});

test("a mail that waits for further changes is sent once a test clock has moved, also where a sender of it died", async () => {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await postbox.set(log);
  await startClock(shop, "2030-01-01T12:00:00.000Z");
  const id = await linked(shop, worker, { next_delivery_date: "2030-03-01" });
  await done(shop.api, "POST", id, "skip", { skip_weeks: 1 });
  await worker.drain();
  const statuses = async () => (await postbox.list({ kind: "changed" })).map(({ status }: Json) => status);
  expect(await statuses()).toEqual(["PENDING"]);
  await execute("UPDATE event_deliveries SET attempt_count = 1 WHERE status = 'PENDING'");
  await advance(shop, worker, 1);
  expect(await statuses()).toEqual(["SENT"]);
});
