/** The fake Stripe refunds and disputes payments as Stripe documents it. */
import { beforeEach, describe, expect, test } from "vitest";
import { type FakeStripe, newFakeStripe } from "../../support/fake-stripe.ts";
import { apiOf } from "../stripe/api.ts";

let fake: FakeStripe;
let api: ReturnType<typeof apiOf>;
let intent: string;
let charge: string;
beforeEach(async () => {
  fake = newFakeStripe();
  api = apiOf(fake);
  [intent, charge] = await pay("pm_card_visa");
});

/** A payment of 10.00 euros; returns the ids of its intent and charge. */
async function pay(token: string): Promise<[string, string]> {
  const customer = fake.addCustomer().id;
  const { body } = await api.post("payment_intents", {
    ...{ amount: 1000, currency: "eur", customer, payment_method: fake.addPaymentMethod(customer, token).id },
    ...{ confirm: true, return_url: "https://shop.test/" },
  });
  return [body.id, body.latest_charge];
}

const refund = (fields: Record<string, unknown> = {}, key?: string) =>
  api.post("refunds", { payment_intent: intent, ...fields }, key === undefined ? {} : { key });
const refunded = async () => (await api.get(`charges/${charge}`)).body;

/** docs.stripe.com/api/refunds, docs.stripe.com/refunds */
describe("a refund", () => {
  test("pays a part back, or all that is left, and no more", async () => {
    expect((await refund({ amount: 300, metadata: { key: "r1" } })).body).toMatchObject({
      ...{ object: "refund", amount: 300, charge, payment_intent: intent, status: "succeeded" },
      metadata: { key: "r1" },
    });
    const over = await refund({ amount: 701 });
    expect([over.status, over.body.error.param, over.body.error.code]).toEqual([400, "amount", undefined]);
    expect((await refund()).body.amount).toBe(700);
    expect(await refunded()).toMatchObject({ amount_refunded: 1000, refunded: true });
    expect((await refund({ amount: 1 })).body.error.code).toBe("charge_already_refunded");
  });

  test("is made once for a key", async () => {
    const [one, other] = [await refund({ amount: 300 }, "r1"), await refund({ amount: 300 }, "r1")];
    expect(other.body.id).toBe(one.body.id);
    expect((await api.get("refunds", { payment_intent: intent })).body.data).toHaveLength(1);
  });

  test("in the Dashboard is listed among the others, the newest first", async () => {
    await refund({ amount: 300 });
    const { id } = fake.refundAtStripe(intent, 200);
    const [other] = await pay("pm_card_visa");
    fake.refundAtStripe(other);
    const { body } = await api.get("refunds", { payment_intent: intent });
    expect(body.data.map(({ amount }: { amount: number }) => amount)).toEqual([200, 300]);
    expect((await api.get(`refunds/${id}`)).body.amount).toBe(200);
  });

  test("that waits is settled later, and leaves the charge as it was if it fails", async () => {
    fake.settings.refundsPend = true;
    const { body } = await refund({ amount: 300 });
    expect([body.status, (await refunded()).amount_refunded]).toEqual(["pending", 300]);
    fake.settleRefund(body.id, "failed");
    expect((await api.get(`refunds/${body.id}`)).body).toMatchObject({
      status: "failed",
      failure_reason: "expired_or_canceled_card",
    });
    expect(await refunded()).toMatchObject({ amount_refunded: 0, refunded: false });
    const { body: again } = await refund({ amount: 300 });
    fake.settleRefund(again.id);
    expect((await api.get(`refunds/${again.id}`)).body.status).toBe("succeeded");
  });

  test.each([
    [{ amount: 0 }, "parameter_invalid_integer"],
    [{ amount: "3.00" }, "parameter_invalid_integer"],
    [{ reason: "because" }, "parameter_invalid_string"],
    [{ payment_intent: "pi_none" }, "resource_missing"],
  ])("%j is refused with %s", async (fields, code) => {
    const { status, body } = await refund(fields);
    expect([status, body.error.code]).toEqual([400, code]);
  });

  test("of a payment that was not made is refused", async () => {
    const [declined] = await pay("pm_card_chargeCustomerFail");
    expect((await api.post("refunds", { payment_intent: declined })).status).toBe(400);
  });
});

/** docs.stripe.com/disputes/how-disputes-work, docs.stripe.com/api/disputes */
describe("a dispute", () => {
  test("takes the money back, so that the charge cannot be refunded", async () => {
    const { id } = fake.dispute(intent, { reason: "product_not_received" });
    expect((await api.get(`disputes/${id}`)).body).toMatchObject({
      ...{ status: "needs_response", reason: "product_not_received", charge, payment_intent: intent },
    });
    expect((await refunded()).disputed).toBe(true);
    expect((await refund()).body.error.code).toBe("charge_disputed");
    fake.changeDispute(id, "under_review");
    fake.closeDispute(id, "won");
    expect((await api.get("disputes", { payment_intent: intent })).body.data).toMatchObject([
      { status: "won" },
    ]);
  });

  test("that is an inquiry takes no money yet", async () => {
    const { id } = fake.dispute(intent, { isInquiry: true });
    expect((await api.get(`disputes/${id}`)).body.status).toBe("warning_needs_response");
    expect((await refund()).status).toBe(200);
  });

  /** docs.stripe.com/testing#disputes */
  test("follows the payment of a test card at once", async () => {
    const [disputed] = await pay("pm_card_createDispute");
    const { body } = await api.get("disputes", { payment_intent: disputed });
    expect(body.data).toMatchObject([{ reason: "fraudulent", status: "needs_response" }]);
  });
});
