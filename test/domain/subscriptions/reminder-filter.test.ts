/** The filter by reminder status finds exactly the subscriptions that show this status. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import {
  reminderStatuses,
  type Subscription,
  subscriptionStatuses,
} from "../../../src/domain/subscriptions/tables.ts";
import { api } from "../../support/client.ts";
import { type Merchant, openMerchant, profileOf, put, subscriptionOf } from "../../support/records.ts";
import { path } from "../../support/subscriptions.ts";

function day(ahead: number): string {
  return new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
}

/** Every combination of what a reminder's status depends on. */
function cases(): Partial<Subscription>[] {
  return subscriptionStatuses.flatMap((status) =>
    [null, day(-1), day(0), day(1), day(3), day(4)].flatMap((next_billing_date) =>
      [null, next_billing_date, day(30)].flatMap((last_payment_reminder_billing_date) =>
        [null, "2026-01-01T00:00:00.000Z"].flatMap((last_payment_reminder_sent_at) =>
          [null, newId()].map((dunning_episode_id) => ({
            status,
            next_billing_date,
            restart_billing_date: status === "PAUSED" ? next_billing_date : null,
            last_payment_reminder_billing_date,
            last_payment_reminder_sent_at,
            dunning_episode_id,
          })),
        ),
      ),
    ),
  );
}

let shop: Merchant;
beforeAll(async () => {
  shop = await openMerchant();
  const profile = profileOf(shop.of);
  await put("profiles", [profile]);
  const rows = cases().map((row, n) => subscriptionOf(shop.of, profile.id, { ...row, number: 2_000 + n }));
  await put("subscriptions", rows);
});

type Item = { id: string; status: string; payment_reminder_status: string };

async function listed(query: Record<string, string>): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page++) {
    const { status, body } = await api(shop.admin, "GET", path, { query: { ...query, limit: 100, page } });
    expect(status).toBe(200);
    items.push(...body.data);
    if (body.meta.next_page_url === null) return items;
  }
}

describe.each([null, 0, 3, 60])("with reminders %o days before", (payment_reminder_days_before) => {
  beforeAll(async () => {
    await api(shop.of, "PUT", "/api/account", { body: { payment_reminder_days_before } });
  });

  test.each(["created_at", "next_billing_date", "total", "status"])(
    "the filter finds exactly the subscriptions that show this status, sorted by %s",
    async (sort_by) => {
      const all = await listed({ sort_by });
      expect(all.length).toBe(cases().length);
      for (const payment_reminder_status of reminderStatuses) {
        const shown = all.filter((item) => item.payment_reminder_status === payment_reminder_status);
        const found = await listed({ sort_by, payment_reminder_status });
        expect(found.map(({ id }) => id)).toEqual(shown.map(({ id }) => id));
        const active = await listed({ sort_by, payment_reminder_status, status: "ACTIVE" });
        expect(active.map(({ id }) => id)).toEqual(
          shown.filter(({ status }) => status === "ACTIVE").map(({ id }) => id),
        );
      }
    },
  );
});

test("a status that there is not is refused", async () => {
  const answer = await api(shop.admin, "GET", path, { query: { payment_reminder_status: "due" } });
  expect([answer.status, answer.body.details[0].path]).toEqual([400, "payment_reminder_status"]);
});
