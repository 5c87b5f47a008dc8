/** A plan that is changed or deleted while it is sent is sold as it then is, or not at all. */
import { describe, expect, test, vi } from "vitest";
import { commit } from "../../../src/base/db/commit.ts";
import { insertPlanDue } from "../../../src/domain/selling-plans/outbox.ts";
import { hookedShop, processAll } from "../../edges/webhooks/hooks.ts";
import { select, testDb } from "../../support/database.ts";
import { fetchOf } from "../../support/fake-shopify.ts";
import type { Json } from "../../support/shops.ts";
import { openWorker } from "../../support/worker.ts";
import { credentialsKey, useShop } from "./shop.ts";

const shop = useShop(hookedShop);
const path = "/api/subscriptions/selling-plans";
const monthly = { id: "monthly", name: "Monthly", billing_interval: "MONTH", billing_interval_count: 1 };

async function call(method: string, at: string, body?: Json): Promise<void> {
  const answer = await shop.worker.call(shop.merchant.api, method, at, body === undefined ? {} : { body });
  expect(answer.status, answer.text).toBeLessThan(300);
}

/** Has somebody act right after the store has done a request, of whose answer we do not know yet; and `before` the request reaches it. */
function after(operation: string, act: () => Promise<void>, before?: () => Promise<void>): () => boolean {
  let hasActed = false;
  const reach = fetchOf(shop.store);
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input as RequestInfo, init);
    const isIt = (await request.clone().text()).includes(`mutation ${operation}`);
    const isFirst = isIt && !hasActed;
    if (isFirst) {
      hasActed = true;
      await before?.();
    }
    const response = await reach(request);
    if (isFirst) await act();
    return response;
  });
  return () => hasActed;
}

/** Cron looks until the lease of the first request has ended. */
async function minutesPass(): Promise<void> {
  await shop.worker.drain();
  for (let nth = 0; nth < 3; nth++) {
    vi.useFakeTimers({ now: Date.now() + 80_000, toFake: ["Date"] });
    await shop.worker.tick();
  }
}

function namesAtStore(): string[] {
  const groups = shop.store.planGroups().filter(({ merchantCode }) => merchantCode === "monthly");
  return groups.flatMap(({ plans }) => plans.map(({ name }) => name));
}

test("a plan that is changed while it is sent is sold as it was changed", async () => {
  const hasActed = after("CreatePlanGroup", () => call("PUT", `${path}/monthly`, { name: "Each month" }));
  await call("POST", path, monthly);
  await minutesPass();
  expect(hasActed()).toBe(true);
  expect(namesAtStore()).toEqual(["Each month"]);
});

test("a plan that is deleted while it is sent is not sold", async () => {
  const hasActed = after("CreatePlanGroup", () => call("DELETE", `${path}/monthly`));
  await call("POST", path, monthly);
  await minutesPass();
  expect(hasActed()).toBe(true);
  expect(namesAtStore()).toEqual([]);
});

test("a plan that is made anew while its old one is removed is sold", async () => {
  await call("POST", path, monthly);
  await shop.worker.drain();
  const hasActed = after("DeletePlanGroup", () => call("POST", path, { ...monthly, name: "Anew" }));
  await call("DELETE", `${path}/monthly`);
  await minutesPass();
  expect(hasActed()).toBe(true);
  expect(namesAtStore()).toEqual(["Anew"]);
});

/** The request that made a plan at the store, of whose answer nobody knows, arrives once more or late. */
async function isMadeLate(): Promise<void> {
  shop.store.addPlanGroup({ appId: "perennial", merchantCode: "monthly", plans: [{ name: "Late" }] });
  await processAll(shop);
}

test("a plan whose creation arrives late, once it was made anew, is sold once", async () => {
  await call("POST", path, monthly);
  await shop.worker.drain();
  await isMadeLate();
  await minutesPass();
  expect(namesAtStore()).toEqual(["Monthly"]);
});

test("a plan whose creation arrives late, once it was deleted, is not sold", async () => {
  await call("POST", path, monthly);
  await call("DELETE", `${path}/monthly`);
  await shop.worker.drain();
  await minutesPass();
  await isMadeLate();
  await minutesPass();
  expect(namesAtStore()).toEqual([]);
});

describe("a plan that is deleted while the request to create it takes longer than its lease", () => {
  /** The webhook of the new group has come; the message that it sends comes later. */
  const isReported = async () => {
    const { seq } = shop.merchant.of.account;
    await commit({ db: testDb() }, [insertPlanDue(seq, "monthly", new Date().toISOString())]);
  };

  test.each([
    ["is not sold, though the store never reports its group", async () => undefined],
    ["is not sold, though its group is reported before the request is answered", isReported],
  ])("%s", async (_, report) => {
    const other = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey }, shop.merchant.of.account.id);
    const hasActed = after("CreatePlanGroup", report, async () => {
      await call("DELETE", `${path}/monthly`);
      vi.useFakeTimers({ now: Date.now() + 200_000, toFake: ["Date"] });
      await other.tick();
      expect(await syncsOf("monthly")).toEqual([]);
    });
    await call("POST", path, monthly);
    await minutesPass();
    expect(hasActed()).toBe(true);
    expect(namesAtStore()).toEqual([]);
    expect(await syncsOf("monthly")).toEqual([]);
  });
});

function syncsOf(planId: string): Promise<Json[]> {
  const { id } = shop.merchant.of.account;
  return select(
    "SELECT * FROM selling_plan_syncs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND selling_plan_id = ?",
    id,
    planId,
  );
}
