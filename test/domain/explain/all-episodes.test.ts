/** The account's list of dunning episodes says whose payment failed, how much is owed and when it is tried again, oldest first. */
import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { faults } from "../../support/records.ts";
import { done, type Json, openShop } from "../../support/shops.ts";
import { limitedKey } from "../../support/tenant.ts";
import { advance, episodesOf, linked, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop({ timezone: "America/New_York" });

function list(query: Record<string, string | number> = {}, as = shop.api) {
  return api<Json>(as, "GET", "/api/dunning-episodes", { query });
}

/** Subscriptions whose payments were refused, one a day: the second for good, and the third was then cancelled. */
const ids: string[] = [];
const opened: Json[] = [];

beforeAll(async () => {
  await execute("UPDATE profiles SET first_name = 'Ada', last_name = 'Kim' WHERE id = ?", shop.profileId);
  for (const store_payment_method_id of ["pm_card_declined", "pm_expired_card", "pm_card_declined"]) {
    ids.push(await linked(shop, worker, { store_payment_method_id }));
    await advance(shop, worker, 0.9);
  }
  await done(shop.api, "POST", ids[2]!, "cancel", {});
  for (const id of ids) opened.push((await episodesOf(shop, id))[0]);
});

async function ownersOf(query: Record<string, string>): Promise<number[]> {
  const { data } = (await list(query)).body;
  return data.map((row: Json) => ids.indexOf(row.subscription_id));
}

test("each as its subscription shows it, with the customer, the subscription's number and the amount", async () => {
  const { body } = await list();
  expect(body.meta).toMatchObject({ total: 3 });
  const subscriptions = await Promise.all(
    ids.map(async (id) => (await api<Json>(shop.api, "GET", `/api/subscriptions/${id}`)).body.data),
  );
  expect(body.data).toEqual(
    opened.map((episode, nth) => ({
      ...episode,
      subscription_number: subscriptions[nth].number,
      customer_name: "Ada Kim",
      amount: subscriptions[nth].total,
      currency_code: "USD",
    })),
  );
});

test("what is owed follows the subscription while it is owed, and what was to be paid stays once it is not", async () => {
  const other = await openShop();
  const id = await linked(other, worker, { store_payment_method_id: "pm_card_declined" });
  await advance(other, worker, 0.1);
  const line = { ...(await api<Json>(other.api, "GET", `/api/subscriptions/${id}`)).body.data.lines[0] };
  const amountOf = async () => (await list({}, other.api)).body.data.map(({ amount }: Json) => amount);
  const change = async (quantity: number) =>
    api(other.api, "PUT", `/api/subscriptions/${id}/lines/${line.id}`, { body: { quantity } });
  await change(3);
  expect(await amountOf()).toEqual([30]);
  await done(other.api, "POST", id, "cancel", {});
  expect(await amountOf()).toEqual([10]);
});

describe("filters", () => {
  test.each<[Record<string, string>, number[]]>([
    [{ status: "OPEN" }, [0]],
    [{ status: "OPEN,AWAITING_CUSTOMER" }, [0, 1]],
    [{ status: "CLOSED" }, [2]],
    [{ status: "EXHAUSTED" }, []],
  ])("%o", async (query, expected) => {
    expect(await ownersOf(query)).toEqual(expected);
  });

  test("next_retry_before: tried again before an instant, or before a day begins in the account's time zone", async () => {
    const retry: string = (await list()).body.data[0].next_retry_at;
    expect(await ownersOf({ next_retry_before: retry })).toEqual([]);
    expect(await ownersOf({ next_retry_before: new Date(Date.parse(retry) + 1).toISOString() })).toEqual([0]);
    const inNewYork = (ms: number) =>
      new Date(ms).toLocaleDateString("en-CA", { timeZone: "America/New_York" });
    expect(await ownersOf({ next_retry_before: inNewYork(Date.parse(retry)) })).toEqual([]);
    expect(await ownersOf({ next_retry_before: inNewYork(Date.parse(retry) + 86_400_000) })).toEqual([0]);
    expect(await ownersOf({ next_retry_before: "2099-01-01", status: "AWAITING_CUSTOMER" })).toEqual([]);
  });

  test("an unknown status and a text that is no date are named", async () => {
    for (const query of [{ status: "LOST" }, { next_retry_before: "soon" }])
      expect(faults(await list(query))).toEqual([400, "VALIDATION_FAILED", ...Object.keys(query)]);
  });
});

test("pages follow each other", async () => {
  const first = (await list({ limit: 2 })).body;
  const next = (await api<Json>(shop.api, "GET", first.meta.next_page_url)).body;
  expect([...first.data, ...next.data].map(({ id }: Json) => id)).toEqual(opened.map(({ id }) => id));
  expect(next.meta.next_page_url).toBeNull();
});

test("it takes the scope billing:read, and customers none of it", async () => {
  expect((await list({}, await limitedKey(shop.of, ["billing:read"]))).status).toBe(200);
  expect((await list({}, await limitedKey(shop.of, ["subscriptions:read"]))).status).toBe(403);
  expect((await list({}, shop.customer)).status).toBe(403);
});
