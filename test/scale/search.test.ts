/** A search looks at a bounded number of the newest rows, and compares its term whole. */
import { beforeAll, describe, expect, test } from "vitest";
import { mostRead } from "../../src/base/db/list/list-bounds.ts";
import { mostSearched } from "../../src/base/db/list/search.ts";
import { type Answer, api } from "../support/client.ts";
import {
  faults,
  linkOf,
  listed,
  type Merchant,
  openMerchant,
  orderOf,
  profileOf,
  put,
  subscriptionOf,
  usageOf,
  walk,
} from "../support/records.ts";

const sizes = [150, 3_000] as const;

function at(n: number): string {
  return new Date(Date.UTC(2025, 0, 1) + n * 60_000).toISOString();
}

let shop: Merchant;

/** Customers, each with a subscription and an order, all of whom every common term finds. */
async function grow(from: number, to: number): Promise<void> {
  const { of } = shop;
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  const profiles = numbers.map((n) =>
    profileOf(of, {
      created_at: at(n),
      first_name: n >= 10 && n < 310 ? "Rarely common" : "Common",
      email: `c${n}@example.com`,
    }),
  );
  const subscriptions = numbers.map((n) =>
    subscriptionOf(of, profiles[n - from]!.id, {
      number: 1_000_000 + n,
      created_at: at(n),
      search_text: `example ${1_000_000 + n}`,
    }),
  );
  const orders = numbers.map((n) =>
    orderOf(of, {
      profile_id: profiles[n - from]!.id,
      created_at: at(n),
      store_order_number: `example-${n}`,
      status: n % 2 === 0 ? "PAID" : "PENDING",
    }),
  );
  await put("profiles", profiles);
  await put("subscriptions", subscriptions);
  await put("orders", orders);
  await put(
    "order_subscriptions",
    orders.map(({ id }, nth) => linkOf(of, id, subscriptions[nth]!.id)),
  );
}

const lists = ["/api/profiles", "/api/subscriptions", "/api/subscriptions/orders"] as const;
const terms = ["example", "com", "ex", "e", "ommo"];
const cases = lists.flatMap((path) => terms.map((search) => [path, search] as const));

type Found = { data: { id: string }[]; meta: Record<string, unknown> & { total: number; last_page: number } };

