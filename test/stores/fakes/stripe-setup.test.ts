/** The fake Stripe sets up payment methods as Stripe documents it. */
import { beforeEach, describe, expect, test } from "vitest";
import { type FakeStripe, newFakeStripe } from "../../support/fake-stripe.ts";
import { apiOf } from "../stripe/api.ts";

let fake: FakeStripe;
let api: ReturnType<typeof apiOf>;
let customer: string;
beforeEach(() => {
  fake = newFakeStripe();
  api = apiOf(fake);
  customer = fake.addCustomer().id;
});

const methods = async () => (await api.get(`customers/${customer}/payment_methods`)).body.data;

/** docs.stripe.com/payments/setup-intents, docs.stripe.com/api/setup_intents */
describe("a setup intent", () => {
  let setup: { id: string; client_secret: string };
  beforeEach(async () => {
    setup = (await api.post("setup_intents", { customer })).body;
  });
  /** As Stripe.js asks for it, with the publishable key. */
  const confirm = (payment_method: string) =>
    api.post(
      `setup_intents/${setup.id}/confirm`,
      { client_secret: setup.client_secret, payment_method },
      { secretKey: "pk_test_fake" },
    );
  const status = async () => (await api.get(`setup_intents/${setup.id}`)).body.status;

  test("makes the payment method one of the customer's, and charges nothing", async () => {
    expect(setup).toMatchObject({ status: "requires_payment_method", usage: "off_session" });
    expect((await confirm("pm_card_visa")).body.status).toBe("succeeded");
    expect(await methods()).toMatchObject([{ customer, card: { last4: "4242" } }]);
    expect(fake.charges()).toEqual([]);
  });

  test("needs the secret of a browser", async () => {
    const wrong = { client_secret: `${setup.id}_secret_wrong`, payment_method: "pm_card_visa" };
    const path = `setup_intents/${setup.id}/confirm`;
    expect((await api.post(path, wrong, { secretKey: "pk_test_fake" })).status).toBe(400);
    expect(await status()).toBe("requires_payment_method");
  });

  test("waits for the customer's authentication, and ends as they answer", async () => {
    expect((await confirm("pm_card_authenticationRequiredOnSetup")).body).toMatchObject({
      status: "requires_action",
      next_action: { type: "use_stripe_sdk" },
    });
    expect(await methods()).toEqual([]);
    fake.failAuthentication(setup.id);
    expect(await status()).toBe("requires_payment_method");
    await confirm("pm_card_authenticationRequiredOnSetup");
    fake.confirmAs(setup.id);
    expect(await status()).toBe("succeeded");
    expect(await methods()).toHaveLength(1);
  });

  test("is declined with the bank's code, and may be tried again", async () => {
    const { status: answered, body } = await confirm("pm_card_visa_chargeDeclinedLostCard");
    expect([answered, body.error.decline_code, body.error.setup_intent.status]).toEqual([
      402,
      "lost_card",
      "requires_payment_method",
    ]);
    expect((await confirm("pm_card_visa")).body.status).toBe("succeeded");
    expect((await confirm("pm_card_visa")).body.error.code).toBe("setup_intent_unexpected_state");
  });

  test("gives a debit a mandate, so that it can be charged", async () => {
    expect((await confirm("pm_sepaDebit_success")).body.mandate).toMatch(/^mandate_/);
    const [{ id: payment_method }] = await methods();
    const redirects = { automatic_payment_methods: { enabled: true, allow_redirects: "never" } };
    const fields = {
      amount: 1099,
      currency: "eur",
      customer,
      payment_method,
      confirm: true,
      off_session: true,
    };
    expect((await api.post("payment_intents", { ...fields, ...redirects })).body.status).toBe("processing");
  });

  test("is cancelled until it has succeeded", async () => {
    expect((await api.post(`setup_intents/${setup.id}/cancel`)).body.status).toBe("canceled");
    expect((await api.post(`setup_intents/${setup.id}/cancel`)).status).toBe(400);
    expect((await confirm("pm_card_visa")).status).toBe(400);
  });
});

