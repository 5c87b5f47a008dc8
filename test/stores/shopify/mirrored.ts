import { expect } from "vitest";
import { isUsable } from "../../support/fake-shopify/amounts.ts";
import type { Contract } from "../../support/fake-shopify.ts";
import { type Json, read } from "../../support/shops.ts";
import type { ConnectedShop } from "./shop.ts";

/** The contract that a subscription is linked to. */
export async function contractOf(shop: ConnectedShop, id: string): Promise<Contract> {
  return shop.store.contract((await read(shop.merchant, id)).store_contract_id);
}

/** Compares the contract at the store with the subscription that the API shows. */
export async function expectMirrored(shop: ConnectedShop, id: string): Promise<Contract> {
  const subscription: Json = await read(shop.merchant, id);
  const contract = shop.store.contract(subscription.store_contract_id);
  const shown = shownBy(contract);
  expect(subscription.store_sync_error).toBeNull();
  expect(shown.status).toBe(statuses[subscription.status]);
  if (["CANCELLED", "EXPIRED"].includes(subscription.status)) return contract;
  expect(shown).toMatchObject({
    billing: [subscription.billing_interval, subscription.billing_interval_count],
    delivery: [subscription.delivery_interval, subscription.delivery_interval_count],
    total: cents(subscription.total),
  });
  expect(shown.lines.map(([variant, quantity, price]) => [variant, quantity, price])).toEqual(
    subscription.lines
      .map((line: Json) => [line.store_variant_id, line.quantity, cents(line.price)])
      .toSorted(),
  );
  expect(contract.nextBillingDate.slice(0, 10)).toBe(subscription.next_billing_date);
  return contract;
}

const statuses: Record<string, string> = {
  ACTIVE: "ACTIVE",
  PAUSED: "PAUSED",
  CANCELLED: "CANCELLED",
  EXPIRED: "EXPIRED",
  PAYMENT_FAILED: "FAILED",
};

function cents(major: number): number {
  return Math.round(major * 100);
}

function numberOf(gid: string | null): string | undefined {
  return gid?.split("/").at(-1);
}

/** The discount on a line of the contract, in minor units. */
function offLine({ discounts }: Contract, lineId: string): number {
  return discounts
    .filter((discount) => isUsable(discount) && discount.target === "LINE_ITEM")
    .filter(({ entitled }) => entitled === "all" || entitled.includes(lineId))
    .reduce((sum, { fixed }) => sum + (fixed?.amount ?? Number.NaN), 0);
}

/** A contract in the terms of a subscription. */
function shownBy(contract: Contract) {
  return {
    status: contract.status,
    billing: [contract.billingPolicy.interval, contract.billingPolicy.intervalCount],
    delivery: [contract.deliveryPolicy.interval, contract.deliveryPolicy.intervalCount],
    lines: contract.lines
      .map(({ id, variantId, quantity, price }) => [
        numberOf(variantId),
        quantity,
        price,
        price * quantity - offLine(contract, id),
      ])
      .toSorted(),
    method: contract.method?.id,
    total:
      contract.lines.reduce(
        (sum, { id, quantity, price }) => sum + price * quantity - offLine(contract, id),
        0,
      ) + contract.deliveryPrice,
  };
}
