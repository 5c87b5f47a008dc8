/** The fake Stripe sends and signs webhooks as Stripe documents it. */
import { beforeEach, describe, expect, test } from "vitest";
import { type FakeStripe, newFakeStripe, signatureOf } from "../../support/fake-stripe.ts";
import { apiOf } from "../stripe/api.ts";

let fake: FakeStripe;
let api: ReturnType<typeof apiOf>;
beforeEach(() => {
  fake = newFakeStripe();
  api = apiOf(fake);
});

const url = "https://shop.test/webhooks/stripe/1";

/** The events of the webhooks that Stripe sends now. */
async function eventsOf(requests: Request[]) {
  return Promise.all(
    requests.map(async (request) => (await request.json()) as { id: string; type: string; data: unknown }),
  );
}
const typesOf = async (requests: Request[]) => (await eventsOf(requests)).map(({ type }) => type);

/** Pays 10.00 euros by a test method, and returns the intent's id. */
async function pay(token: string): Promise<string> {
  const customer = fake.addCustomer().id;
  const payment_method = fake.addPaymentMethod(customer, token).id;
  const amount = { amount: 1000, currency: "eur" };
  const { body } = await api.post("payment_intents", { ...amount, customer, payment_method });
  await api.post(`payment_intents/${body.id}/confirm`, { return_url: "https://shop.test/" });
  return body.id;
}

/** docs.stripe.com/api/webhook_endpoints */
describe("a webhook endpoint", () => {
  test("shows its secret when it is made, and never again", async () => {
    const { body } = await api.post("webhook_endpoints", {
      url,
      enabled_events: ["payment_intent.succeeded"],
    });
    expect(body).toMatchObject({ object: "webhook_endpoint", url, status: "enabled" });
    expect(body.secret).toMatch(/^whsec_\w{32}$/);
    const { body: listed } = await api.get("webhook_endpoints");
    expect(listed.data).toHaveLength(1);
    expect(listed.data[0]).not.toHaveProperty("secret");
    const path = `webhook_endpoints/${body.id}`;
    expect((await api.post(path, { disabled: true, enabled_events: ["*"] })).body).toMatchObject({
      status: "disabled",
      enabled_events: ["*"],
    });
    expect((await api.delete(path)).body.deleted).toBe(true);
    expect((await api.get(path)).status).toBe(404);
  });

  test.each(["shop.test", "ftp://shop.test/", "http://localhost:8787/", "http://127.0.0.1:8787/"])(
    "is not made for %s",
    async (address) => {
      const { status, body } = await api.post("webhook_endpoints", { url: address, enabled_events: ["*"] });
      expect([status, body.error.code]).toEqual([400, "url_invalid"]);
    },
  );

  test("is one of sixteen at most", async () => {
    for (let count = 1; count <= 16; count += 1) fake.addEndpoint(`${url}/${count}`);
    expect((await api.post("webhook_endpoints", { url, enabled_events: ["*"] })).status).toBe(400);
  });
});

