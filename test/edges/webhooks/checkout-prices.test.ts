/** A checkout's discounts and price policies go on as at the store, and what cannot be kept is refused with an alert. */
import { describe, expect, test, vi } from "vitest";
import { expectMirrored } from "../../stores/shopify/mirrored.ts";
import { useShop } from "../../stores/shopify/shop.ts";
import { select } from "../../support/database.ts";
import { type Json, read } from "../../support/shops.ts";
import { hookedShop, logged, processAll } from "./hooks.ts";

/** The checkout's promises are charged in every cycle: cycle 1 at the checkout, 2 to 5 here. */

const shop = useShop(hookedShop);

function variant(number: number, price: string, more: Json = {}): Json {
  return {
    productVariantId: `gid://shopify/ProductVariant/${number}`,
    quantity: 2,
    currentPrice: price,
    sellingPlanId: "gid://shopify/SellingPlan/4401",
    sellingPlanName: "Monthly",
    ...more,
  };
}

/** 2 × 10.00 a month, 4.90 for delivery. */
function sold(more: Json = {}): string {
  vi.useFakeTimers({ now: Date.parse("2027-01-04T10:00:00Z"), toFake: ["Date"] });
  const customer = shop.store.addCustomer({ email: "grace@customers.test" });
  return shop.store.checkoutContract({
    customer,
    method: shop.store.addPaymentMethod(customer),
    deliveryPrice: "4.90",
    address: { address1: "Invalidenstr. 1", city: "Berlin", zip: "10115", countryCode: "DE" },
    nextBillingDate: "2027-02-04T10:00:00Z",
    lines: [variant(41001, "10.00")],
    ...more,
  });
}

function imported(): Promise<{ id: string }[]> {
  return select(
    "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND store_origin_order_id IS NOT NULL",
    shop.merchant.of.account.id,
  );
}

async function upcoming(id: string): Promise<number[]> {
  const { body } = await shop.worker.call(shop.merchant.api, "GET", `/api/subscriptions/${id}/upcoming`, {
    query: { count: 4 },
  });
  return body.data.map(({ total }: Json) => total * 100).map(Math.round);
}

/** The totals of cycles 1 to 5, in minor units: of the checkout, then of four billings by cron. */
async function charged(): Promise<number[]> {
  await processAll(shop);
  await shop.worker.drain();
  const [one] = await imported();
  const { id } = one!;
  const promised = await upcoming(id);
  await expectMirrored(shop, id);
  for (const month of ["02", "03", "04", "05"]) {
    vi.useFakeTimers({ now: Date.parse(`2027-${month}-04T11:00:00Z`), toFake: ["Date"] });
    await shop.worker.tick();
    await shop.worker.drain();
    await shop.worker.tick(Date.now() + 60_000);
    await expectMirrored(shop, id);
  }
  expect((await read(shop.merchant, id)).current_billing_cycle).toBe(6);
  const billed = shop.store.charges.map(({ amount }) => amount);
  expect(billed).toEqual(promised);
  return [shop.store.orders[0]!.total, ...billed];
}

describe("a code of 20 %", () => {
  test("for three cycles is off three orders, the checkout's included", async () => {
    shop.store.addCode("WELCOME", { percentage: 20, recurringCycleLimit: 3 });
    sold({ codes: ["WELCOME"] });
    expect(await charged()).toEqual([2090, 2090, 2090, 2490, 2490]);
  });

  test("without a limit is off every order", async () => {
    shop.store.addCode("FRIENDS", { percentage: 20, recurringCycleLimit: 0 });
    sold({ codes: ["FRIENDS"] });
    expect(await charged()).toEqual([2090, 2090, 2090, 2090, 2090]);
  });

  test("for the first payment only is off the checkout's order", async () => {
    shop.store.addCode("ONCE", { percentage: 20, recurringCycleLimit: 1 });
    sold({ codes: ["ONCE"] });
    expect(await charged()).toEqual([2090, 2490, 2490, 2490, 2490]);
  });

  test("on one of two lines is off that line", async () => {
    shop.store.addCode("KIBBLE", { percentage: 20, recurringCycleLimit: 3 });
    const discounts = [{ redeemCode: "KIBBLE", value: { percentage: 20 }, recurringCycleLimit: 3 }];
    sold({ lines: [variant(41001, "10.00", { discounts }), variant(41002, "5.00")] });
    expect(await charged()).toEqual([3090, 3090, 3090, 3490, 3490]);
  });
});

test("a code of 5.00 for two cycles is off two orders", async () => {
  shop.store.addCode("FIVE", { amount: 500, recurringCycleLimit: 2 });
  sold({ codes: ["FIVE"] });
  expect(await charged()).toEqual([1990, 1990, 2490, 2490, 2490]);
});

test("a code for free delivery for two cycles, which the contract does not show, is off two deliveries", async () => {
  shop.store.addCode("FREESHIP", { is: "free_shipping", recurringCycleLimit: 2 });
  sold({ codes: ["FREESHIP"] });
  expect(await charged()).toEqual([2000, 2000, 2490, 2490, 2490]);
});

