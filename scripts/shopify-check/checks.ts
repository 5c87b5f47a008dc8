import { randomUUID } from "node:crypto";
import { type DesiredPlan, StoreRefusalError } from "../../src/stores/port.ts";
import { apiVersion, type Connection, requestShopify } from "../../src/stores/shopify/client.ts";
import {
  addGroupProducts,
  cancelContract,
  createContract,
  deletePlanGroup,
  readContractState,
  readPlanGroup,
  sendPaymentMethodEmail,
} from "../../src/stores/shopify/documents.ts";
import { shopifyPlans } from "../../src/stores/shopify/own-plans.ts";
import { findMarkedGroup } from "../../src/stores/shopify/plan-groups.ts";
import { type Ask, mutate } from "../../src/stores/shopify/request.ts";
import { type Assumption, isGuess } from "./assumptions.ts";
import { readDevelopmentPlan, searchPlanGroups } from "./documents.ts";

export type Verdict = "confirmed" | "contradicted" | "not testable";
export type Checked = Assumption & { verdict: Verdict; note: string };

/** A customer and a variant of the store, with which contracts are made; without them nothing about contracts is testable. */
export type Subjects = {
  customer?: string | undefined;
  variant?: string | undefined;
  paymentMethod?: string | undefined;
};

/**
 * Settles what is assumed, one by one, at a development store. It creates a selling plan group and contracts of its own, and deletes the
 * group and cancels the contracts at the end, whatever came of it. Throws for a store that customers buy at.
 */
export async function checkAssumptions(
  connection: Connection,
  subjects: Subjects,
  assumptions: Assumption[],
): Promise<Checked[]> {
  const answered: string[] = [];
  const noting = { ...connection, noteVersion: (version: string) => void answered.push(version) };
  const ask: Ask = (query, variables) => requestShopify(noting, query, variables);
  const { shop } = (await ask(readDevelopmentPlan, {})) as DevelopmentPlan;
  if (!shop.plan.partnerDevelopment) throw new Error(`${connection.shop} is not a development store`);
  const lab = await prepare({ ask, answered, subjects, currency: shop.currencyCode });
  try {
    const results: Checked[] = [];
    for (const assumption of assumptions) {
      const check = checks[assumption.text];
      if (check) results.push({ ...assumption, ...(await settled(() => check(lab))) });
      else if (isGuess(assumption))
        results.push({ ...assumption, ...untestable("nothing at a store can show it without a person") });
    }
    return results;
  } finally {
    await lab.cleanUp();
  }
}

type DevelopmentPlan = { shop: { currencyCode: string; plan: { partnerDevelopment: boolean } } };
type Outcome = { verdict: Verdict; note: string };
type Lab = {
  ask: Ask;
  answered: string[];
  plan: DesiredPlan;
  groupId: string;
  planId: string;
  groupGid: string;
  /** A contract by this plan; undefined where the subjects to make one of are missing. */
  contractBy?: (planId: string) => Promise<string>;
  cleanUp: () => Promise<void>;
};

function confirmed(note = ""): Outcome {
  return { verdict: "confirmed", note };
}

function contradicted(note: string): Outcome {
  return { verdict: "contradicted", note };
}

function untestable(note: string): Outcome {
  return { verdict: "not testable", note };
}

function when(holds: boolean, note: string): Outcome {
  return holds ? confirmed(note) : contradicted(note);
}
const withoutSubjects = untestable(
  "give --customer and --variant, and --payment-method if contracts need one",
);

/** By the text of the assumption, as the table has it. */
export const checks: Record<string, (lab: Lab) => Promise<Outcome>> = {
  "an app lists only its own groups": async ({ ask }) => {
    const [own, all] = [await search(ask, null), await search(ask, "app_id:ALL")];
    if (all.length === own.length) return untestable("no other app has selling plan groups here");
    return confirmed(`${own.length} of ${all.length} groups are listed`);
  },
  "a group of another app is null by its id, and cannot be changed": async ({ ask }) => {
    const own = await search(ask, null);
    const other = (await search(ask, "app_id:ALL")).find((id) => !own.includes(id));
    if (other === undefined) return untestable("no other app has selling plan groups here");
    const { sellingPlanGroup } = (await ask(readPlanGroup, { id: other })) as { sellingPlanGroup: unknown };
    const products = ["gid://shopify/Product/1"];
    const refusal = await refusalOf(() => mutate(ask, addGroupProducts, { id: other, products }));
    return when(
      sellingPlanGroup === null && refusal !== undefined,
      `read: ${sellingPlanGroup === null ? "null" : "found"}; changed: ${refusal ?? "accepted"}`,
    );
  },
  "a contract line with a plan that our app does not have is refused (`INVALID`)": async ({ contractBy }) => {
    if (!contractBy) return withoutSubjects;
    const refusal = await refusalOf(() => contractBy("1"));
    return when(refusal?.startsWith("INVALID") ?? false, refusal ?? "the contract was made");
  },
  "`sellingPlansToUpdate` replaces the pricing policies of a plan": async (lab) => {
    const discount = { type: "FIXED_AMOUNT", value: 100 } as const;
    const refusal = await refusalOf(() => shopifyPlans(lab.ask).push({ ...lab.plan, discount }, lab.groupId));
    return when(refusal === undefined, refusal ?? "");
  },
  "`appId` and `merchantCode` are returned as they were sent": async ({ ask, plan, groupGid }) => {
    const found = await findMarkedGroup(ask, plan.id);
    return when(found === groupGid, found ?? "the group is not found by them");
  },
  "deleting a group leaves the contracts that were sold by it": async (lab) => {
    if (!lab.contractBy) return withoutSubjects;
    const plan = { ...lab.plan, id: `${lab.plan.id}-deleted`, name: "To be deleted" };
    const { groupId, planId } = await shopifyPlans(lab.ask).push(plan, null);
    const contract = await lab.contractBy(planId);
    await mutate(lab.ask, deletePlanGroup, { id: `gid://shopify/SellingPlanGroup/${groupId}` });
    const { subscriptionContract } = (await lab.ask(readContractState, { id: contract })) as {
      subscriptionContract: { status: string } | null;
    };
    return when(subscriptionContract?.status === "ACTIVE", subscriptionContract?.status ?? "gone");
  },
  "a product that does not exist is `PRODUCT_DOES_NOT_EXIST`": async ({ ask, groupGid }) => {
    const products = ["gid://shopify/Product/1"];
    const refusal = await refusalOf(() => mutate(ask, addGroupProducts, { id: groupGid, products }));
    return when(refusal?.startsWith("PRODUCT_DOES_NOT_EXIST") ?? false, refusal ?? "accepted");
  },
  "an unknown payment method is refused: `Customer payment method does not exist`, without a code": async ({
    ask,
  }) => {
    const refusal = await refusalOf(() => mutate(ask, sendPaymentMethodEmail, { method: unknownMethod }));
    if (/access denied/i.test(refusal ?? "")) return untestable("the app lacks the scope write_customers");
    return when(refusal === "UNKNOWN: Customer payment method does not exist", refusal ?? "accepted");
  },
  "an answer names the version it was made by (`X-Shopify-API-Version`)": async ({ answered }) =>
    when(answered.length > 0 && answered.every((version) => version === apiVersion), answered[0] ?? "none"),
};

