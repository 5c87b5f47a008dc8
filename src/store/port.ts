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

/**
 * The connected store platform, as the rest of the service sees it. Every call may be repeated: what it makes is
 * named by an id of ours, and asking again answers the same.
 */
export interface Store {
  /** A customer's payment method, or undefined where the store knows none of this id. */
  findPaymentMethod(id: string): Promise<StorePaymentMethod | undefined>;
  /** Makes the contract of a subscription, once; answers its id at the store. */
  createContract(subscriptionId: string): Promise<number>;
}
