import type { AccountSeq } from "../../base/db/columns.ts";
import type { Db } from "../../base/db/port.ts";
import { numberedContracts } from "../own-contracts.ts";
import type { StorePaymentMethod } from "../port/payment-methods.ts";
import type { Store } from "../port.ts";
import { sandboxCharges } from "./charges.ts";
import { sandboxRefunds } from "./refunds.ts";

/** The built-in store. It accepts any payment method, whose id decides what a charge leads to, as with test cards. */
export function sandboxStore(db: Db, accountSeq: AccountSeq, now: string): Store {
  const findPaymentMethod = async (id: string): Promise<StorePaymentMethod> => ({
    store_payment_method_id: id,
    store_customer_id: null,
    store_customer_email: null,
    ...valid,
    ...testMethods.get(id),
  });
  return {
    ...sandboxCharges(db, accountSeq, now),
    ...sandboxRefunds(db, accountSeq, now),
    ...numberedContracts({ db, accountSeq, now }),
    canAskForPaymentMethod: true,
    findPaymentMethod,
    beginPaymentMethod: async ({ id }) => ({
      id: setupOf(id),
      client_secret: `${setupOf(id)}_secret_sandbox`,
      publishable_key: "pk_sandbox",
    }),
    finishPaymentMethod: async ({ id }, setup) =>
      setup === setupOf(id) ? findPaymentMethod(entered) : undefined,
    removePaymentMethod: async () => {},
  };
}

/** A setup is over as soon as it has begun, as nobody enters anything: it is the profile's, and leads to a valid card. */
function setupOf(profileId: string): string {
  return `seti_${profileId.replaceAll("-", "")}`;
}

const entered = "pm_success";

const valid = {
  brand: "visa",
  last4: "4242",
  exp_month: 12,
  exp_year: 2034,
  is_default: false,
  status: "VALID",
} as const;

/** The details of the test methods; any other is a valid card. Callers choose the ids, so this is a Map, which has no inherited keys. */
const testMethods = new Map<string, Partial<StorePaymentMethod>>([
  ["pm_card_declined", { last4: "0002" }],
  ["pm_insufficient_funds", { last4: "9995" }],
  ["pm_expired_card", { last4: "0069", exp_month: 1, exp_year: 2020, status: "EXPIRED" }],
  ["pm_requires_action", { last4: "3155" }],
  ["pm_pending", { brand: "sepa_debit", last4: "3000", exp_month: null, exp_year: null }],
  ["pm_timeout", { last4: "0341" }],
  ["pm_timeout_not_charged", { last4: "0342" }],
]);
