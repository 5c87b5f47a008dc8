/** The fake Shopify answers its other reads as Shopify documents it. */
import { describe, expect, test } from "vitest";
import { readPaymentMethod, readShop } from "../../../src/stores/shopify/documents.ts";
import { openStore, shop } from "../shopify/store.ts";

describe("other reads", () => {
  test("a shop", async () => {
    const { ask } = openStore();
    expect((await ask(readShop)).data.shop).toEqual({
      myshopifyDomain: shop,
      currencyCode: "EUR",
      ianaTimezone: "Europe/Berlin",
    });
  });

  test("payment methods of every kind, revoked ones too", async () => {
    const { store, ask, customer, card } = openStore();
    const read = async (id: string) => (await ask(readPaymentMethod, { id })).data.customerPaymentMethod;
    expect(await read(card)).toMatchObject({
      id: card,
      revokedAt: null,
      instrument: { __typename: "CustomerCreditCard", brand: "visa", lastDigits: "4242" },
    });
    const instrument = {
      __typename: "CustomerPaypalBillingAgreement",
      paypalAccountEmail: "a@b.test",
      inactive: false,
    };
    const revokedAt = "2026-01-01T00:00:00Z";
    const revoked = store.addPaymentMethod(customer, { instrument, revokedAt });
    expect(await read(revoked)).toMatchObject({
      id: revoked,
      revokedAt,
      customer: { id: customer },
      instrument,
    });
    expect(await read("gid://shopify/CustomerPaymentMethod/0")).toBeNull();
  });

  test("an id of another kind, or none at all, is an error", async () => {
    const { ask, customer } = openStore();
    const codeOf = async (id: string) => (await ask(readPaymentMethod, { id })).errors[0].extensions.code;
    expect(await codeOf(customer)).toBe("RESOURCE_NOT_FOUND");
    expect(await codeOf("card")).toBe("INVALID_VARIABLE");
  });
});