/** docs.stripe.com/webhooks */
describe("webhooks", () => {
  test("tell each endpoint the events that it listens to, with the record as it was", async () => {
    fake.addEndpoint(url, "payment_intent.succeeded", "charge.succeeded");
    const id = await pay("pm_card_visa");
    const [charge, intent, ...others] = await eventsOf(await fake.takeWebhooks());
    expect([charge?.type, intent?.type, others]).toEqual([
      "charge.succeeded",
      "payment_intent.succeeded",
      [],
    ]);
    expect(intent).toMatchObject({
      object: "event",
      api_version: "2026-10-28.endive",
      data: { object: { id, object: "payment_intent", status: "succeeded" } },
      request: { idempotency_key: null },
    });
    expect(await fake.takeWebhooks()).toEqual([]);
  });

  test.each([
    ["pm_card_visa", ["payment_intent.created", "charge.succeeded", "payment_intent.succeeded"]],
    [
      "pm_card_chargeCustomerFail",
      ["payment_intent.created", "charge.failed", "payment_intent.payment_failed"],
    ],
    ["pm_card_authenticationRequired", ["payment_intent.created", "payment_intent.requires_action"]],
    ["pm_usBankAccount_success", ["payment_intent.created", "charge.pending", "payment_intent.processing"]],
  ])("of a payment by %s are %j", async (token, types) => {
    await pay(token);
    fake.addEndpoint(url);
    expect(
      (await typesOf(await fake.takeWebhooks())).filter((type) => /^(charge|payment_intent)/.test(type)),
    ).toEqual(types);
  });

  test("come doubled and in another order", async () => {
    fake.addEndpoint(url, "charge.succeeded", "payment_intent.succeeded");
    await pay("pm_card_visa");
    const events = await eventsOf(await fake.takeWebhooks({ order: "reversed", times: 2 }));
    expect(events.map(({ type }) => type)).toEqual([
      "payment_intent.succeeded",
      "payment_intent.succeeded",
      "charge.succeeded",
      "charge.succeeded",
    ]);
    expect(events[0]?.id).toBe(events[1]?.id);
  });

  test("are not sent to an endpoint that is disabled", async () => {
    const { endpoint } = fake.addEndpoint(url);
    await api.post(`webhook_endpoints/${endpoint.id}`, { disabled: true });
    await pay("pm_card_visa");
    expect(await fake.takeWebhooks()).toEqual([]);
  });

  test("tell of refunds and disputes", async () => {
    const [one, other] = [await pay("pm_card_visa"), await pay("pm_card_visa")];
    await fake.takeWebhooks();
    fake.addEndpoint(url);
    fake.settings.refundsPend = true;
    fake.settleRefund(fake.refundAtStripe(one, 300).id, "failed");
    const { id } = fake.dispute(other);
    fake.closeDispute(id, "won");
    expect(await typesOf(await fake.takeWebhooks())).toEqual([
      "refund.created",
      "charge.refunded",
      "refund.updated",
      "charge.refund.updated",
      "refund.failed",
      "charge.dispute.created",
      "charge.dispute.funds_withdrawn",
      "charge.dispute.closed",
      "charge.dispute.funds_reinstated",
    ]);
  });

  /** docs.stripe.com/api/events/types, `payment_method.automatically_updated` */
  test("tell of a card that its bank has replaced", async () => {
    const method = fake.addPaymentMethod(fake.addCustomer().id);
    await fake.takeWebhooks();
    fake.addEndpoint(url);
    fake.updateCard(method.id, { exp_year: 2040, last4: "1111" });
    const [event] = await eventsOf(await fake.takeWebhooks());
    expect(event).toMatchObject({
      type: "payment_method.automatically_updated",
      data: {
        object: { id: method.id, card: { exp_year: 2040, last4: "1111" } },
        previous_attributes: { card: { exp_year: 2034, last4: "4242" } },
      },
    });
  });

  test("tell of a payment method that the merchant has removed", async () => {
    const customer = fake.addCustomer().id;
    const { id } = fake.addPaymentMethod(customer);
    await fake.takeWebhooks();
    fake.addEndpoint(url);
    fake.detachAtStripe(id);
    const [event] = await eventsOf(await fake.takeWebhooks());
    expect(event).toMatchObject({
      type: "payment_method.detached",
      data: { object: { id, customer: null }, previous_attributes: { customer } },
    });
  });

  test("tell nothing of a card that is over, which declines from then on", async () => {
    const customer = fake.addCustomer().id;
    const { id: payment_method } = fake.addPaymentMethod(customer);
    await fake.takeWebhooks();
    fake.addEndpoint(url);
    fake.expireCard(payment_method);
    expect(await fake.takeWebhooks()).toEqual([]);
    const paid = { amount: 1000, currency: "eur", customer, payment_method, confirm: true };
    const { body } = await api.post("payment_intents", { ...paid, return_url: "https://shop.test/" });
    expect(body.error.code).toBe("expired_card");
  });
});

/** docs.stripe.com/webhooks, "Verify webhook signatures manually" */
describe("a signature", () => {
  const partsOf = (request: Request) =>
    (request.headers.get("Stripe-Signature") ?? "")
      .split(",")
      .map((part) => part.split("=") as [string, string]);

  /** As Stripe's library for Node makes it (generateTestHeaderString, version 23.1.0). */
  test("is the one of Stripe's library", async () => {
    expect(await signatureOf("whsec_test", 1_700_000_000, '{"id":"evt_1"}')).toBe(
      "c89214b5b5da833daed6f0b8c5bb6bd58cea9022bd80ccc78230f3942d632925",
    );
  });

  test("is of the time of the delivery and of the body, besides one of test mode", async () => {
    const { secret } = fake.addEndpoint(url, "payment_intent.succeeded");
    await pay("pm_card_visa");
    fake.advance(3 * 24 * 3_600_000);
    const [request] = await fake.takeWebhooks();
    const parts = partsOf(request!);
    const now = Date.parse("2026-11-24T09:00:00.000Z") / 1000;
    expect(parts.map(([scheme]) => scheme)).toEqual(["t", "v1", "v0"]);
    expect(parts[0]?.[1]).toBe(String(now));
    expect(parts[1]?.[1]).toBe(await signatureOf(secret, now, await request!.clone().text()));
  });

  test("is made by the old secret too, until that expires", async () => {
    const { endpoint, secret } = fake.addEndpoint(url);
    const rolled = fake.rollSecret(endpoint.id, 3_600_000);
    const send = () => fake.webhookOf(endpoint.id, "charge.succeeded", { id: "ch_1" });
    const signed = async (request: Request) => partsOf(request).filter(([scheme]) => scheme === "v1");
    const request = await send();
    const [, at = ""] = partsOf(request)[0]!;
    const body = await request.clone().text();
    expect(await signed(request)).toEqual([
      ["v1", await signatureOf(rolled, Number(at), body)],
      ["v1", await signatureOf(secret, Number(at), body)],
    ]);
    fake.advance(3_600_000);
    expect(await signed(await send())).toHaveLength(1);
  });

  test("may be an old one, as of a request that somebody repeats", async () => {
    const { endpoint } = fake.addEndpoint(url);
    const request = await fake.webhookOf(endpoint.id, "charge.succeeded", { id: "ch_1" }, 1_700_000_000);
    expect(partsOf(request)[0]).toEqual(["t", "1700000000"]);
  });
});
