/** The fake Stripe takes keys, forms, lists and repeated requests as Stripe documents it. */
import { beforeEach, describe, expect, test } from "vitest";
import { type FakeStripe, type Fault, newFakeStripe } from "../../support/fake-stripe.ts";
import { apiOf } from "../stripe/api.ts";

let fake: FakeStripe;
let api: ReturnType<typeof apiOf>;
beforeEach(() => {
  fake = newFakeStripe();
  api = apiOf(fake);
});

const amount = { amount: 1099, currency: "eur" };
const create = (key: string, fields: Record<string, unknown> = amount) =>
  api.post("payment_intents", fields, { key });

/** docs.stripe.com/api/idempotent_requests */
describe("an idempotency key", () => {
  test("repeats the first answer, and says so", async () => {
    const first = await create("k1");
    const again = await create("k1");
    expect(again.body).toEqual(first.body);
    expect(first.headers.get("Idempotent-Replayed")).toBeNull();
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.headers.get("Original-Request")).toBe(first.headers.get("Request-Id"));
    expect(fake.intents()).toHaveLength(1);
  });

  test("repeats an answer as it was, though the record is another by now", async () => {
    const { body } = await create("k1");
    await api.post(`payment_intents/${body.id}/cancel`);
    expect((await create("k1")).body.status).toBe("requires_payment_method");
  });

  test("is refused with other parameters, and at another endpoint", async () => {
    await create("k1");
    const other = await create("k1", { ...amount, amount: 1100 });
    expect([other.status, other.body.error.type]).toEqual([400, "idempotency_error"]);
    const elsewhere = await api.post("customers", amount, { key: "k1" });
    expect([elsewhere.status, elsewhere.body.error.type]).toEqual([400, "idempotency_error"]);
    expect(fake.intents()).toHaveLength(1);
  });

  test("takes parameters in another order as the same", async () => {
    await create("k1", { amount: 1099, currency: "eur" });
    expect((await create("k1", { currency: "eur", amount: 1099 })).status).toBe(200);
  });

  test("is forgotten after 24 hours", async () => {
    await create("k1");
    fake.advance(24 * 3_600_000 - 1);
    await create("k1");
    expect(fake.intents()).toHaveLength(1);
    fake.advance(1);
    await create("k1");
    expect(fake.intents()).toHaveLength(2);
  });

  test("keeps a 500 of the endpoint, whether it had done its work or not", async () => {
    for (const [effect, made] of [
      ["none", 0],
      ["done", 1],
    ] as const) {
      fake.fail({ kind: "http500", effect });
      for (let tries = 1; tries <= 3; tries += 1) {
        const { status, body } = await create(effect);
        expect([status, body.error.type]).toEqual([500, "api_error"]);
      }
      expect(fake.intents()).toHaveLength(made);
    }
  });

  test("keeps a decline", async () => {
    const customer = fake.addCustomer().id;
    const payment_method = fake.addPaymentMethod(customer, "pm_card_chargeCustomerFail").id;
    const fields = { ...amount, customer, payment_method, confirm: true, return_url: "https://shop.test/" };
    expect((await create("k1", fields)).status).toBe(402);
    const again = await create("k1", fields);
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([402, "true"]);
    expect(fake.intents()).toHaveLength(1);
  });

  test("keeps no refusal of parameters, so that it may be used with better ones", async () => {
    expect((await create("k1", { currency: "eur" })).status).toBe(400);
    expect((await create("k1")).status).toBe(200);
  });

  test("has no effect on what is read", async () => {
    await create("k1");
    await api.get("payment_intents", {}, { key: "k2" });
    await create("k3");
    expect((await api.get("payment_intents", {}, { key: "k2" })).body.data).toHaveLength(2);
  });

  test("of a request that is under way is a conflict", async () => {
    fake.fail({ kind: "timeout", effect: "late" });
    await expect(create("k1")).rejects.toThrow();
    const meanwhile = await create("k1");
    expect([meanwhile.status, meanwhile.body.error.code]).toEqual([409, "idempotency_key_in_use"]);
    fake.arriveLate();
    const after = await create("k1");
    expect([after.status, after.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
    expect(fake.intents()).toHaveLength(1);
  });
});

/** docs.stripe.com/error-low-level, docs.stripe.com/rate-limits */
describe("a request that fails", () => {
  test.each<[Fault, number | null, string | undefined, number]>([
    [{ kind: "network" }, null, undefined, 0],
    [{ kind: "network", effect: "done" }, null, undefined, 1],
    [{ kind: "timeout", effect: "done" }, null, undefined, 1],
    [{ kind: "http429" }, 429, "rate_limit", 0],
    [{ kind: "lock_timeout" }, 429, "lock_timeout", 0],
  ])(
    "as %j answers %s %s, having made %i, and its key may be sent again",
    async (fault, status, code, made) => {
      fake.fail(fault);
      const answer = create("k1");
      if (status === null) await expect(answer).rejects.toThrow();
      else expect(await answer).toMatchObject({ status, body: { error: { code } } });
      expect(fake.intents()).toHaveLength(made);
      expect((await create("k1")).status).toBe(200);
      expect(fake.intents()).toHaveLength(1);
    },
  );

  test("is one of the operation that a fault names", async () => {
    fake.fail({ kind: "network", on: "payment_intents.confirm", times: 2 });
    expect((await create("k1")).status).toBe(200);
    for (let tries = 1; tries <= 2; tries += 1)
      await expect(api.post("payment_intents/pi_1/confirm")).rejects.toThrow("Network connection lost");
    expect((await api.post("payment_intents/pi_1/confirm")).status).toBe(404);
    expect(fake.requests.map(({ operation, fault }) => [operation, fault])).toEqual([
      ["payment_intents.create", null],
      ["payment_intents.confirm", "network"],
      ["payment_intents.confirm", "network"],
      ["payment_intents.confirm", null],
    ]);
  });
});

/** docs.stripe.com/api/pagination */
describe("a list", () => {
  const made: string[] = [];
  beforeEach(async () => {
    made.length = 0;
    for (let count = 1; count <= 5; count += 1) {
      made.unshift((await create(`k${count}`)).body.id);
      fake.advance(60_000);
    }
  });
  const idsOf = async (fields: Record<string, unknown>) => {
    const { body } = await api.get("payment_intents", fields);
    return { ids: body.data.map(({ id }: { id: string }) => id), more: body.has_more };
  };

  test("has the newest first, by pages", async () => {
    expect(await idsOf({})).toEqual({ ids: made, more: false });
    expect(await idsOf({ limit: 2 })).toEqual({ ids: made.slice(0, 2), more: true });
    expect(await idsOf({ limit: 2, starting_after: made[1] })).toEqual({ ids: made.slice(2, 4), more: true });
    expect(await idsOf({ limit: 2, starting_after: made[3] })).toEqual({ ids: made.slice(4), more: false });
    expect(await idsOf({ limit: 2, ending_before: made[4] })).toEqual({ ids: made.slice(2, 4), more: true });
    expect(await idsOf({ limit: 2, ending_before: made[2] })).toEqual({ ids: made.slice(0, 2), more: false });
  });

  test("has what was made within bounds", async () => {
    const at = fake.intent(made[2]!).created;
    expect((await idsOf({ created: { gte: at } })).ids).toEqual(made.slice(0, 3));
    expect((await idsOf({ created: { gt: at } })).ids).toEqual(made.slice(0, 2));
    expect((await idsOf({ created: { lte: at, gt: at - 60 } })).ids).toEqual([made[2]]);
    expect((await idsOf({ created: at })).ids).toEqual([made[2]]);
  });

  test("goes on after a record that its filter leaves out", async () => {
    const { created } = fake.intent(made[1]!);
    expect((await idsOf({ created: { lt: created }, starting_after: made[0] })).ids).toEqual(made.slice(2));
  });

  test.each([{ limit: 0 }, { limit: 101 }, { starting_after: "pi_none" }, { created: { above: 1 } }])(
    "refuses %j",
    async (fields) => {
      expect((await api.get("payment_intents", fields)).status).toBe(400);
    },
  );

  test("has the intents of one customer", async () => {
    const customer = fake.addCustomer().id;
    const { body } = await create("of", { ...amount, customer });
    expect((await idsOf({ customer })).ids).toEqual([body.id]);
  });
});

/** docs.stripe.com/api/expanding_objects */
describe("expansion", () => {
  test("puts records in place of their ids, in lists too", async () => {
    const customer = fake.addCustomer({ email: "ada@example.com" }).id;
    const payment_method = fake.addPaymentMethod(customer).id;
    await create("k1", {
      ...amount,
      customer,
      payment_method,
      confirm: true,
      return_url: "https://shop.test/",
    });
    const { body } = await api.get("payment_intents", {
      expand: ["data.latest_charge", "data.customer", "data.payment_method"],
    });
    expect(body.data[0]).toMatchObject({
      latest_charge: { object: "charge", paid: true },
      customer: { email: "ada@example.com" },
      payment_method: { card: { last4: "4242" } },
    });
    expect(fake.intents()[0]?.customer).toBe(customer);
  });

  test("refuses a field that is not there", async () => {
    const { status } = await api.get("payment_intents", { expand: ["data.colour"] });
    expect(status).toBe(200);
    await create("k1");
    expect((await api.get("payment_intents", { expand: ["data.colour"] })).status).toBe(400);
  });
});

/** docs.stripe.com/keys, docs.stripe.com/api/authentication */
describe("a key", () => {
  test("that nobody has is refused, before anything is done", async () => {
    const { status, body } = await api.post("payment_intents", amount, { secretKey: "sk_test_nobody12" });
    expect([status, body.error.type]).toEqual([401, "invalid_request_error"]);
    expect(fake.intents()).toEqual([]);
  });

  test("without a permission is refused by name of the operation", async () => {
    fake.settings.secretKeys.push("rk_test_few");
    fake.settings.refusedPermissions.add("payment_intents.create");
    const few = { secretKey: "rk_test_few" };
    expect((await api.post("payment_intents", amount, few)).status).toBe(403);
    expect((await api.get("account", {}, few)).body.id).toBe("acct_1FakeFakeFakeFake");
    expect((await create("k1")).status).toBe(200);
  });

  test("for browsers reads an intent by its secret, and nothing else", async () => {
    const { body } = await create("k1");
    const browser = { secretKey: "pk_test_fake" };
    const secret = { client_secret: body.client_secret };
    expect((await api.get(`payment_intents/${body.id}`, secret, browser)).body.id).toBe(body.id);
    const wrong = { client_secret: `${body.id}_secret_wrong` };
    expect((await api.get(`payment_intents/${body.id}`, wrong, browser)).status).toBe(400);
    expect((await api.get(`payment_intents/${body.id}`, {}, browser)).status).toBe(403);
    expect((await api.get("payment_intents", secret, browser)).status).toBe(403);
  });

  test("and an unknown path are answered as Stripe does", async () => {
    expect((await api.get("colours")).status).toBe(404);
    expect((await api.get("payment_intents/pi_none")).body.error.code).toBe("resource_missing");
    expect((await api.get("account", {}, { version: "tomorrow" })).status).toBe(400);
  });
});
