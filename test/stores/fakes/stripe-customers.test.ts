/** The fake Stripe keeps customers and payment methods as Stripe documents it. */
import { beforeEach, describe, expect, test } from "vitest";
import { type FakeStripe, newFakeStripe } from "../../support/fake-stripe.ts";
import { apiOf } from "../stripe/api.ts";

let fake: FakeStripe;
let api: ReturnType<typeof apiOf>;
beforeEach(() => {
  fake = newFakeStripe();
  api = apiOf(fake);
});

/** docs.stripe.com/api/customers */
describe("a customer", () => {
  test("is made, found by its address as it is written, changed and deleted", async () => {
    const { body: ada } = await api.post("customers", {
      email: "Ada@example.com",
      metadata: { profile: "p1" },
    });
    await api.post("customers", { email: "bob@example.com" });
    const found = async (email: string) => (await api.get("customers", { email })).body.data.length;
    expect([await found("Ada@example.com"), await found("ada@example.com")]).toEqual([1, 0]);
    await api.post(`customers/${ada.id}`, { name: "Ada", metadata: { profile: "", seen: "1" } });
    expect((await api.get(`customers/${ada.id}`)).body).toMatchObject({
      name: "Ada",
      metadata: { seen: "1" },
    });
    await api.delete(`customers/${ada.id}`);
    expect((await api.get(`customers/${ada.id}`)).body).toMatchObject({ id: ada.id, deleted: true });
    expect(await found("Ada@example.com")).toBe(0);
  });

  test("that is deleted loses its payment methods", async () => {
    const { id } = fake.addCustomer();
    const method = fake.addPaymentMethod(id);
    await api.delete(`customers/${id}`);
    expect((await api.get(`payment_methods/${method.id}`)).body.customer).toBeNull();
  });
});

/** docs.stripe.com/api/payment_methods, docs.stripe.com/testing */
describe("a payment method", () => {
  let customer: string;
  beforeEach(() => {
    customer = fake.addCustomer().id;
  });
  const attach = (id: string, to = customer) => api.post(`payment_methods/${id}/attach`, { customer: to });

  test("of a test token is a new one each time", async () => {
    const [one, other] = [await attach("pm_card_visa"), await attach("pm_card_visa")];
    expect(one.body.id).not.toBe(other.body.id);
    expect(one.body).toMatchObject({ customer, card: { brand: "visa", last4: "4242" } });
    expect((await api.get(`customers/${customer}/payment_methods`)).body.data).toHaveLength(2);
  });

  test.each([
    ["pm_card_visa_chargeDeclined", 402, "card_declined"],
    ["pm_card_chargeDeclinedExpiredCard", 402, "expired_card"],
    ["pm_card_chargeCustomerFail", 200, undefined],
    ["pm_card_authenticationRequired", 200, undefined],
  ])("%s is attached with %i %s", async (token, status, code) => {
    const { status: answered, body } = await attach(token);
    expect([answered, body.error?.code]).toEqual([status, code]);
  });

  test("of a customer is not attached to another one; to the same one it stays", async () => {
    const { body } = await attach("pm_card_visa");
    expect((await attach(body.id)).status).toBe(200);
    expect((await attach(body.id, fake.addCustomer().id)).status).toBe(400);
    expect((await attach("pm_card_visa", "cus_nobody")).body.error.code).toBe("resource_missing");
  });

  test("that was detached is used no more", async () => {
    const { body } = await attach("pm_card_visa");
    expect((await api.post(`payment_methods/${body.id}/detach`)).body.customer).toBeNull();
    expect((await api.post(`payment_methods/${body.id}/detach`)).status).toBe(400);
    expect((await attach(body.id)).status).toBe(400);
    const fields = { amount: 1099, currency: "eur", payment_method: body.id };
    expect((await api.post("payment_intents", fields)).body.error.param).toBe("payment_method");
  });
});
