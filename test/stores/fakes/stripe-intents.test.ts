/** The fake Stripe charges by payment intents as Stripe documents it. */
import { beforeEach, describe, expect, test } from "vitest";
import { type FakeStripe, newFakeStripe, outcomes } from "../../support/fake-stripe.ts";
import { apiOf } from "../stripe/api.ts";

let fake: FakeStripe;
let api: ReturnType<typeof apiOf>;
let customer: string;
beforeEach(() => {
  fake = newFakeStripe();
  api = apiOf(fake);
  customer = fake.addCustomer({ email: "ada@example.com" }).id;
});

const noRedirects = { automatic_payment_methods: { enabled: true, allow_redirects: "never" } };

/** An unconfirmed intent of 10.99 euros, with a card that behaves as a test token does. */
async function intentWith(token: string, more: Record<string, unknown> = {}): Promise<string> {
  const payment_method = fake.addPaymentMethod(customer, token).id;
  const fields = { amount: 1099, currency: "eur", customer, payment_method, ...noRedirects, ...more };
  const { status, body } = await api.post("payment_intents", fields);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

const confirm = (id: string, fields: Record<string, unknown> = { off_session: true }) =>
  api.post(`payment_intents/${id}/confirm`, fields);
const cancel = (id: string) => api.post(`payment_intents/${id}/cancel`);
const read = async (id: string) => (await api.get(`payment_intents/${id}`)).body;

/** docs.stripe.com/payments/paymentintents/lifecycle */
describe("the states of an intent", () => {
  test("it is created without a charge, and waits for its confirmation", async () => {
    const intent = await read(await intentWith("pm_card_visa", { metadata: { key: "k1" } }));
    expect(intent).toMatchObject({
      object: "payment_intent",
      status: "requires_confirmation",
      amount: 1099,
      amount_received: 0,
      latest_charge: null,
      metadata: { key: "k1" },
    });
    expect(fake.charges()).toEqual([]);
  });

  test("without a payment method it waits for one", async () => {
    const { body } = await api.post("payment_intents", { amount: 1099, currency: "eur", ...noRedirects });
    expect(body.status).toBe("requires_payment_method");
    const refused = await confirm(body.id);
    expect([refused.status, refused.body.error.code]).toEqual([400, "payment_intent_unexpected_state"]);
  });

  test.each([
    ["requires_payment_method", 200],
    ["requires_confirmation", 200],
    ["requires_action", 200],
    ["processing", 400],
    ["succeeded", 400],
    ["canceled", 400],
  ])("one that is %s is cancelled with %i", async (state, expected) => {
    const id = await intentIn(state);
    const { status, body } = await cancel(id);
    expect(status).toBe(expected);
    expect((await read(id)).status).toBe(expected === 200 ? "canceled" : state);
    if (expected !== 200)
      expect(body.error).toMatchObject({
        type: "invalid_request_error",
        code: "payment_intent_unexpected_state",
        payment_intent: { id, status: state },
      });
  });

  test.each([
    ["requires_payment_method", 400],
    ["requires_confirmation", 200],
    ["requires_action", 200],
    ["processing", 400],
    ["succeeded", 400],
    ["canceled", 400],
  ])("one that is %s is confirmed with %i", async (state, expected) => {
    const id = await intentIn(state);
    const before = fake.charges().length;
    const { status, body } = await confirm(id, {});
    expect(status, JSON.stringify(body)).toBe(expected);
    if (expected === 400) {
      expect(body.error.code).toBe("payment_intent_unexpected_state");
      expect((await read(id)).status).toBe(state);
      expect(fake.charges()).toHaveLength(before);
    }
  });

  test.each([true, false])(
    "one that was declined and cancelled keeps its error: %s, and its charge",
    async (keeps) => {
      fake.settings.keepsErrorOfCancelled = keeps;
      const id = await intentIn("requires_payment_method");
      await cancel(id);
      const intent = await read(id);
      expect([intent.status, intent.last_payment_error?.code]).toEqual([
        "canceled",
        keeps ? "card_declined" : undefined,
      ]);
      expect((await api.get(`charges/${intent.latest_charge}`)).body.outcome.reason).toBe("generic_decline");
    },
  );

  /** An intent that has come to a state in the ordinary way. */
  async function intentIn(state: string): Promise<string> {
    if (state === "requires_payment_method") {
      const id = await intentWith("pm_card_chargeCustomerFail");
      await confirm(id);
      return id;
    }
    if (state === "requires_action") {
      const id = await intentWith("pm_card_authenticationRequired");
      await confirm(id, {});
      return id;
    }
    const id = await intentWith(state === "processing" ? "pm_usBankAccount_success" : "pm_card_visa");
    if (state === "canceled") await cancel(id);
    if (state === "succeeded" || state === "processing") await confirm(id);
    expect((await read(id)).status).toBe(state);
    return id;
  }
});

describe("a confirmation", () => {
  test("charges the customer once, and shows the charge", async () => {
    const id = await intentWith("pm_card_visa", { metadata: { key: "k1" } });
    const { status, body } = await confirm(id);
    expect([status, body.status, body.amount_received]).toEqual([200, "succeeded", 1099]);
    const charge = await api.get(`charges/${body.latest_charge}`);
    expect(charge.body).toMatchObject({
      paid: true,
      amount: 1099,
      payment_intent: id,
      metadata: { key: "k1" },
    });
    await confirm(id);
    expect(fake.charges()).toHaveLength(1);
  });

  /** docs.stripe.com/testing#declined-payments */
  test.each([
    ["generic_decline", "card_declined", "generic_decline"],
    ["insufficient_funds", "card_declined", "insufficient_funds"],
    ["lost_card", "card_declined", "lost_card"],
    ["expired_card", "expired_card", "expired_card"],
    ["processing_error", "processing_error", "processing_error"],
  ])("that the bank declines with %s is a 402 with the code %s", async (declined, code, decline_code) => {
    const id = await intentWith("pm_card_visa");
    fake.nextOutcomes(outcomes.decline(declined));
    const { status, body } = await confirm(id);
    expect(status).toBe(402);
    expect(body.error).toMatchObject({
      type: "card_error",
      code,
      decline_code,
      payment_intent: { id, status: "requires_payment_method", payment_method: null },
      payment_method: { object: "payment_method" },
    });
    const intent = await read(id);
    expect(intent.last_payment_error).toMatchObject({ code, decline_code });
    expect((await api.get(`charges/${intent.latest_charge}`)).body).toMatchObject({
      status: "failed",
      failure_code: code,
    });
    expect(fake.charges()).toEqual([]);
  });

  test("goes as its payment method behaves by then", async () => {
    const id = await intentWith("pm_card_visa");
    fake.behave(fake.intent(id).payment_method!, outcomes.decline("lost_card"));
    expect((await confirm(id)).body.error.decline_code).toBe("lost_card");
  });

  test("shows the bank's advice", async () => {
    const id = await intentWith("pm_card_visa");
    fake.nextOutcomes(outcomes.decline("generic_decline", { advice_code: "do_not_try_again" }));
    await confirm(id);
    expect((await read(id)).last_payment_error.advice_code).toBe("do_not_try_again");
  });

  test("is asked for once more after a decline, with another payment method", async () => {
    const id = await intentWith("pm_card_chargeCustomerFail");
    await confirm(id);
    const { id: payment_method } = fake.addPaymentMethod(customer);
    expect((await confirm(id, { payment_method, off_session: true })).body.status).toBe("succeeded");
  });

  test("needs a return_url where payment methods may redirect", async () => {
    const id = await intentWith("pm_card_visa", { automatic_payment_methods: { enabled: true } });
    const { status, body } = await confirm(id);
    expect([status, body.error.param]).toEqual([400, "return_url"]);
    expect((await confirm(id, { return_url: "https://shop.test/" })).body.status).toBe("succeeded");
  });

  test("of a debit needs a mandate", async () => {
    const { body: method } = await api.post("payment_methods/pm_usBankAccount_success/attach", { customer });
    const fields = { amount: 1099, currency: "usd", customer, payment_method: method.id, ...noRedirects };
    const { body } = await api.post("payment_intents", fields);
    expect((await confirm(body.id)).body.error.code).toBe("payment_intent_mandate_invalid");
  });
});

/** docs.stripe.com/testing#regulatory-cards; docs.stripe.com/payments/save-and-reuse */
describe("authentication", () => {
  test.each([
    ["pm_card_authenticationRequired", { off_session: true }, 402, "requires_payment_method"],
    ["pm_card_authenticationRequired", {}, 200, "requires_action"],
    ["pm_card_authenticationRequiredOnSetup", { off_session: true }, 200, "succeeded"],
    ["pm_card_authenticationRequiredOnSetup", {}, 200, "requires_action"],
    ["pm_card_authenticationRequiredSetupForOffSession", { off_session: true }, 200, "succeeded"],
    ["pm_card_authenticationRequiredSetupForOffSession", {}, 200, "requires_action"],
  ])("of %s, set up, with %j leads to %i and %s", async (token, fields, status, state) => {
    const id = await intentWith(token);
    const answer = await confirm(id, fields);
    expect([answer.status, (await read(id)).status]).toEqual([status, state]);
  });

  test("that is asked for off-session is a decline of its own, and leaves the payment method in the error", async () => {
    const id = await intentWith("pm_card_authenticationRequired");
    const { body } = await confirm(id);
    expect(body.error).toMatchObject({
      code: "authentication_required",
      decline_code: "authentication_required",
      payment_method: { object: "payment_method", customer },
    });
  });

  test("may be waited for though nobody is there, where the bank has it so", async () => {
    const id = await intentWith("pm_card_visa", { metadata: { key: "k1" } });
    fake.nextOutcomes(outcomes.challenge(outcomes.success, { evenOffSession: true }));
    const { status, body } = await confirm(id);
    expect([status, body.status]).toEqual([200, "requires_action"]);
    fake.confirmAs(id);
    expect(fake.intent("k1")).toMatchObject({ id, status: "succeeded" });
  });

  test("that the customer completes charges them", async () => {
    const id = await intentWith("pm_card_authenticationRequired");
    const { body } = await confirm(id, {});
    expect(body.next_action.type).toBe("use_stripe_sdk");
    expect(fake.charges()).toEqual([]);
    fake.confirmAs(id);
    expect((await read(id)).status).toBe("succeeded");
    expect(fake.charges()).toHaveLength(1);
  });

  test("that the customer fails leaves the intent without a payment method", async () => {
    const id = await intentWith("pm_card_authenticationRequired");
    await confirm(id, {});
    fake.failAuthentication(id);
    expect(await read(id)).toMatchObject({
      status: "requires_payment_method",
      next_action: null,
      last_payment_error: { code: "payment_intent_authentication_failure" },
    });
  });

  test("may be followed by a decline", async () => {
    const id = await intentWith("pm_card_authenticationRequiredChargeDeclinedInsufficientFunds");
    await confirm(id, {});
    fake.confirmAs(id);
    expect((await read(id)).last_payment_error.decline_code).toBe("insufficient_funds");
  });
});

/** docs.stripe.com/payments/ach-direct-debit */
describe("a debit", () => {
  test("is processing until it arrives", async () => {
    const id = await intentWith("pm_usBankAccount_success");
    expect((await confirm(id)).body.status).toBe("processing");
    expect(fake.charges()).toEqual([]);
    fake.settle(id);
    expect(await read(id)).toMatchObject({ status: "succeeded", amount_received: 1099 });
    expect(fake.charges()).toHaveLength(1);
  });

  test("that is returned leaves the intent without a payment method", async () => {
    const id = await intentWith("pm_usBankAccount_accountClosed");
    await confirm(id);
    fake.settle(id);
    expect(await read(id)).toMatchObject({
      status: "requires_payment_method",
      last_payment_error: { code: "account_closed" },
    });
  });
});

describe("the parameters of an intent", () => {
  /** docs.stripe.com/currencies, docs.stripe.com/error-codes */
  test.each([
    [{ amount: 49, currency: "eur" }, "amount_too_small"],
    [{ amount: 29, currency: "gbp" }, "amount_too_small"],
    [{ amount: 100_000_000, currency: "eur" }, "amount_too_large"],
    [{ amount: 1001, currency: "isk" }, "invalid_charge_amount_no_decimal_compatible"],
    [{ amount: 1001, currency: "kwd" }, "invalid_charge_amount"],
    [{ currency: "eur" }, "parameter_missing"],
    [{ amount: "10.99", currency: "eur" }, "parameter_invalid_integer"],
    [{ amount: 1099, currency: "eur", colour: "red" }, "parameter_unknown"],
    [{ amount: 1099, currency: "eur", off_session: true }, "parameter_unknown"],
    [{ amount: 1099, currency: "eur", customer: "cus_nobody" }, "resource_missing"],
    [{ amount: 1099, currency: "eur", payment_method: "pm_nothing" }, "resource_missing"],
    [
      { amount: 1099, currency: "eur", payment_method_types: ["card"] },
      "payment_method_types_no_longer_supported",
    ],
  ])("%j are refused with %s", async (fields, code) => {
    const { status, body } = await api.post("payment_intents", fields);
    expect([status, body.error.type, body.error.code]).toEqual([400, "invalid_request_error", code]);
    expect(fake.intents()).toEqual([]);
  });

  test("payment_method_types are taken by a version before 2026-09-30", async () => {
    const fields = { amount: 1099, currency: "eur", payment_method_types: ["card"] };
    const { body } = await api.post("payment_intents", fields, { version: "2026-08-26.dahlia" });
    expect([body.payment_method_types, body.automatic_payment_methods]).toEqual([["card"], null]);
  });

  test("a payment method of another customer is refused", async () => {
    const other = fake.addPaymentMethod(fake.addCustomer().id).id;
    const { status, body } = await api.post("payment_intents", {
      ...{ amount: 1099, currency: "eur", customer, payment_method: other },
    });
    expect([status, body.error.param]).toEqual([400, "payment_method"]);
  });

  test("a type of payment method that is not allowed is refused", async () => {
    const { id: payment_method } = fake.addPaymentMethod(customer, "pm_usBankAccount_success");
    const fields = { amount: 1099, currency: "usd", customer, payment_method };
    const { body } = await api.post("payment_intents", { ...fields, allowed_payment_method_types: ["card"] });
    expect(body.error.code).toBe("payment_intent_incompatible_payment_method");
  });
});
