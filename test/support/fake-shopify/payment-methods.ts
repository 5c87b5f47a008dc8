import { globalId, numberOf } from "./ids.ts";
import { outcomes } from "./outcomes.ts";
import type { PaymentMethod } from "./records.ts";
import { customerOf, type FakeStore } from "./store.ts";
import { emit } from "./webhooks.ts";

type MethodInput = Partial<Pick<PaymentMethod, "instrument" | "outcome" | "revokedAt">>;

/** Customers' payment methods, as they and Shopify change them. */
export function paymentMethodsOf(store: FakeStore) {
  const method = (id: string): PaymentMethod => {
    const found = store.methods.get(id);
    if (!found) throw new Error(`The fake store has no ${id}`);
    return found;
  };
  const notify = (which: PaymentMethod, verb: "create" | "update" | "revoke"): void =>
    emit(store, `customer_payment_methods/${verb}`, methodPayload(which));
  /** Adds a valid card; `outcome`, not its id, decides what its attempts lead to. */
  const addPaymentMethod = (customerId: string, fields: MethodInput = {}): string => {
    const customer = customerOf(store, customerId);
    const id = globalId("CustomerPaymentMethod", crypto.randomUUID().replaceAll("-", ""));
    const some = { instrument: card, outcome: outcomes.success, revokedAt: null };
    store.methods.set(id, { id, customer, ...some, ...fields });
    return id;
  };
  return {
    method,
    addPaymentMethod,
    /** As addPaymentMethod, and sends the app a webhook. */
    createPaymentMethod(customerId: string, fields?: MethodInput): string {
      const id = addPaymentMethod(customerId, fields);
      notify(method(id), "create");
      return id;
    },
    /** Replaces the instrument under the same id: another kind, or changed fields of the card. */
    replaceInstrument(id: string, instrument: Record<string, unknown>): void {
      const changed = method(id);
      changed.instrument = instrument.__typename ? instrument : { ...card, ...instrument };
      notify(changed, "update");
    },
    revokePaymentMethod(id: string): void {
      const revoked = method(id);
      revoked.revokedAt = store.now();
      notify(revoked, "revoke");
    },
  };
}

const card = {
  __typename: "CustomerCreditCard",
  brand: "visa",
  lastDigits: "4242",
  expiryMonth: 12,
  expiryYear: 2034,
};

/** customer_payment_methods/…; the fields of an instrument have REST's names, which differ from GraphQL's. */
function methodPayload({ id, customer, instrument }: PaymentMethod): Record<string, unknown> {
  return {
    admin_graphql_api_id: id,
    token: id.split("/").at(-1),
    customer_id: numberOf(customer.id),
    admin_graphql_api_customer_id: customer.id,
    instrument_type: instrument?.__typename ?? null,
    payment_instrument: instrument && {
      last_digits: instrument.lastDigits ?? null,
      month: instrument.expiryMonth ?? null,
      year: instrument.expiryYear ?? null,
      brand: instrument.brand ?? null,
    },
  };
}
