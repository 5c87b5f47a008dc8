import { cancelContract, pauseContract, readPromises } from "../../src/stores/shopify/documents.ts";
import { mutate } from "../../src/stores/shopify/request.ts";
import { confirmed, confirmedIf, contradicted, untestable } from "../store-check/outcome.ts";
import { bill, billFirst, type Charging, newKey, orderOf, paidAmount, requireOrder } from "./charge/bill.ts";
import { readOrder } from "./charge/order.ts";
import { checkTaxes } from "./charge/taxes.ts";
import type { Lab } from "./lab.ts";
import { contractWrites, makeContract } from "./new-contract.ts";
import { section } from "./section.ts";

/** 2 × 10.00 less 3.00, and 4.90 for the delivery. */
const usualAmount = 2190;

/** Makes contracts and charges them by the store's test gateway. */
export const chargeSection = section({
  name: "charge",
  writes: {
    ...contractWrites,
    CreateAttempt: "charges of the payment method, nine at most, each with a test order that stays",
    PauseContract: "one of these contracts is paused",
  },
  needs: ["customer", "variant", "paymentMethod"],
  async prepare(lab: Lab) {
    const charging: Charging = {
      ...lab,
      seen: new Map(),
      gateway: { isTest: false },
    };
    const contract = await makeContract(lab);
    const key = newKey();
    const first = await billFirst(charging, contract, key);
    return { ...charging, contract, key, first };
  },
  checks: {
    "state-union": async ({ first }) =>
      first.attempt ? confirmed(first.attempt.state.__typename) : untestable(`refused: ${first.refusal}`),
    "price-per-unit": async ({ first }) => {
      const amount = paidAmount(first);
      return confirmedIf(amount === usualAmount, `2 × 10.00 - 3.00 + 4.90: ${amount}`);
    },
    "source-name": async ({ first, ...lab }) => {
      const { sourceName } = await readOrder(lab, requireOrder(first));
      return confirmedIf(sourceName?.startsWith("subscription_contract") ?? false, `${sourceName}`);
    },
    "one-key": async ({ contract, key, first, ...lab }) => {
      const again = await bill(lab, contract, key);
      if (!again.attempt) return contradicted(`the second request was refused: ${again.refusal}`);
      const isSame = again.attempt.id === first.attempt?.id && orderOf(again) === orderOf(first);
      return confirmedIf(isSame, isSame ? "the same attempt and order" : "another attempt");
    },
    /** The first charge was early, as the cycle has only begun; this one repeats it. */
    "early-billing": async ({ contract, first, ...lab }) => {
      if (first.refusal === "BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE") return contradicted(first.refusal);
      const again = await bill(lab, contract, newKey());
      return confirmedIf(
        again.attempt !== undefined,
        again.refusal ?? "one early, and one more in the cycle",
      );
    },
    "paused-and-ended": async (lab) => {
      const contract = await makeContract(lab);
      await mutate(lab.ask, pauseContract, { id: contract });
      const paused = await bill(lab, contract, newKey());
      await mutate(lab.ask, cancelContract, { id: contract });
      const ended = await bill(lab, contract, newKey());
      return confirmedIf(
        paused.refusal === "CONTRACT_PAUSED" && ended.refusal === "CONTRACT_TERMINATED",
        `paused: ${paused.refusal ?? "accepted"}; ended: ${ended.refusal ?? "accepted"}`,
      );
    },
    "no-payment-method": async (lab) => {
      const contract = await makeContract(lab, { isWithoutMethod: true });
      const { refusal, attempt } = await bill(lab, contract, newKey());
      const isPaid = attempt?.state.__typename === "SubscriptionBillingAttemptSuccessState";
      return confirmedIf(!isPaid, refusal ?? attempt?.state.__typename ?? "");
    },
    "policy-not-applied": async (lab) => {
      const contract = await makeContract(lab, { lines: [{ quantity: 1, price: 1000, laterPrice: 500 }] });
      const first = paidAmount(await bill(lab, contract, newKey()));
      const second = paidAmount(await bill(lab, contract, newKey()));
      return confirmedIf(first === 1000 && second === 1000, `10.00, then 5.00: ${first}, ${second}`);
    },
    "discount-limit": async (lab) => {
      const discount = { amount: 300, recurringCycleLimit: 1 };
      const contract = await makeContract(lab, { lines: [{ quantity: 1, price: 1000, discount }] });
      const first = paidAmount(await bill(lab, contract, newKey()));
      const used = await readUsage(lab, contract);
      const second = paidAmount(await bill(lab, contract, newKey()));
      return confirmedIf(
        first === 700 && used === 1 && second === 1000,
        `3.00 off 10.00 once: ${first}, used ${used} times, then ${second}`,
      );
    },
    "tax-rounding": checkTaxes,
    /** The last, because it counts the successes of all others. */
    "order-of-success": async ({ seen }) => {
      const found = [...seen.values()];
      const [later, never] = (["later", "never"] as const).map(
        (when) => found.filter((one) => one === when).length,
      );
      const note = `of ${found.length} successes ${later} had their order later, ${never} never`;
      if (never) return contradicted(note);
      return later ? confirmed(note) : untestable(note);
    },
  },
});

async function readUsage({ ask }: Lab, id: string): Promise<number | undefined> {
  const { subscriptionContract } = (await ask(readPromises, { id })) as {
    subscriptionContract: { discounts: { nodes: { usageCount: number }[] } };
  };
  return subscriptionContract.discounts.nodes[0]?.usageCount;
}
