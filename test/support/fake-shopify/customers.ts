import { type AddressInput, addressOf } from "./addresses.ts";
import { globalId } from "./ids.ts";
import type { Customer } from "./records.ts";
import type { FakeStore } from "./store.ts";

type CustomerInput = Partial<Pick<Customer, "email" | "firstName" | "lastName" | "phone">> & {
  defaultAddress?: AddressInput;
};

export function customersOf(store: FakeStore) {
  return {
    /** The global ids of all customers, oldest first. */
    customerIds: (): string[] => [...store.customers.keys()],
    addCustomer({ defaultAddress, ...fields }: CustomerInput = {}): string {
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
        ...fields,
      });
      return id;
    },
  };
}
