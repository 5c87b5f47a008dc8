/** The rows that a list of subscriptions reads are bounded by its page, for merchants and customers. */
import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../support/client.ts";
import { listed, type Merchant, usageOf } from "../support/records.ts";
import { lineOf, planned } from "../support/subscriptions.ts";
import { bearer, token } from "../support/tenant.ts";
import { type Case, casesOf, few } from "./subscriptions.cases.ts";
import { useGrowingAccount } from "./subscriptions.setup.ts";

/** The last pages of both sizes lie deeper than what the database skips over. */
const sizes = [800, 2_400] as const;

const { shop, known, grow } = useGrowingAccount();

describe("rows that D1 reports as read are bounded by the page, not by the account's subscriptions", () => {
  const figures: Record<number, Awaited<ReturnType<typeof measure>>[]> = {};
  let cases: Case[] = [];
  beforeAll(async () => {
    let from = 0;
    for (const size of sizes) {
      await grow(from, size);
      from = size;
      cases = casesOf(known);
      figures[size] = [];
      for (const entry of cases) figures[size].push(await measure(shop, entry));
    }
  });

  test.each(casesOf(known).map(({ title }, nth) => [title, nth] as const))("%s", (title, nth) => {
    const [small, large] = sizes.map((size) => figures[size]![nth]!);
    const { most, db_round_trips = 1 } = cases[nth]!;
    const growth = Math.max(1, large!.shown / Math.max(1, small!.shown));
    expect(large!.status, title).toBe(200);
    expect(
      large!.rows_read,
      `${large!.rows_read} rows read of ${sizes[1]}, ${small!.rows_read} of ${sizes[0]}`,
    ).toBeLessThanOrEqual(most);
    expect(large!.rows_read, `${small!.rows_read} rows read of ${sizes[0]}`).toBeLessThanOrEqual(
      Math.ceil(small!.rows_read * growth * 1.1) + 6,
    );
    expect(large!.db_round_trips, "round trips to the database").toBeLessThanOrEqual(db_round_trips);
  });

  test("a customer's list reads only the customer's rows", async () => {
    const ada = bearer(await token(shop.of, { actor_type: "customer", profile_id: known.profile }));
    const list = (query = {}) => usageOf(() => api(ada, "GET", "/api/subscriptions", { query }));
    await list();
    for (const query of [
      {},
      { status: "CANCELLED" },
      { status: "ACTIVE,CANCELLED" },
      { failed_payment: "true" },
      { search: "customers.test" },
    ]) {
      await list(query);
      const { rows_read } = await list(query);
      expect(rows_read, JSON.stringify(query)).toBeLessThanOrEqual(few * 2);
    }
  });

  test("creation reads what it needs and writes in one round trip", async () => {
    const body = {
      profile_id: known.profile,
      store_payment_method_id: "pm_success",
      next_delivery_date: "2035-01-31",
      lines: [lineOf(known.plan), lineOf(known.plan, { entity_id: known.entity })],
    };
    await api(shop.admin, "POST", "/api/subscriptions", { body });
    const { answer, rows_read, db_round_trips } = await usageOf(() =>
      api(shop.admin, "POST", "/api/subscriptions", { body }),
    );
    expect(answer.status).toBe(201);
    expect(rows_read).toBeLessThanOrEqual(100);
    expect(db_round_trips).toBeLessThanOrEqual(6);
  });

  test("deleting a plan reads few rows, whether it is unused and deleted or in use and refused", async () => {
    const refused = await usageOf(() =>
      api(shop.admin, "DELETE", `/api/subscriptions/selling-plans/${known.commonPlan}`),
    );
    expect(refused.answer.status).toBe(409);
    expect(refused.rows_read).toBeLessThanOrEqual(20);
    const spare = await planned(shop.admin);
    const deleted = await usageOf(() =>
      api(shop.admin, "DELETE", `/api/subscriptions/selling-plans/${spare}`),
    );
    expect(deleted.answer.status).toBe(204);
    expect(deleted.rows_read).toBeLessThanOrEqual(20);
  });
});

async function measure({ admin }: Merchant, { on = "", query = {}, lastPage }: Case) {
  const path = `/api/subscriptions${on}`;
  const last = lastPage ? { page: (await listed(admin, path, query)).meta.last_page } : {};
  const pageQuery = { ...query, ...last };
  await api(admin, "GET", path, { query: pageQuery });
  const { answer, rows_read, db_round_trips } = await usageOf(() =>
    api(admin, "GET", path, { query: pageQuery }),
  );
  const { data } = answer.body as { data: unknown };
  return { rows_read, db_round_trips, status: answer.status, shown: Array.isArray(data) ? data.length : 1 };
}
