import type { AddressInput } from "./addresses.ts";
import { appliedCode } from "./codes.ts";
import { makeContract } from "./contracts.ts";
import type { ContractInput, DiscountInput, LineInput } from "./inputs.ts";
import { discountOf } from "./lines.ts";
import { orderOfContract } from "./orders.ts";
import type { Policy } from "./records.ts";
import type { FakeStore } from "./store.ts";
import { contractPayload, emit } from "./webhooks.ts";

type Checkout = {
  customer: string;
  /** None where the customer has not left one: a checkout of 0, for example. */
  method?: string;
  /** The plan's interval; monthly by default. */
  policy?: Policy;
  deliveryPolicy?: Policy;
  deliveryPrice?: string;
  /** The shipping address. */
  address?: AddressInput;
  nextBillingDate?: string;
  /** The currency in which the customer buys: the shop's, or another that it sells in. */
  currency?: string;
  /** Codes of the shop that the customer enters: off all lines, or off the delivery. */
  codes?: string[];
  /** An automatic discount on the delivery. */
  deliveryDiscount?: DiscountInput;
  /** A discount with a code is one that the customer has entered. */
  lines: (LineInput & { discounts?: CheckoutDiscount[] })[];
};

type CheckoutDiscount = DiscountInput & { redeemCode?: string };

/** A customer subscribes at Shopify's checkout, which creates an order and its contract, without our mark. */
export function checkoutOf(store: FakeStore) {
  return {
    checkoutContract(sold: Checkout): string {
      const { currency, currencies } = store.settings;
      if (sold.currency !== undefined && ![currency, ...currencies].includes(sold.currency))
        throw new Error(`the shop does not sell in ${sold.currency}`);
      const contract = makeContract(store, inputOf(store, sold));
      const lineIds = contract.lines.map(({ id }) => id);
      for (const code of sold.codes ?? [])
        contract.discounts.push(appliedCode(store.codes.get(code.toLowerCase())!, lineIds));
      if (sold.deliveryDiscount)
        contract.discounts.push(
          discountOf(
            { ...sold.deliveryDiscount, type: "AUTOMATIC_DISCOUNT", target: "SHIPPING_LINE" },
            "all",
            contract.currency,
          ),
        );
      const order = orderOfContract(store, contract, { isPaid: true, sourceName: "web" });
      order.discountCodes = contract.discounts.flatMap(({ redeemCode }) => redeemCode ?? []);
      contract.originOrder = order;
      for (const discount of contract.discounts) discount.used += 1;
      emit(store, "subscription_contracts/create", contractPayload(contract));
      return contract.id;
    },
  };
}

const monthMs = 30 * 86_400_000;

function inputOf(store: FakeStore, sold: Checkout): ContractInput {
  const policy: Policy = sold.policy ?? { interval: "MONTH", intervalCount: 1 };
  const soon = new Date(Date.parse(store.now()) + monthMs).toISOString();
  return {
    customerId: sold.customer,
    currencyCode: sold.currency ?? store.settings.currency,
    nextBillingDate: sold.nextBillingDate ?? soon,
    discountCodes: [],
    lines: sold.lines.map(({ discounts = [], ...line }) => ({ line, discounts })),
    contract: {
      paymentMethodId: sold.method ?? null,
      billingPolicy: policy,
      deliveryPolicy: sold.deliveryPolicy ?? policy,
      deliveryPrice: sold.deliveryPrice ?? "0",
      deliveryMethod: sold.address ? { shipping: { address: sold.address } } : null,
    },
  };
}
