/** A contract is changed by calculation once drafts are gone, and what a change does not concern stays. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Json, read } from "../../support/shops.ts";
import { attemptsOf, shipNow } from "../../support/worker.ts";
import { contractOf, expectMirrored } from "./mirrored.ts";
import { subscribed, useShop } from "./shop.ts";
import { syncSteps } from "./sync-steps.ts";

/** Where the store's version has no drafts, contracts are changed by calculations. */

const shop = useShop();
let id: string;
beforeEach(async () => {
  shop.store.settings.offers = ["calculations"];
  id = await subscribed(shop);
  shop.store.requests.length = 0;
  passPauses();
});
const { asked, firstLine, refusals, noticed, moved, goesTo, overtakenAt, expectNewestAddress } = syncSteps(
  shop,
  () => id,
);

function mutations(): string[] {
  const names = ["BeginDraft", "CommitDraft", "CalculateUpdate", "CommitCalculation"];
  return shop.store.requests.flatMap(({ operation }) =>
    names.includes(operation ?? "") ? [operation!] : [],
  );
}

async function changeQuantity(quantity: number): Promise<void> {
  await asked("PUT", `lines/${await firstLine()}`, { quantity });
  await shop.worker.drain();
}

const free = { title: "Free", value: 100, value_type: "PERCENTAGE", target_type: "SHIPPING_LINE" };

test("drafts are used while the version has them", async () => {
  shop.store.settings.offers = ["drafts", "calculations"];
  await changeQuantity(3);
  await expectMirrored(shop, id);
  expect(mutations()).toEqual(["BeginDraft", "CommitDraft"]);
});

test("without drafts a change is calculated and committed, once", async () => {
  await changeQuantity(3);
  await expectMirrored(shop, id);
  expect(mutations()).toEqual(["BeginDraft", "CalculateUpdate", "CommitCalculation"]);
});

test("a charge is made with the amounts that a calculation has committed, once", async () => {
  await asked("PUT", `lines/${await firstLine()}`, { price: 12 });
  shop.worker.forget();
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect(shop.store.charges).toMatchObject([{ amount: 2890 }]);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
});

test("an address is sent again if an older one was calculated after it by a sync that had lost its lease", async () => {
  await expectNewestAddress("CalculateUpdate", "CommitCalculation");
});

test("an address is sent again if a change of the delivery's price has restated an older one", async () => {
  await moved("Neue Str. 3");
  await shop.worker.drain();
  await asked("POST", "discounts", free);
  const late = await overtakenAt("request", "CalculateUpdate");
  await moved("Neue Str. 2");
  await shop.worker.drain();
  await late();
  expect(await goesTo()).toContain("Neue Str. 3");
  await noticed();
  expect(await goesTo()).toContain("Neue Str. 2");
});

describe("what a change does not concern stays", () => {
  test("a line's attributes and plan", async () => {
    const contract = await contractOf(shop, id);
    contract.lines[0]!.customAttributes = [{ key: "engraving", value: "Ada" }];
    const { id: line, sellingPlanId } = contract.lines[0]!;
    await changeQuantity(3);
    expect((await contractOf(shop, id)).lines).toMatchObject([
      { id: line, sellingPlanId, quantity: 3, customAttributes: [{ key: "engraving", value: "Ada" }] },
    ]);
  });

  test.each<[string, Json]>([
    [
      "local delivery",
      {
        localDelivery: {
          address: { city: "Berlin" },
          localDeliveryOption: { code: "BIKE", phone: "+49301" },
        },
      },
    ],
    ["pick-up", { pickup: { pickupOption: { code: "SHOP", locationId: "gid://shopify/Location/7" } } }],
    ["a shipping option", { shipping: { address: { city: "Berlin" }, shippingOption: { code: "EXPRESS" } } }],
  ])("%s, while its price changes", async (_what, deliveryMethod) => {
    const contract = await contractOf(shop, id);
    Object.assign(contract, { deliveryMethod });
    await asked("POST", "discounts", free);
    await shop.worker.drain();
    await expectMirrored(shop, id);
    expect(contract.deliveryPrice).toBe(0);
    expect(contract.deliveryMethod).toMatchObject(deliveryMethod);
  });
});

