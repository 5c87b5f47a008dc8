/** An import into an account on Stripe takes a customer's own payment method, and nobody else's. */
import { expect, test } from "vitest";
import { outcomesOf, rowOf, stage, start } from "../../domain/imports/imports.ts";
import { useAccount } from "./account.ts";

const account = useAccount();

test("a payment method of nobody is its row's fault, and stays nobody's; a customer's own is moved in", async () => {
  const { merchant, worker, stripe, card } = account;
  const row = (ref: string, store_payment_method_id: string) =>
    rowOf(merchant, ref, { email: "ada@example.com", store_payment_method_id });
  const id = await stage(merchant, [
    row("own", card),
    row("nobody's", "pm_card_visa"),
    row("unknown", "pm_unknown"),
  ]);
  await start(merchant, worker, id, true);
  expect(await outcomesOf(merchant, id)).toEqual({
    own: "OK",
    "nobody's": [
      "FAILED",
      "store_payment_method_id belongs to no customer at the store: attach it to theirs there first",
    ],
    unknown: ["FAILED", "store_payment_method_id is not known to the store"],
  });
  const asked = stripe.requests.map(({ operation }) => operation);
  expect(asked).not.toContain("payment_methods.attach");
});
