export const remoteGateways = ["STRIPE", "BRAINTREE", "AUTHORIZE_NET"] as const;

/** A payment method that a payment provider keeps, by its ids there. */
export type RemoteMethod = {
  gateway: (typeof remoteGateways)[number];
  customer_id: string;
  payment_method_id: string;
};

/** Payment methods of providers, which the store can take over for its customers. Throws StoreRefusalError. */
export interface StoreRemoteMethods {
  /** The permissions that the app lacks for it. */
  findMissingScopes(): Promise<string[]>;
  /** The ids of all payment methods of a customer at the store. */
  listIds(storeCustomerId: string): Promise<string[]>;
  /** Has the store make a payment method, another one each time it is called, and returns its id. The store asks the provider afterwards. */
  make(storeCustomerId: string, remote: RemoteMethod): Promise<string>;
  /** The store's progress with one: `revoked` where the provider does not know it, or whoever else has withdrawn it. */
  findState(storePaymentMethodId: string): Promise<"pending" | "ready" | "revoked">;
}
