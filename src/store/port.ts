/** What a store may show of a customer's payment method. */
export type StorePaymentMethod = {
  store_payment_method_id: string;
  brand: string | null;
  last4: string | null;
  exp_month: number | null;
  exp_year: number | null;
  is_default: boolean;
  status: "VALID" | "EXPIRED" | "REVOKED";
};

/** What a store is asked to charge. Amounts are minor units; whatever else happens, a key is charged once. */
export type Charge = {
  key: string;
  store_contract_id: number;
  store_payment_method_id: string | null;
  amount: number;
  currency_code: string;
};

/** What a store says of a charge; all but `pending` and `action_required` are final. */
export type ChargeAnswer =
  | {
      outcome: "succeeded";
      reference: string;
      store_order_id: string;
      store_order_number: string | null;
      amount: number;
      currency_code: string;
    }
  | { outcome: "declined"; reference: string; code: string; message: string }
  | { outcome: "pending"; reference: string }
  /** The customer has to confirm it, at this address. */
  | { outcome: "action_required"; reference: string; url: string };

/** No answer came, or none that tells: the charge may have been made, or may still be. */
export class StoreSilenceError extends Error {}

/**
 * The connected store platform, as the rest of the service sees it. Every call may be repeated: what it makes is
 * named by an id of ours, and asking again answers the same. Throws StoreSilenceError.
 */
export interface Store {
  /** A customer's payment method, or undefined where the store knows none of this id. */
  findPaymentMethod(id: string): Promise<StorePaymentMethod | undefined>;
  /** Makes the contract of a subscription, once; answers its id at the store. */
  createContract(subscriptionId: string): Promise<number>;
  /** Charges, and makes the order; with a key it has seen it says again what came of that. */
  charge(charge: Charge): Promise<ChargeAnswer>;
  /** What came of a charge; undefined where the store has not seen the key, which it may still do. */
  findCharge(key: string): Promise<ChargeAnswer | undefined>;
  /** Gives up a charge that waits for its customer, where the store can; says what came of it. */
  withdrawCharge(key: string): Promise<ChargeAnswer | undefined>;
}
