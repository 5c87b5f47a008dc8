/** No customer is moved in with the card of another, or with one that is expired or revoked. */
import { expect, test } from "vitest";
import { useShop } from "../../stores/shopify/shop.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { moveIn, outcomesOf, rowOf } from "./imports.ts";

const shop = useShop();

function addCustomer(email: string): { customer: string; card: string } {
  const customer = shop.store.addCustomer({ email });
  return { customer, card: shop.store.addPaymentMethod(customer) };
}

function customerRow(ref: string, more: object) {
  return rowOf(shop.merchant, ref, { selling_plan_id: shop.plan, ...more });
}

test("no customer is moved in with the card of another, whom it would charge", async () => {
  const [ada, bob] = [addCustomer("ada@customers.test"), addCustomer("bob@customers.test")];
  const bobs = { store_payment_method_id: plain(bob.card) };
  const rows = [
    customerRow("own-by-id", { store_customer_id: plain(bob.customer), ...bobs }),
    customerRow("other-by-id", { store_customer_id: plain(ada.customer), ...bobs }),
    customerRow("own-by-address", { email: "bob@customers.test", ...bobs }),
    customerRow("other-by-address", { email: "ada@customers.test", ...bobs }),
  ];
  const { id } = await moveIn(shop.merchant, shop.worker, rows);
  const refused = ["FAILED", "store_payment_method_id belongs to another customer"];
  expect(await outcomesOf(shop.merchant, id)).toEqual({
    ...{ "own-by-id": "OK", "other-by-id": refused },
    ...{ "own-by-address": "OK", "other-by-address": refused },
  });
});

test("a card is taken until the end of its last month, and never once it was revoked", async () => {
  const now = new Date();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
  const past = new Date(Date.UTC(year, month - 2, 1));
  const rows = Object.entries({
    now: { expiryMonth: month, expiryYear: year },
    past: { expiryMonth: past.getUTCMonth() + 1, expiryYear: past.getUTCFullYear() },
    revoked: {},
  }).map(([ref, instrument]) => {
    const { customer, card } = addCustomer(`${ref}@customers.test`);
    shop.store.replaceInstrument(card, instrument);
    if (ref === "revoked") shop.store.revokePaymentMethod(card);
    return customerRow(ref, {
      store_customer_id: plain(customer),
      store_payment_method_id: plain(card),
    });
  });
  const { id } = await moveIn(shop.merchant, shop.worker, rows);
  expect(await outcomesOf(shop.merchant, id)).toEqual({
    now: "OK",
    past: ["FAILED", "store_payment_method_id has expired"],
    revoked: ["FAILED", "store_payment_method_id is not known to the store"],
  });
});
