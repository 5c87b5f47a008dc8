/** A cursor leads on where its page ended, and a foreign or forged one is refused. */
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { base64url, bytesOfBase64url } from "../../../src/base/lib/encoding.ts";
import { api } from "../../support/client.ts";
import {
  entityOf,
  faults,
  listed,
  logOf,
  openMerchant,
  profileOf,
  put,
  seeded,
  subscriptionOf,
} from "../../support/records.ts";
import { path as subscriptions } from "../../support/subscriptions.ts";
import { useMerchant } from "../../support/use-account.ts";

const shop = useMerchant();
const entities = "/api/subscriptions/entities";
const query = {
  status: "ACTIVE,PAUSED",
  sort_by: "next_billing_date",
  next_billing_after: "2026-01-01",
  limit: 2,
};

let cursor: string;

function cursorOf(url: string | null): string {
  return new URL(url ?? "").searchParams.get("cursor") ?? "";
}

beforeAll(async () => {
  const profile = profileOf(shop.of);
  await put("profiles", [profile]);
  const days = Array.from({ length: 7 }, (_, nth) => `2026-02-0${nth + 1}`);
  await put(
    "subscriptions",
    days.map((day) => subscriptionOf(shop.of, profile.id, { next_billing_date: day })),
  );
  await put(
    "entities",
    days.map((name) => entityOf(shop.of, profile.id, { name })),
  );
  cursor = cursorOf((await listed(shop.admin, subscriptions, query)).meta.next_page_url);
});

const refused = [400, "VALIDATION_FAILED", "cursor"];

describe("a cursor", () => {
  test("leads on where its page ended, whatever has been stored since", async () => {
    const { data, meta } = await listed(shop.admin, subscriptions, { ...query, cursor });
    expect(data.map(({ next_billing_date }) => next_billing_date)).toEqual(["2026-02-05", "2026-02-04"]);
    expect(meta).toMatchObject({ total: 7, current_page: 2, last_page: 4, per_page: 2 });
  });

  test.each([
    ["another filter", subscriptions, { ...query, status: "ACTIVE" }],
    ["one filter fewer", subscriptions, { sort_by: "next_billing_date", limit: 2 }],
    ["another sort", subscriptions, { ...query, sort_by: "created_at" }],
    ["another order", subscriptions, { ...query, sort_order: "asc" }],
    ["another limit", subscriptions, { ...query, limit: 3 }],
    ["another list", entities, { limit: 2 }],
  ])("of %s is refused", async (_, at, other) => {
    const answer = await api(shop.admin, "GET", at, { query: { ...other, cursor } });
    expect(faults(answer)).toEqual(refused);
  });

  test("of another account is refused", async () => {
    const other = await openMerchant();
    expect(faults(await api(other.admin, "GET", subscriptions, { query: { ...query, cursor } }))).toEqual(
      refused,
    );
  });

  test("with a page is refused, which one leads being unclear", async () => {
    const answer = await api(shop.admin, "GET", subscriptions, { query: { ...query, cursor, page: 2 } });
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", "page"]);
  });

  test("that was changed in any character is refused", async () => {
    for (let nth = 0; nth < cursor.length; nth++) {
      const changed = `${cursor.slice(0, nth)}${cursor[nth] === "A" ? "B" : "A"}${cursor.slice(nth + 1)}`;
      const answer = await api(shop.admin, "GET", subscriptions, { query: { ...query, cursor: changed } });
      expect(faults(answer), `character ${nth}`).toEqual(refused);
    }
  });

  test("of any other text is refused", async () => {
    const texts = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.base64String({ minLength: 1 }),
      fc.json().map(encoded),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        fc.pre(!text.includes("\0"));
        expect(
          faults(await api(shop.admin, "GET", subscriptions, { query: { ...query, cursor: text } })),
        ).toEqual(refused);
      }),
      seeded(60),
    );
  });

  /** The checksum is no secret. */
  const forged = (said: unknown[]): string => {
    const others = Object.entries(query).filter(([name]) => name !== "limit");
    const sorted = others.sort(([a], [b]) => (a < b ? -1 : 1));
    const check = crc32(JSON.stringify([shop.of.account.id, subscriptions, sorted, 2, said])).toString(36);
    return encoded(JSON.stringify([check, ...said]));
  };

  test.each([
    ["a time instead of a date and a number", ["on", false, 2, 7, false, 5, 5]],
    ["a text instead of a number", ["on", false, 2, 7, false, "2026-02-05", "5"]],
    ["a value too few", ["on", false, 2, 7, false, "2026-02-05"]],
    ["a value too many", ["on", false, 2, 7, false, "2026-02-05", 5, 5]],
    ["null, which the range leaves out", ["on", false, 2, 7, false, null, 5]],
    ["a date before the range", ["on", false, 2, 7, false, "2025-12-31", 5]],
    ["no value, but from the beginning", ["on", false, 2, 7, false]],
    ["page 0", ["on", false, 0, 7, false, "2026-02-05", 5]],
    ["a total below 0", ["on", false, 2, -7, false, "2026-02-05", 5]],
    ["another direction", ["up", false, 2, 7, false, "2026-02-05", 5]],
  ])("that somebody made of %s is refused", async (_, said) => {
    const answer = await api(shop.admin, "GET", subscriptions, { query: { ...query, cursor: forged(said) } });
    expect(faults(answer)).toEqual(refused);
  });

  test("that somebody made of a place in the list leads there", async () => {
    const said = JSON.parse(new TextDecoder().decode(bytesOfBase64url(cursor))).slice(1);
    const answer = await api(shop.admin, "GET", subscriptions, { query: { ...query, cursor: forged(said) } });
    expect([forged(said), answer.status]).toEqual([cursor, 200]);
  });
});

function encoded(text: string): string {
  return base64url(new TextEncoder().encode(text));
}

describe("the feed", () => {
  test("has the cursors of the pages before and after it in Link alone", async () => {
    const logs = Array.from({ length: 5 }, (_, nth) =>
      logOf(shop.of, { created_at: `2026-03-01T00:00:0${nth}.000Z` }),
    );
    await put("activity_logs", logs);
    const days = { start_date: "2026-03-01", end_date: "2026-03-01", limit: 2 };
    const linkOf = (rel: string, headers: Headers): string =>
      new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get("Link") ?? "")?.[1] ?? "";
    const first = await api<{ data: { id: string }[] }>(shop.admin, "GET", "/api/activity-logs", {
      query: days,
    });
    const pages = [first];
    for (
      let next = linkOf("next", first.headers);
      next;
      next = linkOf("next", pages.at(-1)?.headers ?? new Headers())
    )
      pages.push(await api(shop.admin, "GET", next));
    expect(pages.flatMap(({ body }) => body.data.map(({ id }) => id))).toEqual(
      logs.map(({ id }) => id).toReversed(),
    );
    expect(pages.map(({ body }) => body.data.length)).toEqual([2, 2, 1]);
    const before = await api(shop.admin, "GET", linkOf("prev", pages[1]?.headers ?? new Headers()));
    expect(before.body).toMatchObject({ data: first.body.data });
  });
});