test("an automatic discount on the delivery is off as many deliveries as its limit says", async () => {
  sold({ deliveryDiscount: { title: "Half delivery", value: { percentage: 50 }, recurringCycleLimit: 3 } });
  expect(await charged()).toEqual([2245, 2245, 2245, 2490, 2490]);
});

test("a discount without a code counts how often the store has applied it", async () => {
  sold({
    lines: [
      variant(41001, "10.00", {
        discounts: [{ title: "Loyalty", value: { percentage: 10 }, recurringCycleLimit: 2 }],
      }),
    ],
  });
  expect(await charged()).toEqual([2290, 2290, 2490, 2490, 2490]);
});

describe("a pricing policy", () => {
  const policy = (base: string, ...changes: [number, string][]): Json => ({
    basePrice: base,
    cycleDiscounts: changes.map(([afterCycle, computedPrice]) => ({
      afterCycle,
      adjustmentType: "PRICE",
      adjustmentValue: { fixedValue: computedPrice },
      computedPrice,
    })),
  });
  const priced = (current: string, pricingPolicy: Json): string =>
    sold({ lines: [variant(41001, current, { pricingPolicy })] });

  test("an introductory 50 % ends after the first cycle", async () => {
    priced("5.00", policy("10.00", [0, "5.00"], [1, "10.00"]));
    expect(await charged()).toEqual([1490, 2490, 2490, 2490, 2490]);
  });

  test("a loyalty price begins after three cycles", async () => {
    priced("10.00", policy("10.00", [0, "10.00"], [3, "8.00"]));
    expect(await charged()).toEqual([2490, 2490, 2490, 2090, 2090]);
  });

  test("one without changes keeps its price", async () => {
    priced("8.00", policy("10.00", [0, "8.00"]));
    expect(await charged()).toEqual([2090, 2090, 2090, 2090, 2090]);
  });

  test("with a code on top: both run their course", async () => {
    shop.store.addCode("WELCOME", { percentage: 20, recurringCycleLimit: 3 });
    sold({
      codes: ["WELCOME"],
      lines: [variant(41001, "5.00", { pricingPolicy: policy("10.00", [0, "5.00"], [2, "10.00"]) })],
    });
    expect(await charged()).toEqual([1290, 1290, 2090, 2490, 2490]);
  });

  test("a price that somebody sets here holds from then on", async () => {
    priced("5.00", policy("10.00", [0, "5.00"], [3, "10.00"]));
    await processAll(shop);
    await shop.worker.drain();
    const [one] = await imported();
    const [line] = (await read(shop.merchant, one!.id)).lines;
    await shop.worker.call(shop.merchant.api, "PUT", `/api/subscriptions/${one!.id}/lines/${line.id}`, {
      body: { price: 6 },
    });
    expect(await upcoming(one!.id)).toEqual([1690, 1690, 1690, 1690]);
  });
});

describe("what a subscription cannot keep is refused with an alert, and nobody is billed", () => {
  const refused = async (): Promise<string> => {
    const lines = await logged(async () => {
      await processAll(shop);
      await shop.worker.drain();
    });
    expect(await imported()).toEqual([]);
    const alert = lines.find(({ event }) => event === "contract_not_taken_over");
    expect(alert).toMatchObject({ alert: true });
    expect(shop.store.charges).toEqual([]);
    return alert!.cause;
  };

  test.each([
    ["off each item", { amount: 100, each: true, recurringCycleLimit: 3 }],
    ["buy x, get y", { is: "buy_x_get_y", percentage: 10, recurringCycleLimit: 0 }],
    ["of an app", { is: "app", percentage: 10, recurringCycleLimit: 3 }],
  ] as const)("a code %s", async (_name, terms) => {
    shop.store.addCode("SPECIAL", terms);
    sold({ codes: ["SPECIAL"] });
    expect(await refused()).toBe("the code SPECIAL is of a kind that cannot be kept here");
  });

  test("a code that was deleted", async () => {
    shop.store.addCode("GONE", { percentage: 20, recurringCycleLimit: 3 });
    sold({ codes: ["GONE"] });
    shop.store.removeCode("GONE");
    expect(await refused()).toContain("GONE");
  });

  test("a code whose terms were changed since", async () => {
    shop.store.addCode("WELCOME", { percentage: 20, recurringCycleLimit: 3 });
    sold({ codes: ["WELCOME"] });
    shop.store.addCode("WELCOME", { percentage: 10, recurringCycleLimit: 3 });
    expect(await refused()).toBe("its discounts do not add up to its prices");
  });

  test("a price that is not the policy's", async () => {
    sold({
      lines: [
        variant(41001, "7.00", {
          pricingPolicy: {
            basePrice: "10.00",
            cycleDiscounts: [
              {
                afterCycle: 0,
                adjustmentType: "PERCENTAGE",
                adjustmentValue: { percentage: 50 },
                computedPrice: "5.00",
              },
            ],
          },
        }),
      ],
    });
    expect(await refused()).toBe("the price of a line is not that of its pricing policy");
  });
});
