/** A contract is not charged while it differs or is held, and what its merchant does to it is followed. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { markContractChanged } from "../../../src/domain/contracts/outbox.ts";
import { withContractLease } from "../../../src/stores/shopify/contracts/contract-lease.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, select, testDb } from "../../support/database.ts";
import { deliver, feedOf, openShop, read, subscribe } from "../../support/shops.ts";
import { gate, interrupted } from "../../support/slow-database.ts";
import { attemptsOf, openWorker, setClock, shipNow } from "../../support/worker.ts";
import { contractOf, expectMirrored } from "./mirrored.ts";
import { subscribed, useShop } from "./shop.ts";
import { syncSteps } from "./sync-steps.ts";

const shop = useShop();
let id: string;
beforeEach(async () => {
  id = await subscribed(shop);
});
const { asked, firstLine, noticed, moved, goesTo, overtakenAt, expectNewestAddress } = syncSteps(
  shop,
  () => id,
);

describe("another address in the meantime", () => {
  test("is sent to a contract that was created without an answer", async () => {
    shop.store.fail({ kind: "network", effect: "done", on: "CreateContract" });
    id = await subscribed(shop);
    await moved("Neue Str. 2");
    vi.useFakeTimers({ now: Date.now() + 3_700_000, toFake: ["Date"] });
    for (let times = 0; times < 3; times++) await shop.worker.tick();
    expect(await goesTo()).toContain("Neue Str. 2");
  });

  test("is sent again if the last request with one had no answer", async () => {
    await moved("Neue Str. 2");
    await shop.worker.drain();
    shop.store.fail({ kind: "network", effect: "late", on: "CommitDraft" });
    await moved("Neue Str. 3");
    await shop.worker.drain({ soon: false });
    await moved("Neue Str. 2");
    await shop.store.arriveLate();
    vi.useFakeTimers({ now: Date.now() + 3_700_000, toFake: ["Date"] });
    for (let times = 0; times < 3; times++) await shop.worker.tick();
    expect(await goesTo()).toContain("Neue Str. 2");
  });

  test("is sent again if an older one was sent after it by a sync that had lost its lease", async () => {
    await expectNewestAddress("BeginDraft", "CommitDraft");
  });

  test("is sent again after one that a sync which had lost its lease did not know of", async () => {
    await moved("Neue Str. 2");
    const late = await overtakenAt("answer", "CommitDraft");
    await moved("Neue Str. 3");
    await shop.worker.drain();
    await late();
    await moved("Neue Str. 2");
    await shop.worker.drain();
    expect(await goesTo()).toContain("Neue Str. 2");
  });

  test("is sent to the contract of a new life, though that of the earlier one was sent the same late", async () => {
    await moved("Neue Str. 2");
    const late = await overtakenAt("request", "BeginDraft");
    await asked("POST", "cancel", {});
    await asked("POST", "reactivate", {});
    await moved("Neue Str. 3");
    const made = await overtakenAt("request", "query Contracts");
    await late();
    shop.store.fail({ kind: "http500", on: "ContractState", times: 1 });
    await made();
    expect(shop.store.contracts().map(({ status }) => status)).toEqual(["CANCELLED", "ACTIVE"]);
    await moved("Neue Str. 2");
    await noticed();
    expect(await goesTo()).toContain("Neue Str. 2");
  });
});

describe("a contract that another job holds", () => {
  const sent = (name: string): number =>
    shop.store.requests.filter(({ operation }) => operation === name).length;

  test("is not charged in the meantime", async () => {
    const accountSeq = shop.merchant.of.account.seq;
    const lease = { db: testDb(), accountSeq, subscriptionId: id, realNow: new Date().toISOString() };
    await withContractLease(lease, async () => {
      await shipNow(shop.merchant, shop.worker, id);
      await shop.worker.drain({ soon: false });
      expect(sent("CreateAttempt")).toBe(0);
    });
    await shop.worker.drain();
    expect(shop.store.charges).toHaveLength(1);
  });

  test("after a missing answer the lease has to expire first", async () => {
    shop.store.fail({ kind: "network", effect: "late", on: "CommitDraft" });
    await asked("PUT", `lines/${await firstLine()}`, { quantity: 7 });
    for (let times = 0; times < 3; times++) await shop.worker.drain();
    expect(sent("CommitDraft")).toBe(1);
    vi.useFakeTimers({ now: Date.now() + 3_700_000, toFake: ["Date"] });
    for (let times = 0; times < 3; times++) await shop.worker.tick();
    expect(sent("CommitDraft")).toBe(2);
    await expectMirrored(shop, id);
  });
});

test("a sync that is overtaken by another agrees on nothing: what was done since is not undone", async () => {
  const { pass, reached, open } = gate();
  const DB = interrupted(/update "?contract_syncs"? set .*agreed_status/i, { before: pass });
  const slow = openWorker({ ...shop.worker.bindings, DB });
  await asked("PUT", `lines/${await firstLine()}`, { quantity: 7 });
  const jobs = shop.worker.sent();
  shop.worker.forget();
  const late = deliver(jobs, { bindings: slow.bindings });
  await reached;
  setClock(Date.now() + 121_000);
  await asked("POST", "pause", {});
  await shop.worker.drain();
  expect((await contractOf(shop, id)).status).toBe("PAUSED");
  await asked("POST", "resume", {});
  open();
  await late;
  await shop.worker.drain();
  setClock(Date.now() + 3_700_000);
  for (let times = 0; times < 3; times++) await shop.worker.tick();
  expect((await read(shop.merchant, id)).status).toBe("ACTIVE");
  await expectMirrored(shop, id);
});

test("a pause that is sent after another sync has resumed the contract does not stay at the store", async () => {
  await asked("POST", "pause", {});
  const late = await overtakenAt("request", "PauseContract");
  await asked("POST", "resume", {});
  await shop.worker.drain();
  await late();
  expect((await contractOf(shop, id)).status).toBe("PAUSED");
  setClock(Date.now() + 61_000);
  for (let times = 0; times < 3; times++) await shop.worker.tick();
  expect((await read(shop.merchant, id)).status).toBe("ACTIVE");
  await expectMirrored(shop, id);
});

test("a refusal of the contract is no decline if an earlier request may still arrive", async () => {
  shop.store.fail({ kind: "network", effect: "late", on: "CreateAttempt" });
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain({ soon: false });
  shop.store.unknownVariants.add("gid://shopify/ProductVariant/41001");
  (await contractOf(shop, id)).lines[0]!.price = 1;
  vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ["Date"] });
  await shop.worker.tick();
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "PROCESSING" }]);
  (await contractOf(shop, id)).lines[0]!.price = 1000;
  await shop.store.arriveLate();
  vi.useFakeTimers({ now: Date.now() + 3_700_000, toFake: ["Date"] });
  for (let times = 0; times < 3; times++) await shop.worker.tick();
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(shop.store.charges).toHaveLength(1);
});

describe("after a request without an answer", () => {
  let store_contract_id: string;
  beforeEach(async () => {
    shop.store.fail({ kind: "network", effect: "late", on: "CreateAttempt" });
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain({ soon: false });
    ({ store_contract_id } = await read(shop.merchant, id));
  });

  const chargeAgain = async () => {
    const [attempt] = await attemptsOf(shop.merchant, id);
    vi.useFakeTimers({ now: Date.now() + 65_000, toFake: ["Date"] });
    const job = { type: "charge", account_id: shop.merchant.of.account.id, attempt_id: attempt!.id };
    await deliver([job], { bindings: shop.worker.bindings });
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "PROCESSING" }]);
  };
  const expectOneCharge = async () => {
    await shop.store.arriveLate();
    shop.store.settle();
    vi.useFakeTimers({ now: Date.now() + 2 * 86_400_000, toFake: ["Date"] });
    for (let times = 0; times < 3; times++) await shop.worker.tick();
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(shop.store.charges).toHaveLength(1);
  };

  test("a refusal of the charge is no decline if an earlier request may still arrive", async () => {
    shop.store.refuse("subscriptionBillingAttemptCreate", "CONTRACT_UNDER_REVIEW");
    await chargeAgain();
    await expectOneCharge();
  });

  test("nor is that of a contract that has been paused", async () => {
    shop.store.merchant.pause(store_contract_id);
    await chargeAgain();
    shop.store.merchant.activate(store_contract_id);
    await expectOneCharge();
  });
});

test("a refusal of the charge is final if the store had only throttled before", async () => {
  shop.store.fail({ kind: "http429", times: 1, on: "CreateAttempt" });
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain({ soon: false });
  shop.store.refuse("subscriptionBillingAttemptCreate", "CONTRACT_UNDER_REVIEW");
  await shop.worker.tick();
  const { bindings } = shop.worker;
  const [attempt] = await attemptsOf(shop.merchant, id);
  vi.useFakeTimers({ now: Date.now() + 65_000, toFake: ["Date"] });
  await deliver([{ type: "charge", account_id: shop.merchant.of.account.id, attempt_id: attempt!.id }], {
    bindings,
  });
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([
    { status: "FAILED", error_code: "contract_under_review" },
  ]);
});

describe("what a merchant does at the store", () => {
  test("pauses and resumes the subscription, by the system", async () => {
    const { store_contract_id } = await read(shop.merchant, id);
    shop.store.merchant.pause(store_contract_id);
    await noticed();
    expect(await read(shop.merchant, id)).toMatchObject({
      status: "PAUSED",
      pause_reason: "paused at the store",
    });
    const [entry] = await feedOf(shop.merchant, id);
    expect(entry).toMatchObject({ action: "subscription_paused", actor_type: "system" });
    shop.store.merchant.activate(store_contract_id);
    await noticed();
    expect(await read(shop.merchant, id)).toMatchObject({ status: "ACTIVE" });
    await expectMirrored(shop, id);
  });

  test("ends the subscription", async () => {
    shop.store.merchant.cancel((await read(shop.merchant, id)).store_contract_id);
    await noticed();
    expect(await read(shop.merchant, id)).toMatchObject({
      status: "CANCELLED",
      cancellation_reason: "cancelled at the store",
    });
  });

  test("does not override a change made here in the meantime", async () => {
    await asked("POST", "pause", {});
    await shop.worker.drain();
    await asked("POST", "resume", {});
    const { store_contract_id } = await read(shop.merchant, id);
    shop.store.merchant.pause(store_contract_id);
    await shop.worker.drain();
    expect((await read(shop.merchant, id)).status).toBe("ACTIVE");
    await expectMirrored(shop, id);
  });

  test("is applied even if its webhook arrives while a sync is running", async () => {
    await asked("POST", "pause", {});
    const { store_contract_id } = await read(shop.merchant, id);
    const answer = shop.store.fetch;
    shop.store.fetch = async (request) => {
      const isPause = (await request.clone().text()).includes("mutation PauseContract");
      const answered = await answer(request);
      if (!isPause) return answered;
      shop.store.merchant.activate(store_contract_id);
      const realNow = new Date().toISOString();
      await markContractChanged(ctxOn(testDb(), shop.merchant.of.account, { realNow }), store_contract_id);
      return answered;
    };
    await shop.worker.drain();
    await shop.worker.tick(Date.now() + 1000);
    expect(await read(shop.merchant, id)).toMatchObject({ status: "ACTIVE" });
    await expectMirrored(shop, id);
  });

  test("is applied even if several webhooks arrive in the millisecond at which a sync begins", async () => {
    await asked("POST", "pause", {});
    const { store_contract_id } = await read(shop.merchant, id);
    const realNow = new Date().toISOString();
    const mark = () =>
      markContractChanged(ctxOn(testDb(), shop.merchant.of.account, { realNow }), store_contract_id);
    await mark();
    const answer = shop.store.fetch;
    shop.store.fetch = async (request) => {
      const isPause = (await request.clone().text()).includes("mutation PauseContract");
      const answered = await answer(request);
      if (!isPause) return answered;
      shop.store.merchant.activate(store_contract_id);
      await mark();
      await mark();
      return answered;
    };
    await shop.worker.drain();
    await shop.worker.tick(Date.now() + 1000);
    expect(await read(shop.merchant, id)).toMatchObject({ status: "ACTIVE" });
    await expectMirrored(shop, id);
  });

  test("is applied even if its webhook arrives at the instant to which a sweep has put the sync off", async () => {
    await asked("POST", "pause", {});
    const { store_contract_id } = await read(shop.merchant, id);
    const job = {
      type: "sync_contract",
      account_id: shop.merchant.of.account.id,
      subscription_id: id,
    } as const;
    const realNow = new Date(Date.now() + 60_000).toISOString();
    await execute("UPDATE contract_syncs SET next_action_at = ? WHERE subscription_id = ?", realNow, id);
    const answer = shop.store.fetch;
    shop.store.fetch = async (request) => {
      const isPause = (await request.clone().text()).includes("mutation PauseContract");
      const answered = await answer(request);
      if (!isPause) return answered;
      shop.store.merchant.activate(store_contract_id);
      await deliver([job], { bindings: shop.worker.bindings });
      await markContractChanged(ctxOn(testDb(), shop.merchant.of.account, { realNow }), store_contract_id);
      return answered;
    };
    await shop.worker.drain();
    await shop.worker.tick(Date.now() + 1000);
    expect(await read(shop.merchant, id)).toMatchObject({ status: "ACTIVE" });
    await expectMirrored(shop, id);
  });

  test("while it is charged: a subscription paused just now is charged the frozen amount", async () => {
    const { store_contract_id } = await read(shop.merchant, id);
    await asked("PUT", `lines/${await firstLine()}`, { price: 12 });
    shop.worker.forget();
    shop.store.merchant.pause(store_contract_id);
    const answer = shop.store.fetch;
    shop.store.fetch = async (request) => {
      if ((await request.clone().text()).includes("mutation CreateAttempt"))
        shop.store.merchant.activate(store_contract_id);
      return answer(request);
    };
    await shipNow(shop.merchant, shop.worker, id);
    shop.worker.forget();
    const [attempt] = await attemptsOf(shop.merchant, id);
    const { bindings } = shop.worker;
    await deliver([{ type: "charge", account_id: shop.merchant.of.account.id, attempt_id: attempt!.id }], {
      bindings,
    });
    await shop.worker.tick();
    shop.store.settle();
    expect(shop.store.charges).toMatchObject([{ amount: 2890 }]);
  });

  test("to its contents is reverted", async () => {
    const contract = await contractOf(shop, id);
    contract.lines[0]!.price = 1;
    await noticed();
    await expectMirrored(shop, id);
  });
});

test("an account on the sandbox store has nothing to send", async () => {
  const shop = await openShop();
  await subscribe(shop);
  const its = await select(
    "SELECT * FROM contract_syncs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.of.account.id,
  );
  expect(its).toEqual([]);
});

test("repeated and concurrent webhooks of one change write it once", async () => {
  await asked("PUT", `lines/${await firstLine()}`, { quantity: 9 });
  const job = {
    type: "sync_contract",
    account_id: shop.merchant.of.account.id,
    subscription_id: id,
  } as const;
  shop.store.requests.length = 0;
  const { bindings } = shop.worker;
  await Promise.all([deliver([job], { bindings }), deliver([job], { bindings })]);
  await shop.worker.drain();
  await expectMirrored(shop, id);
  expect(shop.store.requests.filter(({ operation }) => operation === "CommitDraft")).toHaveLength(1);
});
