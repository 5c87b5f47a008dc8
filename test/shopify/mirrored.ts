import { expect } from "vitest";
import type { Contract } from "../support/fake-shopify.ts";
import { type Json, read } from "../support/lives.ts";
import type { Shop } from "./shop.ts";

const statuses: Record<string, string> = {
  ACTIVE: "ACTIVE",
  PAUSED: "PAUSED",
  CANCELLED: "CANCELLED",
  EXPIRED: "EXPIRED",
  PAYMENT_FAILED: "FAILED",
};

const cents = (major: number): number => Math.round(major * 100);

const numberOf = (gid: string | null): string | undefined => gid?.split("/").at(-1);

/** What is off a line of the contract, in minor units. */
const offLine = ({ discounts }: Contract, lineId: string): number =>
  discounts
    .filter(({ entitled }) => entitled === "all" || entitled.includes(lineId))
    .reduce((sum, { fixed }) => sum + (fixed?.amount ?? Number.NaN), 0);

/** What a contract comes to, in the subscription's words. */
const shownBy = (contract: Contract) => ({
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
});

/** The contract that a subscription is linked to. */
export const contractOf = async (shop: Shop, id: string): Promise<Contract> =>
  shop.store.contract((await read(shop.own, id)).store_contract_id);

/** Holds the contract at the store against what the API says of the subscription. */
export const expectMirrored = async (shop: Shop, id: string): Promise<Contract> => {
  const wanted: Json = await read(shop.own, id);
  const contract = shop.store.contract(wanted.store_contract_id);
  const shown = shownBy(contract);
  expect(wanted.store_sync_error).toBeNull();
  expect(shown.status).toBe(statuses[wanted.status]);
  if (["CANCELLED", "EXPIRED"].includes(wanted.status)) return contract;
  expect(shown).toMatchObject({
    billing: [wanted.billing_interval, wanted.billing_interval_count],
    delivery: [wanted.delivery_interval, wanted.delivery_interval_count],
    total: cents(wanted.total),
  });
  expect(shown.lines.map(([variant, quantity, price]) => [variant, quantity, price])).toEqual(
    wanted.lines.map((line: Json) => [line.store_variant_id, line.quantity, cents(line.price)]).toSorted(),
  );
  expect(contract.nextBillingDate.slice(0, 10)).toBe(wanted.next_billing_date);
  return contract;
};
