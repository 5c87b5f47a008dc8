/** The details of a customer's payment method that a store may show. */
export type StorePaymentMethod = {
  store_payment_method_id: string;
  /** The customer it belongs to, if the store says so. */
  store_customer_id: string | null;
  store_customer_email: string | null;
  brand: string | null;
  last4: string | null;
  exp_month: number | null;
  exp_year: number | null;
  is_default: boolean;
  status: "VALID" | "EXPIRED" | "REVOKED";
};

/** The part of a profile that a store's customer is made of. `store_customer_id` is that customer, where there is one. */
export type StoreProfile = {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  phone_number: string | null;
  store_customer_id: string | null;
};

/** A payment method that a customer is about to enter in their browser, which the store lets in with these two texts. */
export type PaymentMethodSetup = { id: string; client_secret: string; publishable_key: string };

/** A script of the store's that pages load on which customers enter payment methods and confirm payments, and the origins that it needs. */
export type BrowserScript = { src: string; scripts: string[]; frames: string[]; connections: string[] };

/** With what a customer's browser confirms a payment that waits for them. */
export type PaymentConfirmation = {
  client_secret: string;
  publishable_key: string;
  payment_method: string;
};

/** The payment methods of customers, as the store keeps them. */
export interface StorePaymentMethods {
  /** A customer's payment method; undefined if the store has none with this id. */
  findPaymentMethod(id: string): Promise<StorePaymentMethod | undefined>;
  /**
   * Sends the customer an e-mail with a link by which they replace this payment method; another one each time it is called. Undefined
   * for a store that sends none. Throws StoreRefusalError.
   */
  askForPaymentMethod?(storePaymentMethodId: string): Promise<void>;
  /**
   * Whether customers can ask for that e-mail: nothing is known by which the store would refuse it, such as a permission that the app
   * lacks. The sandbox store takes the request and has nothing to send it with.
   */
  canAskForPaymentMethod?: boolean;
  /**
   * Gives a payment method that belongs to nobody to the profile's customer, who is made if need be, and returns it; undefined if the store
   * does not. Undefined for a store whose payment methods always have an owner, or need none.
   */
  attachPaymentMethod?(id: string, profile: StoreProfile): Promise<StorePaymentMethod | undefined>;
  /** Begins to enter a payment method in the customer's browser. Undefined for a store that has pages of its own for that. */
  beginPaymentMethod?(profile: StoreProfile): Promise<PaymentMethodSetup>;
  /** The address of a page of the store's on which the customer enters a payment method, and which leads to one of these addresses. */
  beginPaymentMethodPage?(profile: StoreProfile, pages: { done: string; left: string }): Promise<string>;
  /** The payment method that was entered, by the id of a setup or of a page; undefined if it was not, or is another customer's. */
  finishPaymentMethod?(profile: StoreProfile, id: string): Promise<StorePaymentMethod | undefined>;
  /** Undefined for a store that has pages of its own for payment methods and confirmations, or none. */
  browserScript?: BrowserScript;
  /** Takes a payment method from its customer for good. Throws StoreRefusalError. */
  removePaymentMethod?(id: string): Promise<void>;
}