describe("a search looks at no more than the newest rows of each of its sources", () => {
  const figures = new Map<string, { rows_read: number; body: Found }[]>();
  beforeAll(async () => {
    shop = await openMerchant();
    let size = 0;
    for (const next of sizes) {
      await grow(size, next);
      size = next;
      for (const [path, search] of cases) {
        const { answer, rows_read } = await usageOf(() =>
          api(shop.admin, "GET", path, { query: { search } }),
        );
        expect(answer.status).toBe(200);
        const key = `${path} ${search}`;
        figures.set(key, [...(figures.get(key) ?? []), { rows_read, body: answer.body as Found }]);
      }
    }
  });

  test.each(cases)(
    "GET %s?search=%s: all of a small account, a lower bound of a large one",
    (path, search) => {
      const [small, large] = figures.get(`${path} ${search}`)!;
      expect(small!.body.meta).toMatchObject({ total: sizes[0], total_is_estimate: false, last_page: 6 });
      const { total, total_is_estimate, next_page_url } = large!.body.meta;
      expect(total_is_estimate).toBe(true);
      expect(total).toBeGreaterThanOrEqual(mostSearched);
      expect(total).toBeLessThanOrEqual(sizes[1]);
      expect(next_page_url).not.toBeNull();
      expect(large!.body.data).toHaveLength(25);
      expect(large!.rows_read).toBeLessThanOrEqual(mostRead);
    },
  );

  /** Everything that a list shows, walked once before more is stored. */
  const walked = new Map<string, ReturnType<typeof walk>>();
  const allOf = (path: string) => {
    const all = walked.get(path) ?? walk(shop.admin, path, { limit: 100 });
    walked.set(path, all);
    return all;
  };

  test.each(lists)(
    "GET %s: the newest come first, and each once, to the end; no page reads more than it may, and its total is a lower bound",
    async (path) => {
      const all = await allOf(path);
      expect(all.ids).toHaveLength(sizes[1]);
      for (const search of ["e", "example"]) {
        let at = `${path}?search=${search}&limit=100`;
        const seen: string[] = [];
        for (let next: unknown = at; next; ) {
          at = String(next);
          const { answer, rows_read } = await usageOf(() => api(shop.admin, "GET", at));
          expect(rows_read, `${rows_read} of ${at}`).toBeLessThanOrEqual(mostRead);
          const { data, meta } = answer.body as Found;
          seen.push(...data.map(({ id }) => id));
          next = meta.next_page_url;
          expect(meta.total).toBeLessThanOrEqual(sizes[1]);
          expect(meta.is_partial, at).toBe(data.length < 100 && next !== null);
        }
        expect(seen, search).toEqual(all.ids);
      }
    },
  );

  test.each(lists.slice(1))("GET %s: sorted by any column, each is there once", async (path) => {
    const by = "total";
    const all = await allOf(path);
    for (const sort_order of ["asc", "desc"]) {
      const { ids, back } = await walk(shop.admin, path, {
        ...{ search: "example", limit: 100, sort_by: by, sort_order },
      });
      expect(ids.toSorted()).toEqual(all.ids.toSorted());
      expect(back).toEqual(ids);
    }
  });

  test.each(lists)(
    "GET %s: of few among many, pages are short and say so, and none is lost",
    async (path) => {
      const all = await allOf(path);
      const { ids, back, pages } = await walk(shop.admin, path, { search: "rarely", limit: 100 });
      expect(ids).toEqual(all.ids.toReversed().slice(10, 310).toReversed());
      expect(back).toEqual(ids);
      for (const { data, meta } of pages)
        expect(meta.is_partial).toBe(data.length < 100 && meta.next_page_url !== null);
      expect(pages.some(({ meta }) => meta.is_partial)).toBe(true);
    },
  );

  test.each(lists)("GET %s: a walk goes on as it began while more are stored", async (path) => {
    const before = await walk(shop.admin, path, { search: "example", limit: 100 });
    const ids: unknown[] = [];
    let size = (await listed(shop.admin, path, {})).meta.total;
    let page = await listed(shop.admin, path, { search: "example", limit: 100 });
    for (;;) {
      ids.push(...page.data.map(({ id }) => id));
      if (!page.meta.next_page_url) break;
      await grow(size, size + 20);
      size += 20;
      page = await listed(shop.admin, page.meta.next_page_url);
    }
    expect(ids).toEqual(before.ids);
  });

  test("a list that counts all says so", async () => {
    const { meta } = await listed(shop.admin, "/api/subscriptions", {});
    expect(meta).toMatchObject({
      total_is_estimate: false,
    });
  });

  test("a search among one customer's is exact, whatever the account has", async () => {
    const { data } = await listed(shop.admin, "/api/profiles", { limit: 1 });
    const query = { search: "example", profile_id: String(data[0]!.id) };
    const { answer, rows_read } = await usageOf(() =>
      api(shop.admin, "GET", "/api/subscriptions", { query }),
    );
    expect((answer.body as Found).meta).toMatchObject({ total: 1, total_is_estimate: false });
    expect(rows_read).toBeLessThanOrEqual(20);
  });
});

describe("the term", () => {
  test.each(lists)("GET %s: 1 to 256 characters", async (path) => {
    const longest = "é".repeat(255);
    for (const search of ["q", `${longest}q`, "𐐀".repeat(256)])
      expect((await listed(shop.admin, path, { search })).data).toEqual([]);
    for (const search of ["", "x".repeat(257)]) {
      const answer = await api(shop.admin, "GET", path, { query: { search } });
      expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", "search"]);
    }
  });

  test("is compared whole, however long", async () => {
    const merchant = await openMerchant();
    const name = "needle ".repeat(35);
    await put("profiles", [profileOf(merchant.of, { first_name: name })]);
    const total = async (search: string) =>
      (await listed(merchant.admin, "/api/profiles", { search })).meta.total;
    expect([await total(name.trim()), await total(`${name.slice(0, 240)}x`)]).toEqual([1, 0]);
  });
});

describe("Link", () => {
  const linksOf = (answer: Answer) => answer.headers.get("Link") ?? "";

  test("has every page's address where they fit", async () => {
    const answer = await api(shop.admin, "GET", "/api/profiles", { query: { limit: 10, page: 2 } });
    expect([...linksOf(answer).matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel)).toEqual([
      "next",
      "prev",
      "first",
      "last",
    ]);
  });

  test.each([
    ["search", "𐐀".repeat(100), 3],
    ["search", "𐐀".repeat(256), 1],
    ["store_customer_id", "x".repeat(5_000), 0],
  ])("is at most 4 KB long: a %s of %s", async (name, value, count) => {
    const answer = await api(shop.admin, "GET", "/api/profiles", { query: { [name]: value, page: 2 } });
    expect(answer.status).toBe(200);
    expect(linksOf(answer).length).toBeLessThanOrEqual(4096);
    expect(linksOf(answer).split("rel=")).toHaveLength(count + 1);
    expect((answer.body as Found).meta.first_page_url).toContain("page=1");
  });
});
