/** Each error code of Shopify has a class, and what follows from a failure is what Shopify says of it. */
import { describe, expect, test, vi } from "vitest";
import { declineClasses, refusals } from "../../../src/stores/shopify/declines.ts";
import { select } from "../../support/database.ts";
import { errorCodes, outcomes } from "../../support/fake-shopify.ts";
import { logged } from "../../support/jobs.ts";
import { actionsOf, read } from "../../support/shops.ts";
import { attemptsOf, episodesOf, ordersOf, shipNow } from "../../support/worker.ts";
import { subscribed, useShop } from "./shop.ts";
import { statedConsequences } from "./stated-consequences.ts";

const shop = useShop();

async function shipped(id: string): Promise<void> {
  const { status, text } = await shipNow(shop.merchant, shop.worker, id, { allow_repeat: true });
  if (status !== 200) throw new Error(text);
  await shop.worker.drain();
}

function keysOf(id: string) {
  return select<{ store_key: string; attempt_number: number }>(
    "SELECT store_key, attempt_number FROM billing_attempts WHERE subscription_id = ? ORDER BY created_at, id",
    id,
  );
}

test("every code of both enumerations of the schema has a class, and no other", () => {
  const codes = [...errorCodes.payment, ...errorCodes.general, ...errorCodes.inventory];
  expect(Object.keys(declineClasses).toSorted()).toEqual([...new Set<string>(codes)].toSorted());
  expect(Object.keys(refusals).toSorted()).toEqual([...errorCodes.attempt].toSorted());
});

const leadsTo = { "tries again": "OPEN", "waits for the customer": "AWAITING_CUSTOMER" };

const failures = (["payment", "general", "inventory"] as const).flatMap((kind) =>
  errorCodes[kind].map((code) => [kind, code, ...statedConsequences[code]!] as const),
);

test.each(failures)(
  "an attempt that fails (%s) with %s: the subscription %s, as Shopify says: %s",
  async (kind, code, consequence) => {
    const id = await subscribed(shop);
    shop.store.nextOutcomes((outcomes[kind] as (code: string) => ReturnType<typeof outcomes.payment>)(code));
    await shipped(id);
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([
      { status: "FAILED", error_code: code.toLowerCase(), attempt_number: 1 },
    ]);
    const { status, billing_blocked_reason } = await read(shop.merchant, id);
    const episodes = (await episodesOf(shop.merchant, id)).map((episode) => episode.status);
    expect([status, billing_blocked_reason, episodes]).toEqual(
      consequence === "waits for others"
        ? ["ACTIVE", code.toLowerCase(), []]
        : ["ACTIVE", null, [leadsTo[consequence]]],
    );
  },
);

/** All of the schema's but two, which have tests of their own: no refusal is a decline. */
const waits = errorCodes.attempt.filter((code) => code !== "CONTRACT_PAUSED" && code !== "THROTTLED");

test.each(waits)(
  "an attempt that Shopify refuses to make with %s waits, under the same key",
  async (code) => {
    const id = await subscribed(shop);
    shop.store.refuse("subscriptionBillingAttemptCreate", code);
    await shipped(id);
    expect(await read(shop.merchant, id)).toMatchObject({
      status: "ACTIVE",
      is_in_dunning: false,
      billing_blocked_reason: code.toLowerCase(),
    });
    expect(await episodesOf(shop.merchant, id)).toEqual([]);
    await shipped(id);
    const [first, second] = await keysOf(id);
    expect(second).toEqual(first);
    expect(shop.store.charges).toHaveLength(1);
    expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
    expect((await actionsOf(id)).filter((action) => action.startsWith("billing_wait"))).toEqual([
      "billing_waiting",
      "billing_wait_ended",
    ]);
  },
);

test("CONTRACT_UNDER_REVIEW for longer than three days is an alert with each try, and not before", async () => {
  const id = await subscribed(shop);
  const codes = Array.from({ length: 40 }, () => "CONTRACT_UNDER_REVIEW");
  shop.store.refuse("subscriptionBillingAttemptCreate", ...codes);
  await shipped(id);
  const start = Date.now();
  const alertsUntil = async (from: number, to: number) => {
    const lines = await logged(async () => {
      for (let hours = from; hours <= to; hours += 8) {
        vi.useFakeTimers({ now: start + hours * 3_600_000, toFake: ["Date"] });
        await shop.worker.tick();
      }
    });
    return lines.filter(({ event, alert }) => alert && event === "contract_under_review");
  };
  expect(await alertsUntil(8, 64)).toEqual([]);
  const alerts = await alertsUntil(80, 152);
  expect(alerts.length).toBeGreaterThanOrEqual(2);
  expect(alerts.length).toBeLessThanOrEqual(4);
  expect(alerts[0]).toMatchObject({ account_id: shop.merchant.of.account.id, subscription_id: id });
  expect(await read(shop.merchant, id)).toMatchObject({
    status: "ACTIVE",
    billing_blocked_reason: "contract_under_review",
  });
});

test("PROCESSING_FAILED of an attempt that exists nevertheless: it is looked up, and charged once", async () => {
  const id = await subscribed(shop);
  shop.store.fail({ kind: "network", effect: "done", on: "CreateAttempt" });
  shop.store.refuse("subscriptionBillingAttemptCreate", "PROCESSING_FAILED");
  await shipped(id);
  expect(shop.store.charges).toHaveLength(1);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
});

test("THROTTLED leaves the attempt open, and the request is repeated", async () => {
  const id = await subscribed(shop);
  shop.store.refuse("subscriptionBillingAttemptCreate", "THROTTLED", "THROTTLED");
  await shipped(id);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED", attempt_number: 1 }]);
  expect(shop.store.charges).toHaveLength(1);
});

test("STALE_CONTRACT while the contract is changed for the charge: no failure, and the request is repeated", async () => {
  const id = await subscribed(shop);
  shop.store.contracts()[0]!.lines[0]!.price = 1;
  shop.store.refuse("subscriptionDraftCommit", "STALE_CONTRACT");
  await shipped(id);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED", attempt_number: 1 }]);
  expect(shop.store.charges).toMatchObject([{ amount: 2490 }]);
});

describe("bill_anyway", () => {
  test.each(["bill_anyway", "retry"] as const)("%s: oversells, or does not", async (out_of_stock_action) => {
    await shop.worker.call(shop.merchant.api, "PUT", "/api/account", { body: { out_of_stock_action } });
    const id = await subscribed(shop);
    shop.store.soldOut.add("gid://shopify/ProductVariant/41001");
    await shipped(id);
    expect(shop.store.attempts[0]?.allowsOverselling).toBe(out_of_stock_action === "bill_anyway");
    expect(shop.store.charges).toHaveLength(out_of_stock_action === "bill_anyway" ? 1 : 0);
  });
});
