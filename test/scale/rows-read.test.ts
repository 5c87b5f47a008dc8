/** The rows that a list reads are bounded by its page, and another account adds none. */
import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../support/client.ts";
import { listed, type Merchant, openMerchant, profileOf, put, usageOf } from "../support/records.ts";
import { type Case, casesOf, entities, feed, orders, profiles } from "./rows-read.cases.ts";
import { useGrowingAccount } from "./rows-read.setup.ts";

/** The last pages of both sizes lie deeper than what the database skips over. */
const sizes = [1_300, 3_900] as const;

const { shop, known, grow } = useGrowingAccount();

describe("rows that D1 reports as read are bounded by the page, not by the table", () => {
  const figures: Record<number, { rows_read: number; db_round_trips: number; status: number }[]> = {};
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

  const titles = casesOf(known).map(
    ({ title, path }, nth) => [path.replace(/\/$/, "/{id}"), title, nth] as const,
  );
  test.each(titles)("GET %s: %s", (_, title, nth) => {
    const [small, large] = sizes.map((size) => figures[size]![nth]!);
    const { most, db_round_trips = 1, status = 200 } = cases[nth]!;
    expect(large!.status, title).toBe(status);
    expect(
      large!.rows_read,
      `${large!.rows_read} rows read of ${sizes[1]}, ${small!.rows_read} of ${sizes[0]}`,
    ).toBeLessThanOrEqual(most);
    expect(large!.rows_read, `${small!.rows_read} rows read of ${sizes[0]}`).toBeLessThanOrEqual(
      Math.ceil(small!.rows_read * 1.1) + 6,
    );
    expect(large!.db_round_trips, "round trips to the database").toBeLessThanOrEqual(db_round_trips);
  });
});

async function measure({ admin }: Merchant, { path, query = {}, lastPage }: Case) {
  const last = lastPage ? { page: (await listed(admin, path, query)).meta.last_page } : {};
  await api(admin, "GET", path, { query });
  const usage = await usageOf(() => api(admin, "GET", path, { query: { ...query, ...last } }));
  return { rows_read: usage.rows_read, db_round_trips: usage.db_round_trips, status: usage.answer.status };
}

describe("the rows of another account add nothing to what a search reads", () => {
  test.each([profiles, orders])("GET %s", async (path) => {
    const [small, large] = [await openMerchant(), await openMerchant()];
    await put("profiles", [profileOf(small.of, { first_name: "Neighbourly" })]);
    const search = () => api(small.admin, "GET", path, { query: { search: "neighbourly" } });
    await search();
    const alone = await usageOf(search);
    await put(
      "profiles",
      Array.from({ length: 300 }, () => profileOf(large.of, { first_name: "Neighbourly" })),
    );
    const beside = await usageOf(search);
    expect(beside.answer.body).toEqual(alone.answer.body);
    expect(beside.rows_read, `${alone.rows_read} rows read alone`).toBeLessThanOrEqual(alone.rows_read + 10);
  });
});

describe("a write takes few round trips, and reads what it changes", () => {
  test("create, update and delete of a profile and an entity", async () => {
    const created = await usageOf(() =>
      api(shop.admin, "POST", profiles, { body: { email: "scale@customers.test" } }),
    );
    expect([created.answer.status, created.db_round_trips]).toEqual([200, 1]);
    expect(created.rows_read).toBeLessThanOrEqual(20);
    const { id } = (created.answer.body as { data: { id: string } }).data;
    const changed = await usageOf(() =>
      api(shop.admin, "PUT", `${profiles}/${id}`, { body: { first_name: "Scaled" } }),
    );
    expect([changed.answer.status, changed.db_round_trips]).toEqual([200, 2]);
    expect(changed.rows_read).toBeLessThanOrEqual(20);
    const removed = await usageOf(() => api(shop.admin, "DELETE", `${profiles}/${id}`));
    expect([removed.answer.status, removed.db_round_trips]).toEqual([204, 3]);
    expect(removed.rows_read).toBeLessThanOrEqual(25);
    const entity = await usageOf(() =>
      api(shop.of, "POST", entities, { body: { profile_id: known.profile, entity_type: "dog", name: "x" } }),
    );
    expect(entity.db_round_trips).toBeLessThanOrEqual(2);
    expect(entity.rows_read).toBeLessThanOrEqual(20);
    const entry = await usageOf(() =>
      api(shop.admin, "POST", feed, {
        body: { loggable_type: "order", loggable_id: known.order, action: "integration_x" },
      }),
    );
    expect(entry.db_round_trips).toBeLessThanOrEqual(2);
    expect(entry.rows_read).toBeLessThanOrEqual(20);
  });
});
