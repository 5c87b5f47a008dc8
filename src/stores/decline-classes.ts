import type { FailureClass } from "./port.ts";

/**
 * The meaning of a failure for the payment. `retry`: a later try may succeed. `hard`: none can with this payment method.
 * `customer`: none can before the customer does something. `merchant`: the merchant or the store is the cause. `stock`: goods are
 * missing. `unknown`: the code does not say.
 */
export type DeclineClass = "retry" | "hard" | "customer" | "merchant" | "stock" | "unknown";

export const declineMeanings: Record<DeclineClass, { failure: FailureClass; isFinal: boolean }> = {
  retry: { failure: "customer", isFinal: false },
  unknown: { failure: "customer", isFinal: false },
  hard: { failure: "customer", isFinal: true },
  customer: { failure: "customer", isFinal: true },
  stock: { failure: "stock", isFinal: false },
  merchant: { failure: "merchant", isFinal: false },
};
