import { commitByCalculation } from "../../src/stores/shopify/contracts/contract-calculation.ts";
import {
  type DesiredState,
  findChanges,
  namesOf,
} from "../../src/stores/shopify/contracts/contract-changes.ts";
import { isUnknownMutation } from "../../src/stores/shopify/contracts/contract-commit.ts";
import { requireContract } from "../../src/stores/shopify/contracts/contracts.ts";
import {
  confirmed,
  confirmedIf,
  contradicted,
  messageOf,
  type Outcome,
  untestable,
} from "../store-check/outcome.ts";
import type { Lab } from "./lab.ts";
import { makeContract } from "./new-contract.ts";

/** Changes a contract by a calculation, and compares what it is then. */
export async function checkCalculatedChange(lab: Lab): Promise<Outcome> {
  return changedTo(lab, {
    billing: { unit: "MONTH", count: 2 },
    delivery: { unit: "MONTH", count: 1 },
  });
}

/** Deliveries with each billing, of another interval than before. */
export async function checkCalculatedDeliveries(lab: Lab): Promise<Outcome> {
  return changedTo(lab, {
    billing: { unit: "MONTH", count: 3 },
    delivery: { unit: "MONTH", count: 3 },
  });
}

/** A request that no version knows, so that nothing is done by it. */
export async function checkUnknownMutation({ ask }: Lab): Promise<Outcome> {
  try {
    await ask("mutation NoSuchMutation { subscriptionNoSuchThing { userErrors { message } } }", {});
    return contradicted("accepted");
  } catch (error) {
    return confirmedIf(isUnknownMutation(error), messageOf(error));
  }
}

async function changedTo(lab: Lab, intervals: Pick<DesiredState, "billing" | "delivery">): Promise<Outcome> {
  const id = Number((await makeContract(lab)).split("/").at(-1));
  const desired = { ...desiredState(lab), ...intervals };
  const calendar = { today: "2026-01-01", timezone: "UTC" };
  const contract = await requireContract(lab.ask, id);
  try {
    const changes = findChanges(contract, desired, calendar, true);
    const warnings = await commitByCalculation(lab.ask, contract, changes, desired, async () => {});
    const left = namesOf(findChanges(await requireContract(lab.ask, id), desired, calendar, true));
    const note = [...left, ...warnings].join(", ");
    return left.length === 0 ? confirmed(note) : contradicted(`not applied: ${note}`);
  } catch (error) {
    if (isUnknownMutation(error)) return untestable("the version has no calculations");
    throw error;
  }
}

/** 3 × 8.00 less 1.50, and 2.50 for the delivery. */
function desiredState({ subjects, shop }: Lab): Omit<DesiredState, "billing" | "delivery"> {
  return {
    subscription_id: "check",
    activation: 1,
    former_contract_id: null,
    status: "ACTIVE",
    store_customer_id: subjects.customer ?? null,
    store_payment_method_id: null,
    own_payment_method_ids: [],
    currency_code: shop.currencyCode,
    next_billing_date: null,
    delivery_price: 250,
    address: null,
    note: "Calculated by shopify-check",
    lines: [
      {
        store_variant_id: subjects.variant ?? "",
        quantity: 3,
        price: 800,
        discount_amount: 150,
        selling_plan_id: null,
        selling_plan_name: "Check",
      },
    ],
  };
}
