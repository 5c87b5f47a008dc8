import { checkedId, globalId } from "./ids.ts";
import { outcomes } from "./outcomes.ts";
import type { PaymentMethod } from "./records.ts";
import type { FakeStore } from "./store.ts";

/** A payment method of a provider, as the app named it, and how often it was read since. */
export type RemoteRequest = { reference: RemoteReference; reads: number };

type RemoteReference = Record<string, Record<string, string>>;

type Arguments = { customerId: string; remoteReference: RemoteReference };

/** Each call makes another payment method, which has no instrument until it is processed (customerPaymentMethodRemoteCreate). */
export function remoteMethodFields(store: FakeStore) {
  return {
    customerPaymentMethodRemoteCreate: ({ customerId, remoteReference }: Arguments) => {
      const customer = store.customers.get(checkedId("Customer", customerId));
      if (!customer) return refused("INVALID", ["customerId"], "Customer does not exist");
      if (Object.keys(remoteReference).length !== 1)
        return refused(
          "EXACTLY_ONE_REMOTE_REFERENCE_REQUIRED",
          ["remoteReference"],
          "Exactly one is required",
        );
      const id = globalId("CustomerPaymentMethod", crypto.randomUUID().replaceAll("-", ""));
      store.methods.set(id, { id, customer, instrument: null, outcome: outcomes.success, revokedAt: null });
      store.remotes.set(id, { reference: remoteReference, reads: 0 });
      return { customerPaymentMethod: { id }, userErrors: [] };
    },
  };
}

/** A read finds it processed in the end: with the details that the provider has, or revoked where that does not know it. */
export function processRemote(store: FakeStore, method: PaymentMethod): void {
  const remote = store.remotes.get(method.id);
  if (!remote || method.instrument || method.revokedAt) return;
  remote.reads++;
  if (remote.reads < store.settings.processesAtRead) return;
  if (JSON.stringify(remote.reference).includes(unknownToProvider)) method.revokedAt = store.now();
  else method.instrument = card;
}

/** A provider does not know what has this in its id. */
const unknownToProvider = "unknown";

const card = {
  __typename: "CustomerCreditCard",
  brand: "mastercard",
  lastDigits: "4444",
  expiryMonth: 12,
  expiryYear: 2034,
};

function refused(code: string, field: string[], message: string) {
  return { customerPaymentMethod: null, userErrors: [{ code, field, message }] };
}
