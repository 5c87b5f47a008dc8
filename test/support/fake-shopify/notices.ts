import { checkedId } from "./ids.ts";
import type { FakeStore } from "./store.ts";

/** An e-mail with a link by which its customer replaces a payment method, under the same id. */
export type UpdateEmail = { method: string; to: string; at: string };

/** Each request sends another e-mail. Its user errors have no codes. */
export function noticeFields(store: FakeStore) {
  return {
    customerPaymentMethodSendUpdateEmail: ({
      customerPaymentMethodId,
    }: {
      customerPaymentMethodId: string;
    }) => {
      const method = store.methods.get(checkedId("CustomerPaymentMethod", customerPaymentMethodId));
      if (!method || method.revokedAt) return refused("Customer payment method does not exist");
      const { email: to } = method.customer;
      if (to === null) return refused("Customer has no email address");
      store.updateEmails.push({ method: method.id, to, at: store.now() });
      return { userErrors: [] };
    },
  };
}

const field = ["customerPaymentMethodId"];

function refused(message: string) {
  return { customer: null, userErrors: [{ field, message }] };
}
