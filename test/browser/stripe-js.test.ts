/** The stand-in for Stripe.js behaves as Stripe's script does for cards and authentication. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ServedStripe, serveFakeStripe } from "../../scripts/stripe-fake/serve.ts";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { leave, newPage } from "./visitor.ts";

let stripe: ServedStripe;
let shop: Server;
let shopOrigin: string;
let page: Page;
let customer: string;
beforeAll(async () => {
  stripe = await serveFakeStripe();
  shop = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.setHeader(
      "Content-Security-Policy",
      `default-src 'none'; script-src ${stripe.address}; connect-src ${stripe.address}`,
    );
    response.end(
      `<!doctype html><title>A shop</title><main></main><script src="${stripe.address}/v3/"></script>`,
    );
  }).listen(0, "localhost");
  await once(shop, "listening");
  shopOrigin = `http://localhost:${(shop.address() as AddressInfo).port}`;
});
afterAll(async () => {
  shop.close();
  await stripe.close();
});
beforeEach(async () => {
  customer = stripe.fake.addCustomer().id;
  page = await newPage();
  await page.goto(shopOrigin);
});

afterEach(() => leave(page));

async function post(path: string, form: Record<string, string>) {
  const answer = await fetch(`${stripe.address}/v1/${path}`, {
    method: "POST",
    headers: { Authorization: "Bearer sk_test_fake" },
    body: new URLSearchParams(form),
  });
  return (await answer.json()) as { id: string; client_secret: string };
}

/** Starts a call of Stripe.js in the page; `result` is its answer, once it has one. */
async function start(
  call: string,
): Promise<{ result: () => Promise<Record<string, { code?: string; status?: string }>> }> {
  await page.evaluate(`window.answer = (async () => {
    const stripe = Stripe("${stripe.fake.settings.publishableKey}");
    return ${call};
  })(); undefined`);
  return { result: () => page.evaluate("window.answer") as never };
}

const answerBank = async (label: string) => {
  await page.waitForSelector(`::-p-aria([name="${label}"][role="button"])`);
  await page.click(`::-p-aria([name="${label}"][role="button"])`);
};

/** A page of a shop that has the script alone, under a policy that names its origin alone. */
describe("the script in the place of Stripe.js", () => {
  /** Mounts the form, chooses a card, and confirms the setup. */
  async function setUp(token: string, { redirect = "if_required" } = {}) {
    const setup = await post("setup_intents", { customer });
    const { result } = await start(`(async () => {
      const elements = stripe.elements({ clientSecret: "${setup.client_secret}" });
      elements.create("payment").mount("main");
      document.querySelector("select").value = "${token}";
      await elements.submit();
      const confirmParams = { return_url: "${shopOrigin}/back" };
      return stripe.confirmSetup({ elements, confirmParams, redirect: "${redirect}" });
    })()`);
    return { setup, result };
  }

  test("sets up the card that was chosen", async () => {
    const { setup, result } = await setUp("pm_card_visa");
    expect((await result()).setupIntent).toMatchObject({ id: setup.id, status: "succeeded" });
    const { customer: of } = [...stripe.fake.events]
      .reverse()
      .find(({ type }) => type === "payment_method.attached")!.data.object as { customer: string };
    expect(of).toBe(customer);
  });

  test("shows the error of a card that is declined", async () => {
    const { result } = await setUp("pm_card_visa_chargeDeclined");
    expect((await result()).error?.code).toBe("card_declined");
  });

  test.each([
    ["Complete authentication", { setupIntent: { status: "succeeded" } }],
    ["Fail authentication", { error: { code: "setup_intent_authentication_failure" } }],
  ])("asks the customer to authenticate, and answers as they do: %s", async (label, answer) => {
    const { result } = await setUp("pm_card_authenticationRequired");
    await answerBank(label);
    expect(await result()).toMatchObject(answer);
  });

  test("leads to the return_url, unless a redirect is asked for only where one is required", async () => {
    const arrived = page.waitForNavigation();
    const { setup } = await setUp("pm_card_visa", { redirect: "always" });
    await arrived;
    expect(new URL(page.url()).searchParams.get("setup_intent")).toBe(setup.id);
  });

  test("pays what an off-session payment has asked the customer for", async () => {
    const { id: payment_method } = stripe.fake.addPaymentMethod(customer, "pm_card_authenticationRequired");
    const { id, client_secret } = await post("payment_intents", {
      ...{ amount: "1099", currency: "eur", customer, payment_method },
    });
    await post(`payment_intents/${id}/confirm`, { off_session: "true", return_url: shopOrigin });
    expect(stripe.fake.intent(id).status).toBe("requires_payment_method");
    const { result } = await start(
      `stripe.confirmCardPayment("${client_secret}", { payment_method: "${payment_method}" })`,
    );
    await answerBank("Complete authentication");
    expect((await result()).paymentIntent).toMatchObject({ id, status: "succeeded" });
    expect(stripe.fake.charges().filter(({ payment_intent }) => payment_intent === id)).toHaveLength(1);
  });

  test("goes on with a payment that waits", async () => {
    const { id: payment_method } = stripe.fake.addPaymentMethod(customer, "pm_card_authenticationRequired");
    const { id, client_secret } = await post("payment_intents", {
      ...{ amount: "1099", currency: "eur", customer, payment_method, confirm: "true" },
      ...{
        "automatic_payment_methods[enabled]": "true",
        "automatic_payment_methods[allow_redirects]": "never",
      },
    });
    const { result } = await start(`stripe.handleNextAction({ clientSecret: "${client_secret}" })`);
    await answerBank("Complete authentication");
    expect((await result()).paymentIntent).toMatchObject({ id, status: "succeeded" });
  });
});
