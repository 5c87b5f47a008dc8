/** The fake Shopify keeps and revokes payment methods as Shopify documents it. */
import { expect, test } from "vitest";
import { readPaymentMethod } from "../../../src/stores/shopify/documents.ts";
import { outcomes } from "../../support/fake-shopify.ts";
import { openStore } from "../shopify/store.ts";

test("a payment method shows its customer", async () => {
  const { store, answer, customer, card } = openStore();
  expect((await answer(readPaymentMethod, { id: card })).customer).toMatchObject({ id: customer });
  expect(() => store.addPaymentMethod("gid://shopify/Customer/1")).toThrow("no customer");
});

test("one that is created sends a webhook, one that existed does not", async () => {
  const { store, answer, customer } = openStore();
  expect(await store.webhooks()).toEqual([]);
  const id = store.createPaymentMethod(customer);
  expect(await answer(readPaymentMethod, { id })).toMatchObject({ instrument: { lastDigits: "4242" } });
  const [told, ...others] = await store.webhooks();
  expect(others).toEqual([]);
  expect(told!.topic).toBe("customer_payment_methods/create");
  expect(JSON.parse(told!.body)).toEqual({
    admin_graphql_api_id: id,
    token: id.split("/").at(-1),
    customer_id: 6_100_000_000_001,
    admin_graphql_api_customer_id: customer,
    instrument_type: "CustomerCreditCard",
    payment_instrument: { last_digits: "4242", month: 12, year: 2034, brand: "visa" },
  });
});

test("its instrument is replaced under the same id, by a card or by another kind", async () => {
  const { store, answer, card, topics, contract, billed } = openStore();
  store.method(card).outcome = outcomes.payment("EXPIRED_CARD");
  store.replaceInstrument(card, { lastDigits: "1111", expiryYear: 2040 });
  expect((await answer(readPaymentMethod, { id: card })).instrument).toEqual({
    __typename: "CustomerCreditCard",
    brand: "visa",
    lastDigits: "1111",
    expiryMonth: 12,
    expiryYear: 2040,
  });
  const agreement = {
    __typename: "CustomerShopPayAgreement",
    lastDigits: "2222",
    expiryMonth: 1,
    expiryYear: 2031,
    inactive: true,
  };
  store.replaceInstrument(card, agreement);
  expect((await answer(readPaymentMethod, { id: card })).instrument).toEqual(agreement);
  const update = "customer_payment_methods/update";
  expect(await topics()).toEqual([update, update]);
  expect(await billed(await contract(), "k")).toMatchObject({ error: { paymentCode: "EXPIRED_CARD" } });
});

test("one that is revoked sends a webhook, and can no longer be charged", async () => {
  const { store, answer, card, topics, contract, billed } = openStore();
  const id = await contract();
  await topics();
  store.revokePaymentMethod(card);
  expect((await answer(readPaymentMethod, { id: card })).revokedAt).toBe("2026-11-21T09:00:00.000Z");
  expect(await topics()).toEqual(["customer_payment_methods/revoke"]);
  expect(await billed(id, "k")).toMatchObject({ error: { generalCode: "PAYMENT_METHOD_NOT_FOUND" } });
});
