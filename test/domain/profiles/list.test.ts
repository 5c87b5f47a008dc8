/** The list of profiles is filtered, sorted and paged as documented. */
import { beforeAll, describe, expect, test } from "vitest";
import { api, type RequestOptions } from "../../support/client.ts";
import { faults, listed, profileOf, put } from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";

const path = "/api/profiles";
type Body = Record<string, unknown>;

describe("list", () => {
  const shop = useMerchant();
  beforeAll(async () => {
    const of = shop.of;
    await put("profiles", [
      profileOf(of, {
        email: "One@customers.test",
        email_status: "subscribed",
        store_customer_id: "gid://7",
        created_at: "2026-01-01T00:00:00.000Z",
      }),
      profileOf(of, {
        email: "two@customers.test",
        email_status: "subscribed",
        store_customer_id: "7",
        created_at: "2026-01-03T00:00:00.000Z",
        first_name: "Zoe",
      }),
      profileOf(of, {
        email: "three@customers.test",
        email_status: "unsubscribed",
        created_at: "2026-01-02T00:00:00.000Z",
        first_name: "Zoe",
      }),
      profileOf(of, {
        email: "four@customers.test",
        email_status: "suppressed",
        store_customer_id: "7",
        created_at: "2026-01-04T00:00:00.000Z",
      }),
      profileOf(of, { email: "five@customers.test", created_at: "2026-01-05T00:00:00.000Z" }),
      profileOf(of, {
        email: "gone@customers.test",
        email_status: "subscribed",
        store_customer_id: "7",
        deleted_at: "2026-01-06T00:00:00.000Z",
      }),
    ]);
  });
  const emails = async (query: RequestOptions["query"]) => {
    const { data, meta } = await listed(shop.admin, path, query);
    expect(meta.total).toBe(data.length);
    return data.map(({ email }) => (email as string).split("@")[0]);
  };

  test.each([
    ["newest first, none that is deleted", {}, ["five", "four", "two", "three", "One"]],
    ["email, in any case", { email: "oNE@CUSTOMERS.test" }, ["One"]],
    ["email, whole", { email: "one@customers" }, []],
    ["email of a deleted one", { email: "gone@customers.test" }, []],
    ["an empty email is nobody's", { email: "" }, []],
    ["email_status subscribed", { email_status: "subscribed" }, ["two", "One"]],
    ["email_status unsubscribed", { email_status: "unsubscribed" }, ["three"]],
    ["email_status suppressed", { email_status: "suppressed" }, ["four"]],
    ["store_customer_id, whole", { store_customer_id: "7" }, ["four", "two"]],
    ["store_customer_id of nobody", { store_customer_id: "%" }, []],
    ["search", { search: "zoe" }, ["two", "three"]],
    ["filters narrow each other", { search: "zoe", email_status: "subscribed" }, ["two"]],
    [
      "all filters",
      { search: "zo", email: "TWO@customers.test", email_status: "subscribed", store_customer_id: "7" },
      ["two"],
    ],
    ["filters that exclude each other", { email: "two@customers.test", email_status: "suppressed" }, []],
  ])("%s", async (_, query, expected) => {
    expect(await emails(query as RequestOptions["query"])).toEqual(expected);
  });

  test.each([
    ["email_status", { email_status: "active" }],
    ["email_status", { email_status: "" }],
    ["email_status", { email_status: "subscribed,suppressed" }],
    ["search", { search: "x".repeat(10_001) }],
    ["search", { search: "a\u0000b" }],
    ["page", { page: "0" }],
    ["page", { page: "-1" }],
    ["page", { page: "1.5" }],
    ["page", { page: "1e3" }],
    ["page", { page: "0x10" }],
    ["page", { page: "" }],
    ["page", { page: "9".repeat(400) }],
    ["limit", { limit: "0" }],
    ["limit", { limit: "101" }],
    ["limit", { limit: "ten" }],
    ["sort_by", { sort_by: "email" }],
    ["emial", { emial: "two@customers.test" }],
  ])("400 that names %s: %o", async (name, query) => {
    expect(faults(await api(shop.admin, "GET", path, { query }))).toEqual([400, "VALIDATION_FAILED", name]);
  });

  test("a parameter given twice is 400", async () => {
    expect(faults(await api(shop.admin, "GET", `${path}?email=a&email=b`))).toEqual([
      400,
      "VALIDATION_FAILED",
      "email",
    ]);
  });

  describe("pages", () => {
    const page = (query: RequestOptions["query"]) =>
      listed(shop.admin, path, query ?? {}) as Promise<{ data: Body[]; meta: Body }>;
    const at = "https://perennial.test/api/profiles";

    test("the envelope has its members, absolute URLs with the query, and a Link header", async () => {
      const query = { search: "@customers.test", limit: 2, page: 2 };
      const answer = await api(shop.admin, "GET", path, { query });
      const byCursor =
        /^https:\/\/perennial\.test\/api\/profiles\?search=%40customers\.test&limit=2&cursor=[\w-]+$/;
      const url = (n: number) => `${at}?search=%40customers.test&limit=2&page=${n}`;
      expect(answer.body.meta).toEqual({
        total: 5,
        total_is_estimate: false,
        is_partial: false,
        per_page: 2,
        current_page: 2,
        last_page: 3,
        first_page: 1,
        first_page_url: url(1),
        last_page_url: url(3),
        next_page_url: expect.stringMatching(byCursor),
        previous_page_url: expect.stringMatching(byCursor),
      });
      const { next_page_url: after, previous_page_url: before } = answer.body.meta;
      expect(answer.headers.get("Link")).toBe(
        `<${after}>; rel="next", <${before}>; rel="prev", <${url(1)}>; rel="first", <${url(3)}>; rel="last"`,
      );
      const pages = [after, before].map((at: string) =>
        api(shop.admin, "GET", at.replace("https://perennial.test", "")),
      );
      const [next, previous] = await Promise.all(pages);
      expect(next?.body.data).toHaveLength(1);
      expect(next?.body.meta).toMatchObject({ current_page: 3, next_page_url: null });
      expect(previous?.body.data).toEqual((await page({ ...query, page: 1 })).data);
      expect(previous?.body.meta).toMatchObject({ current_page: 1, previous_page_url: null });
    });

    test("page 1 and limit 25 by default", async () => {
      const { meta } = await page({});
      expect(meta).toMatchObject({
        per_page: 25,
        current_page: 1,
        last_page: 1,
        next_page_url: null,
        previous_page_url: null,
      });
    });

    test.each([[4], [500], [999_999_999]])(
      "page %s, past the end: 200, empty data, true totals",
      async (number) => {
        const { data, meta } = await page({ limit: 2, page: number });
        expect(data).toEqual([]);
        expect(meta).toMatchObject({ total: 5, current_page: number, last_page: 3, next_page_url: null });
        expect(meta.previous_page_url).toBe(`${at}?limit=2&page=3`);
      },
    );

    test("nothing found: last_page is 1", async () => {
      const { meta } = await page({ email: "nobody@customers.test" });
      expect(meta).toMatchObject({
        total: 0,
        last_page: 1,
        first_page: 1,
        next_page_url: null,
        previous_page_url: null,
      });
    });

    test("limits 1 and 100 are accepted", async () => {
      expect((await page({ limit: 1 })).data).toHaveLength(1);
      expect((await page({ limit: 100 })).meta).toMatchObject({ per_page: 100, total: 5 });
    });
  });
});
