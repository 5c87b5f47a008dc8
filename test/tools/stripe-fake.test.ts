/** The served fake of Stripe answers the API on this machine, keeps its state, and delivers webhooks here alone. */
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ServedStripe, serveFakeStripe } from "../../scripts/stripe-fake/serve.ts";

let stripe: ServedStripe;
beforeEach(async () => {
  stripe = await serveFakeStripe();
});
afterEach(() => stripe.close());

const post = (path: string, form: Record<string, string>) =>
  fetch(stripe.address + path, {
    method: "POST",
    headers: { Authorization: "Bearer sk_test_fake" },
    body: new URLSearchParams(form),
  });

test("a served account answers the API, and shows its pages and its script at its own address", async () => {
  const answer = await post("/v1/checkout/sessions", {
    ...{ mode: "setup", currency: "eur", success_url: "https://shop.test/done" },
  });
  const { url } = (await answer.json()) as { url: string };
  expect([answer.status, answer.headers.get("Request-Id")]).toEqual([200, expect.stringMatching(/^req_/)]);
  expect(url.startsWith(stripe.address)).toBe(true);
  expect(await (await fetch(url)).text()).toContain("Save a payment method");
  const script = await (await fetch(`${stripe.address}/v3/`)).text();
  expect(() => new Function(script)).not.toThrow();
});

test("with a file, an account goes on where it was, whenever the process before has ended", async () => {
  const file = `${mkdtempSync(`${tmpdir()}/stripe-fake-`)}/below/account`;
  const first = await serveFakeStripe({ file });
  const ask = async (address: string, path: string, form?: Record<string, string>, key?: string) => {
    const response = await fetch(address + path, {
      method: form ? "POST" : "GET",
      headers: { Authorization: "Bearer sk_test_fake", ...(key ? { "Idempotency-Key": key } : {}) },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    return (await response.json()) as { id: string; customer: string; status: string };
  };
  const customer = await ask(first.address, "/v1/customers", { email: "ada@example.com" }, "once");
  const card = await ask(first.address, "/v1/payment_methods/pm_card_visa/attach", { customer: customer.id });
  await first.close();
  const second = await serveFakeStripe({ file });
  expect(await ask(second.address, `/v1/payment_methods/${card.id}`)).toMatchObject({
    customer: customer.id,
  });
  expect(await ask(second.address, "/v1/customers", { email: "ada@example.com" }, "once")).toEqual(customer);
  const paid = await ask(second.address, "/v1/payment_intents", {
    ...{ amount: "500", currency: "eur", customer: customer.id, payment_method: card.id, confirm: "true" },
    return_url: "https://shop.test/done",
  });
  expect(paid.status).toBe("succeeded");
  await second.close();
});

test("a fault that loses the answer ends the connection", async () => {
  stripe.fake.fail({ kind: "network", effect: "done" });
  await expect(post("/v1/customers", { email: "ada@example.com" })).rejects.toThrow();
  expect(stripe.fake.requests.map(({ operation }) => operation)).toEqual(["customers.create"]);
});

test("webhooks are delivered on this machine, once more if they are refused, and nowhere else", async () => {
  const received: { type: string; signature: unknown }[] = [];
  const receiver = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ type: JSON.parse(body).type, signature: request.headers["stripe-signature"] });
    response.writeHead(received.length === 1 ? 500 : 200).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const sent = vi.spyOn(globalThis, "fetch");
  try {
    stripe.fake.addEndpoint("https://shop.test/hooks");
    stripe.fake.addEndpoint(`http://127.0.0.1:${portOf(receiver)}/`, "customer.created");
    await post("/v1/customers", { email: "ada@example.com" });
    await expect.poll(() => received.length, { timeout: 60_000 }).toBe(2);
    expect(received[1]).toEqual({
      type: "customer.created",
      signature: expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64},v0=/),
    });
    const hosts = sent.mock.calls.map(([to]) => new URL(to instanceof Request ? to.url : to).hostname);
    expect(new Set(hosts)).toEqual(new Set(["127.0.0.1"]));
  } finally {
    sent.mockRestore();
    receiver.close();
  }
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
