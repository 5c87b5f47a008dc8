/** A contract agrees with its subscription in the end, whatever answer or message is missing. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { entriesOf, feedOf, type Json, read } from "../../support/shops.ts";
import { attemptsOf, shipNow } from "../../support/worker.ts";
import { contractOf, expectMirrored } from "./mirrored.ts";
import { subscribed, useShop } from "./shop.ts";
import { syncSteps } from "./sync-steps.ts";

const shop = useShop();
let id: string;
beforeEach(async () => {
  id = await subscribed(shop);
});
const { asked, firstLine, refusals, noticed, line } = syncSteps(shop, () => id);

describe("a change whose message is lost", () => {
  test("is found by cron", async () => {
    await asked("PUT", `lines/${await firstLine()}`, { quantity: 7 });
    shop.worker.forget();
    await shop.worker.tick(Date.now() + 1000);
    await expectMirrored(shop, id);
  });

  test("also for a subscription without a contract", async () => {
    shop.store.fail({ kind: "network", effect: "none", times: 1, on: "Contracts" });
    id = await subscribed(shop);
    expect((await read(shop.merchant, id)).store_contract_id).toBeNull();
    shop.worker.forget();
    vi.useFakeTimers({ now: Date.now() + 3_700_000, toFake: ["Date"] });
    for (let times = 0; times < 3; times++) await shop.worker.tick();
    await expectMirrored(shop, id);
  });
});

describe("a missing answer", () => {
  const operations = [
    "ContractState",
    "Contract",
    "BeginDraft",
    "ChangeDraftLine",
    "CommitDraft",
    "SetNextBillingDate",
  ];
  const effects = ["none", "done", "late"] as const;

  test.each(operations.flatMap((on) => effects.map((effect) => [on, effect] as const)))(
    "%s, its effect %s: the store agrees in the end",
    async (on, effect) => {
      shop.store.fail({ kind: "network", effect, times: 1, on });
      await asked("PUT", `lines/${await firstLine()}`, { quantity: 3 });
      await asked("POST", "skip", { skip_weeks: 1 });
      await shop.worker.drain();
      await shop.store.arriveLate();
      for (let minutes = 3; minutes < 200; minutes += 60) {
        vi.useFakeTimers({ now: Date.now() + minutes * 60_000, toFake: ["Date"] });
        await shop.worker.tick();
      }
      await expectMirrored(shop, id);
      expect(await refusals()).toEqual([]);
    },
  );
});

describe("a request without an answer that is processed when it is obsolete", () => {
  test("a pause: the contract is active again, and so is the subscription", async () => {
    shop.store.fail({ kind: "network", effect: "late", times: 1, on: "PauseContract" });
    await asked("POST", "pause", {});
    await shop.worker.drain({ soon: false });
    await asked("POST", "resume", {});
    await shop.worker.drain();
    await shop.store.arriveLate();
    await noticed();
    expect((await read(shop.merchant, id)).status).toBe("ACTIVE");
    await expectMirrored(shop, id);
  });

  test("a cancel: the reactivated subscription has another contract", async () => {
    shop.store.fail({ kind: "network", effect: "late", times: 1, on: "CancelContract" });
    await asked("POST", "cancel", {});
    await shop.worker.drain({ soon: false });
    await asked("POST", "reactivate", {});
    await noticed();
    await shop.store.arriveLate();
    await noticed();
    await noticed();
    expect((await read(shop.merchant, id)).status).toBe("ACTIVE");
    await expectMirrored(shop, id);
  });
});

test("a contract whose subscription ends before it is linked ends too", async () => {
  shop.store.fail({ kind: "network", effect: "done", times: 1, on: "CreateContract" });
  id = await subscribed(shop);
  const made = shop.store.contracts().at(-1)!;
  expect((await read(shop.merchant, id)).store_contract_id).toBeNull();
  await asked("POST", "cancel", {});
  vi.useFakeTimers({ now: Date.now() + 10 * 60_000, toFake: ["Date"] });
  await shop.worker.tick();
  expect(made.status).toBe("CANCELLED");
});

describe("a refusal of the store", () => {
  const refuse = async (): Promise<void> => {
    shop.store.unknownVariants.add("gid://shopify/ProductVariant/41404");
    await asked("POST", "lines", line("41404"));
    await shop.worker.drain();
  };

  test("shows in the subscription and once in its history, by the system", async () => {
    await refuse();
    const { store_sync_error } = await read(shop.merchant, id);
    expect(store_sync_error).toEqual(expect.any(String));
    vi.useFakeTimers({ now: Date.now() + 26 * 3_600_000, toFake: ["Date"] });
    for (let times = 0; times < 3; times++) await shop.worker.tick();
    vi.useRealTimers();
    expect(await refusals()).toHaveLength(1);
    const [entry] = (await feedOf(shop.merchant, id)).filter(({ action }) => action === "store_sync_refused");
    expect(entry).toMatchObject({
      actor_type: "system",
      changes: { store_sync_error: { from: null, to: store_sync_error } },
      metadata: { codes: [expect.any(String)] },
    });
  });

  test("nothing of the change is applied at the store", async () => {
    await refuse();
    expect((await contractOf(shop, id)).lines).toHaveLength(1);
  });

  test("ends when the store agrees, with an entry", async () => {
    await refuse();
    shop.store.unknownVariants.clear();
    vi.useFakeTimers({ now: Date.now() + 26 * 3_600_000, toFake: ["Date"] });
    await shop.worker.tick();
    await expectMirrored(shop, id);
    expect((await entriesOf(id)).map(({ action }) => action)).toContain("store_sync_agreed");
  });

  test("ends at once when the subscription no longer needs the change", async () => {
    await refuse();
    const added = (await read(shop.merchant, id)).lines.find(
      (each: Json) => each.store_variant_id === "41404",
    );
    await asked("DELETE", `lines/${added.id}`);
    await shop.worker.drain();
    await expectMirrored(shop, id);
  });

  test("of the contract itself: the subscription says why it has none", async () => {
    shop.store.unknownVariants.add("gid://shopify/ProductVariant/41001");
    id = await subscribed(shop);
    expect(await read(shop.merchant, id)).toMatchObject({
      store_contract_id: null,
      store_sync_error: expect.any(String),
    });
    expect(await refusals()).toHaveLength(1);
  });

  test("of the content to be charged: the payment fails and nothing is charged", async () => {
    await refuse();
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain();
    expect(shop.store.charges).toEqual([]);
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "FAILED" }]);
  });
});
