import { type AddressInput, addressOf } from "./addresses.ts";
import { globalId } from "./ids.ts";
import { outcomes } from "./outcomes.ts";
import type { Customer, PaymentMethod } from "./records.ts";
import { customerOf, type FakeStore } from "./store.ts";

type GivenCustomer = Partial<Pick<Customer, "email" | "firstName" | "lastName" | "phone">> & {
  defaultAddress?: AddressInput;
};

type GivenMethod = Partial<Pick<PaymentMethod, "instrument" | "outcome" | "revokedAt">>;

const card = {
  __typename: "CustomerCreditCard",
  brand: "visa",
  lastDigits: "4242",
  expiryMonth: 12,
  expiryYear: 2034,
};

/** Customers and what they pay with. */
export const customersOf = (store: FakeStore) => ({
  addCustomer({ defaultAddress, ...given }: GivenCustomer = {}): string {
    const number = store.nextNumber("Customer");
    const id = globalId("Customer", number);
    store.customers.set(id, {
      id,
      number,
      email: "customer@customers.test",
      firstName: null,
      lastName: null,
      phone: null,
      defaultAddress: defaultAddress ? addressOf(defaultAddress) : null,
      ...given,
    });
    return id;
  },
  /** A card that pays, but for what is told. Its id tells nothing: what comes of it is `outcome`. */
  addPaymentMethod(customerId: string, given: GivenMethod = {}): string {
    const customer = customerOf(store, customerId);
    const id = globalId("CustomerPaymentMethod", crypto.randomUUID().replaceAll("-", ""));
    const some = { instrument: card, outcome: outcomes.success, revokedAt: null };
    store.methods.set(id, { id, customer, ...some, ...given });
    return id;
  },
  method(id: string): PaymentMethod {
    const found = store.methods.get(id);
    if (!found) throw new Error(`The fake store has no ${id}`);
    return found;
  },
});
