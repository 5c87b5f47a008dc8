import type { Charge, KnownCharge } from "../../src/stores/port.ts";
import { findConfirmation } from "../../src/stores/stripe/browser.ts";
import { type Charging, findCharge, makeCharge, withdrawCharge } from "../../src/stores/stripe/charges.ts";
import { findMadeCharge, listCharges } from "../../src/stores/stripe/charges-made.ts";
import { requestStripe, type StripeRequest } from "../../src/stores/stripe/client.ts";
import { hasCustomer } from "../../src/stores/stripe/customers.ts";
import { findDispute, listDisputes } from "../../src/stores/stripe/disputes.ts";
import {
  attachPaymentMethod,
  findPaymentMethod,
  removePaymentMethod,
} from "../../src/stores/stripe/payment-methods.ts";
import { beginPage, beginSetup, finishSetup } from "../../src/stores/stripe/payment-setups.ts";
import { listRefunds, makeRefund } from "../../src/stores/stripe/refunds.ts";
import {
  isRegistered,
  registerWebhooks,
  removeWebhooks,
} from "../../src/stores/stripe/webhooks/register-webhooks.ts";
import { newFakeStripe } from "../../test/support/fake-stripe.ts";

/** The requests that the adapter makes of a fake account, as it does all that the port asks of it. */
export async function recordRequests(): Promise<StripeRequest[]> {
  const fake = newFakeStripe({ now: Date.now });
  const send: typeof fetch = (input, init) => fake.fetch(new Request(input, init));
  const recorded: StripeRequest[] = [];
  const ask = (request: StripeRequest) => {
    recorded.push(request);
    return requestStripe({ secretKey: fake.settings.secretKeys[0]!, send }, request);
  };
  const now = new Date().toISOString();
  const accountId = "account-1";
  const ada = { id: "profile-1", email: "ada@example.com", first_name: "Ada", last_name: null };
  const profile = { ...ada, phone_number: "+49 30 123456", store_customer_id: null };

  await ask({ method: "GET", path: "/v1/account" });
  const card = (await attachPaymentMethod(ask, "pm_card_visa", { accountId, profile, now }))!;
  const customer = card.store_customer_id!;
  await hasCustomer(ask, customer);
  await findPaymentMethod(ask, card.store_payment_method_id, now);
  const known = { ask, accountId, profile: { ...profile, store_customer_id: customer } };
  const { id } = await beginSetup(known);
  fake.setUp(id);
  await finishSetup(known, id, now);
  const pages = { done: "https://shop.test/done", left: "https://shop.test/left", currency: "EUR" };
  const session = new URL(await beginPage(known, pages)).pathname.split("/").at(-1)!;
  await finishSetup(known, session, now);

  const to: Charging = {
    ...{ ask, accountId, realNow: now },
    findCustomer: async () => customer,
    numberOrder: async () => "#1",
    confirmationUrlOf: (attemptId) => `https://shop.test/pay/${attemptId}`,
  };
  const charge = async (key: string, method: string, with_: Partial<Charge> = {}): Promise<KnownCharge> => {
    const known = { key, attempt_id: `attempt-${key}`, store_contract_id: 1 };
    let reference: string | null = null;
    const rest = { subscription_id: "subscription-1", amount: 1000, currency_code: "EUR", isFirst: true };
    const noteReference = async (noted: string): Promise<void> => {
      reference = noted;
    };
    const readDesired = () => Promise.reject(new Error("Stripe keeps no contracts"));
    const more = { oversells: false, reference, noteReference, readDesired };
    await makeCharge(to, { ...known, ...rest, ...more, store_payment_method_id: method, ...with_ });
    return { ...known, reference };
  };
  const paid = await charge("paid", card.store_payment_method_id);
  await findCharge(to, paid);
  await charge("declined", fake.addPaymentMethod(customer, "pm_card_chargeCustomerFail").id);
  const challenged = await charge(
    "asked",
    fake.addPaymentMethod(customer, "pm_card_authenticationRequired").id,
  );
  await findConfirmation(ask, challenged.reference!);
  await withdrawCharge(to, challenged);

  const intent = paid.reference!;
  await listCharges({ ask, accountId, realNow: now }, { since: now, after: null });
  await findMadeCharge({ ask, accountId }, intent);
  await makeRefund(ask, {
    key: "refund",
    reference: intent,
    amount: 100,
    currency_code: "EUR",
    reason: "Torn",
  });
  await listRefunds(ask, intent);
  const { id: dispute } = fake.dispute(intent);
  await findDispute(ask, dispute);
  await listDisputes(ask, { since: now, after: dispute });

  const url = "https://shop.test/webhooks/stripe/account-1";
  const endpoint = (await registerWebhooks(ask, url))!;
  await isRegistered(ask, endpoint.id, url);
  await removeWebhooks(ask, endpoint.id);
  await removePaymentMethod(ask, card.store_payment_method_id, now);
  return recorded;
}