/** No store has this one, so that nobody gets an e-mail. */
const unknownMethod = "gid://shopify/CustomerPaymentMethod/00000000000000000000000000000000";

type Parts = { ask: Ask; answered: string[]; subjects: Subjects; currency: string };

/** A selling plan group of the check's own. */
async function prepare({ ask, answered, subjects, currency }: Parts): Promise<Lab> {
  const month = { unit: "MONTH", count: 1 } as const;
  const plan: DesiredPlan = {
    id: `check-${randomUUID()}`,
    name: "Perennial check",
    billing: month,
    delivery: month,
    discount: { type: "PERCENTAGE", value: 1000 },
    min_cycles: null,
    max_cycles: null,
    currency_code: currency,
    product_ids: [],
  };
  const { groupId, planId } = await shopifyPlans(ask).push(plan, null);
  const contracts: string[] = [];
  const { customer, variant, paymentMethod } = subjects;
  const contractBy = async (id: string): Promise<string> => {
    const input = contractInput({ customer, variant, paymentMethod, currency, planId: id });
    const { contract } = (await mutate(ask, createContract, { input })) as { contract: { id: string } };
    contracts.push(contract.id);
    return contract.id;
  };
  return {
    ask,
    answered,
    plan,
    groupId,
    planId,
    groupGid: `gid://shopify/SellingPlanGroup/${groupId}`,
    ...(customer && variant ? { contractBy } : {}),
    async cleanUp() {
      for (const id of contracts) await mutate(ask, cancelContract, { id });
      for (const id of [plan.id, `${plan.id}-deleted`]) await shopifyPlans(ask).remove(id, null);
    },
  };
}

function contractInput({
  customer,
  variant,
  paymentMethod,
  currency,
  planId,
}: Subjects & { currency: string; planId: string }) {
  const policy = { interval: "MONTH", intervalCount: 1 };
  return {
    customerId: `gid://shopify/Customer/${customer}`,
    currencyCode: currency,
    nextBillingDate: "2099-01-01T12:00:00Z",
    contract: {
      status: "ACTIVE",
      billingPolicy: policy,
      deliveryPolicy: policy,
      deliveryPrice: "0",
      note: "Made by shopify-check, which cancels it",
      ...(paymentMethod ? { paymentMethodId: `gid://shopify/CustomerPaymentMethod/${paymentMethod}` } : {}),
      deliveryMethod: {
        shipping: { address: { address1: "1 High Street", city: "London", zip: "N1", countryCode: "GB" } },
      },
    },
    lines: [
      {
        line: {
          productVariantId: `gid://shopify/ProductVariant/${variant}`,
          quantity: 1,
          currentPrice: "1",
          sellingPlanId: `gid://shopify/SellingPlan/${planId}`,
        },
      },
    ],
  };
}

async function search(ask: Ask, query: string | null): Promise<string[]> {
  const { sellingPlanGroups } = (await ask(searchPlanGroups, { query })) as {
    sellingPlanGroups: { nodes: { id: string }[] };
  };
  return sellingPlanGroups.nodes.map(({ id }) => id);
}

/** The store's codes and message if it refuses; undefined if it does not. */
async function refusalOf(act: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof StoreRefusalError) return [...error.codes, error.message].join(": ");
    throw error;
  }
}

/** A check that cannot be made says nothing of what it is about. */
async function settled(check: () => Promise<Outcome>): Promise<Outcome> {
  return check().catch((error) => untestable(error instanceof Error ? error.message : String(error)));
}
