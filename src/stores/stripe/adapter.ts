import type { Account } from "../../base/accounts/tables.ts";
import type { Db } from "../../base/db/port.ts";
import type { Log } from "../../base/lib/log.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { unlessGone } from "../gone-method.ts";
import { type NumberedBy, numbersIn } from "../numbers.ts";
import { numberedContracts } from "../own-contracts.ts";
import {
  type Charge,
  type ChargeAnswer,
  type Store,
  StoreRefusalError,
  UnknownOutcomeError,
} from "../port.ts";
import { orderNumbers } from "../tables.ts";
import { whyNotChargeable, whyNotRefundable } from "./amounts.ts";
import { type Charging, endCharge, findCharge, makeCharge, withdrawCharge } from "./charges.ts";
import { findMadeCharge, listCharges } from "./charges-made.ts";
import type { OpenedStripeConnection } from "./connection.ts";
import { findCustomerOfContract } from "./contract-customers.ts";
import { hasCustomer } from "./customers.ts";
import { findDispute, listDisputes } from "./disputes.ts";
import { attachPaymentMethod, findPaymentMethod, removePaymentMethod } from "./payment-methods.ts";
import { beginPage, beginSetup, finishSetup } from "./payment-setups.ts";
import { listRefunds, listRefundsSince, makeRefund } from "./refunds.ts";
import { refusesAccount } from "./refusals.ts";
import type { AskStripe } from "./request.ts";

type Parts = {
  db: Db;
  account: Pick<Account, "id" | "seq" | "currency_code">;
  now: Instant;
  realNow: Instant;
  ask: AskStripe;
  connect: () => Promise<OpenedStripeConnection>;
  confirmationUrlOf: Charging["confirmationUrlOf"];
  log: Log;
};

/** An account at Stripe. It keeps customers, payment methods and charges; contracts and orders are kept here. */
export function stripeStore(parts: Parts): Store {
  const { db, account, now, realNow, ask, connect, confirmationUrlOf, log } = parts;
  const { id: accountId, seq: accountSeq } = account;
  const numbered = { db, accountSeq, now };

  /** A refusal of the key says nothing about a charge or a payment method. */
  const askAboutPayment: AskStripe = (request) =>
    ask(request).catch((error) => {
      throw isAboutKey(error) ? new UnknownOutcomeError(error.message) : error;
    });

  /** That of the account itself says that it charges nobody. */
  const askToCharge: AskStripe = (request) =>
    ask(request).catch((error) => {
      throw isAboutKey(error) && !refusesAccount(error) ? new UnknownOutcomeError(error.message) : error;
    });

  const charging: Charging = {
    ask: askToCharge,
    accountId,
    realNow,
    findCustomer: (contractId) => findCustomerOfContract(db, accountSeq, contractId),
    numberOrder: (storeOrderId) => numberOrder(numbered, storeOrderId),
    confirmationUrlOf,
  };

  /** Nothing is tried that helps while the merchant is the cause: people have to know of each refusal. */
  const report = (charge: Charge, answer: ChargeAnswer): ChargeAnswer => {
    if (answer.outcome !== "declined" || answer.failure !== "merchant") return answer;
    const { attempt_id, subscription_id } = charge;
    const { code, message: cause } = answer;
    log("charge_refused", { alert: true, account_id: accountId, attempt_id, subscription_id, code, cause });
    return answer;
  };

  /** The payment method of a charge; undefined where its customer does not have it, as one that was detached. */
  const findChargedMethod = async ({ store_contract_id, store_payment_method_id: id }: Charge) => {
    if (id === null) throw new UnknownOutcomeError("The charge has no payment method");
    const owner = await charging.findCustomer(store_contract_id);
    const found = await findPaymentMethod(askAboutPayment, id, realNow);
    return found?.store_customer_id === owner ? found : undefined;
  };

  return {
    ...numberedContracts(numbered),
    async requireConnection() {
      await connect();
    },
    hasCustomer: (id) => hasCustomer(askAboutPayment, id),
    whyNotChargeable,
    whyNotRefundable,
    charge: async (charge) => {
      const answer = await makeCharge(charging, charge);
      return report(charge, await unlessGone(answer, () => findChargedMethod(charge)));
    },
    findCharge: (charge) => findCharge(charging, charge).catch(unknownIfRefused),
    withdrawCharge: (charge) => withdrawCharge(charging, charge).catch(unknownIfRefused),
    endCharge: (charge) => endCharge(charging, charge).catch(unknownIfRefused),
    listCharges: (page) => listCharges({ ask, accountId, realNow }, page),
    findMadeCharge: (reference) => findMadeCharge({ ask, accountId }, reference),
    refund: (refund) => makeRefund(ask, refund),
    listRefunds: (reference) => listRefunds(ask, reference),
    listRefundsSince: (page) => listRefundsSince({ ask, accountId }, page),
    findDispute: (reference) => findDispute(ask, reference),
    listDisputes: (page) => listDisputes(ask, page),
    findPaymentMethod: (id) => findPaymentMethod(askAboutPayment, id, realNow),
    attachPaymentMethod: (id, profile) =>
      attachPaymentMethod(askAboutPayment, id, { accountId, profile, now: realNow }),
    beginPaymentMethod: async (profile) => ({
      ...(await beginSetup({ ask, accountId, profile })),
      publishable_key: (await connect()).credentials.publishable_key,
    }),
    beginPaymentMethodPage: (profile, pages) =>
      beginPage({ ask, accountId, profile }, { ...pages, currency: account.currency_code }),
    finishPaymentMethod: (profile, id) =>
      finishSetup({ ask: askAboutPayment, accountId, profile }, id, realNow),
    removePaymentMethod: (id) => removePaymentMethod(ask, id, realNow),
  };
}

/** Stripe refuses a key that was revoked, or lacks a permission: https://docs.stripe.com/keys#limit-access */
function isAboutKey(error: unknown): error is StoreRefusalError {
  return (
    error instanceof StoreRefusalError &&
    error.codes.some((code) => code === "HTTP_401" || code === "HTTP_403")
  );
}

/** A look that is refused says nothing about the charge. */
function unknownIfRefused(error: unknown): never {
  throw error instanceof StoreRefusalError ? new UnknownOutcomeError(error.message) : error;
}

const numberRecord = numbersIn({
  table: orderNumbers,
  number: orderNumbers.order_number,
  record: orderNumbers.store_order_id,
});

/** The number of an order at a store that numbers none: `#12`. */
async function numberOrder(by: NumberedBy, storeOrderId: string): Promise<string> {
  return `#${await numberRecord(by, storeOrderId)}`;
}
