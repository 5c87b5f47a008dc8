import { readJson } from "../../kit/http/json-text.ts";
import type { ContractStatus, DesiredContract } from "../../stores/port/contracts.ts";
import type { PaymentMethod } from "../payment-methods/tables.ts";
import { allot, type Discount, itemize } from "../subscriptions/lines/amounts.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import { deliveryAddressOf, discountsOf, linesOf } from "../subscriptions/row-codec.ts";
import type { SubscriptionStatus } from "../subscriptions/tables.ts";
import { payableMethodId } from "./chosen-method.ts";

/** The status of a contract at its store while its subscription has a status. */
export const contractStatusOf: Record<SubscriptionStatus, ContractStatus> = {
  ACTIVE: "ACTIVE",
  PAUSED: "PAUSED",
  CANCELLED: "CANCELLED",
  EXPIRED: "EXPIRED",
  PAYMENT_FAILED: "FAILED",
};

type Source = Pick<SubscriptionView, "row" | "profile"> & {
  method: Pick<PaymentMethod, "store_payment_method_id" | "status"> | undefined;
  /** Absent where the subscription's payment method replaces whatever the contract has. */
  ownMethodIds?: string[] | null;
};

/** The contract that a subscription should have at its store. Its lines share the discount of the whole order. */
export function desiredContract({ row, profile, method, ownMethodIds = null }: Source): DesiredContract {
  const [lines, discounts] = [linesOf(row), discountsOf(row)];
  const { priced, taken } = itemize(lines, discounts, row.shipping_amount);
  const off = (target: Discount["target_type"]) =>
    taken.reduce((sum, { discount, amount }) => sum + (discount.target_type === target ? amount : 0), 0);
  const remaining = priced.map((line) => line.line_total - line.discount_amount);
  const shares = allot(off("ORDER"), remaining);
  return {
    subscription_id: row.id,
    activation: row.activation,
    former_contract_id: row.former_contract_id,
    store_customer_id: readJson(profile).store_customer_id,
    store_payment_method_id: payableMethodId(method),
    own_payment_method_ids: ownMethodIds,
    currency_code: row.currency_code,
    next_billing_date: row.next_billing_date ?? row.anchor_date,
    status: contractStatusOf[row.status],
    billing: { unit: row.billing_interval, count: row.billing_interval_count },
    delivery: { unit: row.delivery_interval, count: row.delivery_interval_count },
    delivery_price: row.shipping_amount - off("SHIPPING_LINE"),
    lines: lines.map((line, index) => ({
      store_variant_id: line.store_variant_id,
      selling_plan_id: line.selling_plan_id,
      selling_plan_name: line.selling_plan_name,
      quantity: line.quantity,
      price: line.price,
      discount_amount: (priced[index]?.discount_amount ?? 0) + (shares[index] ?? 0),
    })),
    address: deliveryAddressOf(row),
    note: row.note,
  };
}