describe("discounts that the store had", () => {
  test("go with the change that takes them over: off the order, off the delivery, and by a code", async () => {
    const contract = await contractOf(shop, id);
    const discount = {
      title: "Store",
      percentage: 10,
      fixed: null,
      recurringCycleLimit: null,
      type: "MANUAL" as const,
      redeemCode: null,
      entitled: "all" as const,
      used: 1,
    };
    contract.discounts.push(
      { ...discount, id: "gid://shopify/SubscriptionManualDiscount/a", target: "LINE_ITEM" },
      { ...discount, id: "gid://shopify/SubscriptionManualDiscount/b", target: "SHIPPING_LINE" },
      {
        ...discount,
        id: "gid://shopify/SubscriptionAppliedCodeDiscount/c",
        target: "LINE_ITEM",
        redeemCode: "TEN",
      },
    );
    await changeQuantity(3);
    await expectMirrored(shop, id);
    expect(contract.discounts).toEqual([]);
  });
});

describe("a calculation that does not succeed", () => {
  test("for good is a refusal with its code, and the contract is as it was", async () => {
    const errors = [{ code: "DELIVERY_NO_LOCATION_SHIPS_TO_ADDRESS", message: "Nobody ships there" }];
    shop.store.calculations.next.push({ errors });
    await changeQuantity(3);
    expect((await read(shop.merchant, id)).store_sync_error).toContain("Nobody ships there");
    expect(await refusals()).toHaveLength(1);
    expect((await contractOf(shop, id)).lines).toMatchObject([{ quantity: 2 }]);
  });

  test.each(["CALCULATION_TIMEOUT", "PROCESSING_ERROR"])("for %s is made anew", async (code) => {
    shop.store.calculations.next.push({ errors: [{ code, message: "Later" }] });
    await changeQuantity(3);
    await later();
    await expectMirrored(shop, id);
    expect(await refusals()).toEqual([]);
  });

  test("within seconds is left, and made anew", async () => {
    shop.store.settings.calculatesAtRead = 99;
    await changeQuantity(3);
    expect((await contractOf(shop, id)).lines).toMatchObject([{ quantity: 2 }]);
    shop.store.settings.calculatesAtRead = 1;
    await later();
    await expectMirrored(shop, id);
    expect(await refusals()).toEqual([]);
  });

  test("because somebody has changed the contract meanwhile is made anew", async () => {
    shop.store.refuse("subscriptionContractCalculationCommit", "STALE_CONTRACT");
    await changeQuantity(3);
    await later();
    await expectMirrored(shop, id);
    expect(await refusals()).toEqual([]);
  });
});

test("a refusal names what Shopify has warned of", async () => {
  shop.store.calculations.warnings.push({ code: "CUSTOM_VALIDATION", message: "Two at most" });
  shop.store.calculations.dropsLines = true;
  await changeQuantity(3);
  const { store_sync_error } = await read(shop.merchant, id);
  expect(store_sync_error).toBe("Shopify did not apply the change of lines; CUSTOM_VALIDATION: Two at most");
});

describe("a missing answer", () => {
  const operations = ["BeginDraft", "RestatedParts", "CalculateUpdate", "Calculation", "CommitCalculation"];
  const effects = ["none", "done", "late"] as const;

  test.each(operations.flatMap((on) => effects.map((effect) => [on, effect] as const)))(
    "to %s, its effect %s: the store agrees in the end",
    async (on, effect) => {
      shop.store.fail({ kind: "network", effect, times: 1, on });
      await changeQuantity(3);
      await shop.store.arriveLate();
      await later();
      await later();
      await expectMirrored(shop, id);
      expect(await refusals()).toEqual([]);
    },
  );
});

/** The job waits seconds for a calculation, as often as it is delivered: here each pause is over at once. */
function passPauses(now = Date.now()): void {
  vi.useFakeTimers({ now, toFake: ["Date", "setTimeout"] }).setTimerTickMode("nextTimerAsync");
}

/** An hour later. */
async function later(): Promise<void> {
  passPauses(Date.now() + 3_600_000);
  await shop.worker.tick();
}
