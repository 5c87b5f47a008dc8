/** A slot's places are looked up by index, however many days it has had. */
import { beforeAll, expect, test } from "vitest";
import { addDays } from "../../src/base/lib/time/calendar.ts";
import { api } from "../support/client.ts";
import { put, usageOf } from "../support/records.ts";
import { addSlot, itemOf, nextDay, on, subscribe } from "../support/shops.ts";
import { useAccount } from "../support/use-account.ts";

const shop = useAccount();
const first = nextDay(4, 14);
/** Days on each side of the present that the slot has had, and will have. */
const days = 400;
/** A day's room is looked for in the weeks of a year. */
const weeks = 52;

let slot: string;
let id: string;
beforeAll(async () => {
  slot = await addSlot(shop, { day_of_week: 4 }, { max_deliveries_per_day: 1 });
  id = await subscribe(shop, { delivery_slot_id: slot, next_delivery_date: addDays(first, -7) });
  const over_full_since = "2026-01-01T00:00:00.000Z";
  await put(
    "delivery_counts",
    Array.from({ length: 2 * days }, (_, index) => ({
      account_id: shop.of.account.id,
      delivery_slot_id: slot,
      delivery_date: addDays(first, (index - days) * 7),
      count: 3,
      ...(index < days ? { over_full_since, reported_at: over_full_since } : {}),
    })).filter(({ delivery_date }) => delivery_date !== addDays(first, -7)),
  );
});

test("a refused creation reads the slot's days of a year, whatever was before and comes after", async () => {
  const body = {
    profile_id: shop.profileId,
    store_payment_method_id: "pm_success",
    delivery_slot_id: slot,
    next_delivery_date: first,
    lines: [itemOf(shop.plan)],
  };
  const { answer, rows_read } = await usageOf(() => api(shop.api, "POST", "/api/subscriptions", { body }));
  expect(answer.status).toBe(409);
  expect(rows_read).toBeLessThan(weeks + 40);
});

test("a change in a slot looks for what to tell by index, among however many days that were told of", async () => {
  const { answer, rows_read } = await usageOf(() =>
    api(shop.api, "POST", on(id, "skip-deliveries"), { body: {} }),
  );
  expect(answer.status).toBe(200);
  expect(rows_read).toBeLessThan(100);
});