/** docs.stripe.com/payments/save-and-reuse, docs.stripe.com/api/checkout/sessions */
describe("a Checkout session in mode setup", () => {
  const fields = {
    mode: "setup",
    currency: "eur",
    success_url: "https://shop.test/done?session={CHECKOUT_SESSION_ID}",
    cancel_url: "https://shop.test/back",
  };
  let session: { id: string; url: string; setup_intent: string };
  beforeEach(async () => {
    session = (await api.post("checkout/sessions", { ...fields, customer })).body;
  });
  const open = (url: string) => fake.fetch(new Request(url));
  const send = (url: string, form: Record<string, string>) =>
    fake.fetch(new Request(url, { method: "POST", body: new URLSearchParams(form) }));
  const read = async () =>
    (await api.get(`checkout/sessions/${session.id}`, { expand: ["setup_intent"] })).body;

  test("has a page on which the customer chooses a card, and leads back to the shop", async () => {
    expect(await (await open(session.url)).text()).toContain("pm_card_visa");
    const answer = await send(session.url, { payment_method: "pm_card_visa" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      303,
      `https://shop.test/done?session=${session.id}`,
    ]);
    expect(await read()).toMatchObject({
      status: "complete",
      url: null,
      setup_intent: { status: "succeeded", customer },
    });
    expect(await methods()).toHaveLength(1);
    expect((await open(session.url)).status).toBe(404);
  });

  test("shows a decline, and takes another card", async () => {
    const declined = await send(session.url, { payment_method: "pm_card_visa_chargeDeclined" });
    expect(await declined.text()).toContain('<p role="alert">Your card was declined.</p>');
    expect((await read()).status).toBe("open");
    expect((await send(session.url, { payment_method: "pm_card_visa" })).status).toBe(303);
  });

  test("leads over the bank's page where the customer has to authenticate", async () => {
    const answer = await send(session.url, { payment_method: "pm_card_authenticationRequired" });
    const bank = answer.headers.get("Location") ?? "";
    expect(await (await open(bank)).text()).toContain("Complete authentication");
    const failed = await send(bank, { outcome: "fail" });
    expect((await open(failed.headers.get("Location") ?? "")).status).toBe(200);
    expect((await read()).status).toBe("open");
    await send(session.url, { payment_method: "pm_card_authenticationRequired" });
    const completed = await send(bank, { outcome: "complete" });
    const back = await open(completed.headers.get("Location") ?? "");
    expect(back.headers.get("Location")).toBe(`https://shop.test/done?session=${session.id}`);
    expect((await read()).status).toBe("complete");
  });

  test("is over after a day, or when it is expired", async () => {
    fake.advance(24 * 3_600_000);
    expect((await open(session.url)).status).toBe(404);
    expect(await read()).toMatchObject({ status: "expired", setup_intent: { status: "canceled" } });
    const { body } = await api.post("checkout/sessions", { ...fields, customer });
    expect((await api.post(`checkout/sessions/${body.id}/expire`)).body.status).toBe("expired");
    expect((await api.post(`checkout/sessions/${body.id}/expire`)).status).toBe(400);
  });

  test.each([
    { ...fields, currency: undefined },
    { ...fields, payment_method_types: ["card"] },
    { ...fields, success_url: undefined },
  ])("is refused for %j", async (wrong) => {
    expect((await api.post("checkout/sessions", wrong)).status).toBe(400);
  });
});

/** docs.stripe.com/payments/3d-secure/authentication-flow */
test("a payment that waits with a return_url leads over the bank's page", async () => {
  const { id: payment_method } = fake.addPaymentMethod(customer, "pm_card_authenticationRequired");
  const { body } = await api.post("payment_intents", {
    ...{ amount: 1099, currency: "eur", customer, payment_method, confirm: true },
    return_url: "https://shop.test/paid",
  });
  const { url } = body.next_action.redirect_to_url;
  const form = new URLSearchParams({ outcome: "complete" });
  const answer = await fake.fetch(new Request(url, { method: "POST", body: form }));
  const location = new URL(answer.headers.get("Location") ?? "");
  expect(Object.fromEntries(location.searchParams)).toEqual({
    payment_intent: body.id,
    payment_intent_client_secret: body.client_secret,
    redirect_status: "succeeded",
  });
  expect(fake.charges()).toHaveLength(1);
});
