import { decimal, instantOf } from "../../src/stores/shopify/contracts/contract-input.ts";
import {
  activateContract,
  beginDraft,
  cancelContract,
  changeDraft,
  changeDraftLine,
  commitDraft,
  deletePlanGroup,
  failContract,
  readContract,
  readPromises,
  sendPaymentMethodEmail,
  setNextBillingDate,
} from "../../src/stores/shopify/documents.ts";
import { shopifyPlans } from "../../src/stores/shopify/plans/own-plans.ts";
import { type AskShopify, mutate } from "../../src/stores/shopify/request.ts";
import { confirmed, confirmedIf, contradicted, untestable } from "../store-check/outcome.ts";
import { checkCalculatedChange, checkCalculatedDeliveries, checkUnknownMutation } from "./calculated.ts";
import type { Lab } from "./lab.ts";
import { addressOf, contractWrites, makeContract, readStatus } from "./new-contract.ts";
import { makePlan, planWrites } from "./own-plan.ts";
import { findRefusal, refusalOf } from "./refusal.ts";
import { section } from "./section.ts";

/** Makes contracts, none of which is charged, and cancels them. */
export const contractsSection = section({
  name: "contracts",
  writes: {
    ...planWrites,
    ...contractWrites,
    FailContract: "one of these contracts fails",
    ActivateContract: "and is activated again",
    SetNextBillingDate: "the next billing date of one of these contracts",
    BeginDraft: "drafts of these contracts",
    ChangeDraft: "their notes, in drafts",
    ChangeDraftLine: "the price of a line, in a draft",
    CommitDraft: "one of two drafts of a contract, and the line's price",
    CalculateUpdate: "calculations of other lines, intervals and prices of these contracts",
    CommitCalculation: "which are committed",
    NoSuchMutation: "nothing: a mutation that no version has",
    SendPaymentMethodEmail: "nothing: an e-mail is asked for about a payment method that nobody has",
  },
  needs: ["customer", "variant"],
  prepare: async (lab) => ({ ...lab, ...(await makePlan(lab)) }),
  checks: {
    "unknown-plan": async (lab) => {
      const refusal = await refusalOf(async () => void (await makeContract(lab, { planId: "1" })));
      return confirmedIf(refusal?.startsWith("INVALID") ?? false, refusal ?? "the contract was made");
    },
    "deleted-group": async (lab) => {
      const plan = { ...lab.plan, id: `${lab.plan.id}-deleted`, name: "To be deleted" };
      lab.atEnd("the selling plan group «To be deleted»", () => shopifyPlans(lab.ask).remove(plan.id, null));
      const { groupId, planId } = await shopifyPlans(lab.ask).push(plan, null);
      const contract = await makeContract(lab, { planId });
      await mutate(lab.ask, deletePlanGroup, { id: `gid://shopify/SellingPlanGroup/${groupId}` });
      const status = await readStatus(lab.ask, contract);
      return confirmedIf(status === "ACTIVE", status);
    },
    "address-spelling": checkAddress,
    "next-date": async (lab) => {
      const contract = await makeContract(lab);
      await mutate(lab.ask, setNextBillingDate, { id: contract, date: instantOf("2098-02-03") });
      const { nextBillingDate } = await readWhole(lab.ask, contract);
      return confirmedIf(nextBillingDate?.startsWith("2098-02-03") ?? false, `${nextBillingDate}`);
    },
    "stale-drafts": async ({ ask, ...lab }) => {
      const contract = await makeContract({ ask, ...lab });
      const [earlier, later] = [await openDraft(ask, contract), await openDraft(ask, contract)];
      await mutate(ask, changeDraft, { draft: later, input: { note: "Changed by shopify-check" } });
      await mutate(ask, commitDraft, { draft: later });
      const refusal = await findRefusal(ask, commitDraft, { draft: earlier });
      return confirmedIf(refusal?.startsWith("STALE_CONTRACT") ?? false, refusal ?? "committed");
    },
    "calculated-change": checkCalculatedChange,
    "calculated-deliveries": checkCalculatedDeliveries,
    "unknown-mutation": checkUnknownMutation,
    "kept-policy": async (lab) => {
      const contract = await makeContract(lab, { lines: [{ quantity: 1, price: 1000, laterPrice: 500 }] });
      const [before] = await readPolicies(lab.ask, contract);
      if (!before?.policy) return untestable("the contract has no pricing policy");
      const draft = await openDraft(lab.ask, contract);
      const input = { currentPrice: decimal(900, lab.shop.currencyCode) };
      await mutate(lab.ask, changeDraftLine, { draft, line: before.id, input });
      await mutate(lab.ask, commitDraft, { draft });
      const [after] = await readPolicies(lab.ask, contract);
      return confirmedIf(after?.policy === before.policy, after?.policy ?? "no policy");
    },
    "ended-contracts": async (lab) => {
      const id = await makeContract(lab);
      await mutate(lab.ask, failContract, { id });
      const activated = await findRefusal(lab.ask, activateContract, { id });
      if (activated !== undefined) return contradicted(`a failed contract is not activated: ${activated}`);
      await mutate(lab.ask, cancelContract, { id });
      const refusal = await findRefusal(lab.ask, activateContract, { id });
      const draft = await findRefusal(lab.ask, beginDraft, { contract: id });
      return confirmedIf(
        refusal !== undefined && draft !== undefined,
        `activated: ${refusal ?? "accepted"}; draft: ${draft ?? "accepted"}`,
      );
    },
    "unknown-method": async ({ ask }) => {
      const refusal = await findRefusal(ask, sendPaymentMethodEmail, { method: unknownMethod });
      if (/access denied/i.test(refusal ?? "")) return untestable("the app lacks the scope write_customers");
      return confirmedIf(
        refusal === "UNKNOWN: Customer payment method does not exist",
        refusal ?? "accepted",
      );
    },
  },
});

/** No store has this one, so that nobody gets an e-mail. */
const unknownMethod = "gid://shopify/CustomerPaymentMethod/00000000000000000000000000000000";

/** Sends an address as nobody spells one, and compares what the contract has. */
async function checkAddress(lab: Lab) {
  const { address1 = "", city = "", zip = "", ...rest } = addressOf(lab);
  const sent = { ...rest, address1: ` ${address1}  `, city: ` ${city}`, zip: ` ${zip.toLowerCase()} ` };
  const contract = await makeContract(lab, { address: sent });
  const { deliveryMethod } = await readWhole(lab.ask, contract);
  const stored = deliveryMethod?.address;
  if (!stored) return untestable("the contract has no address");
  const others = (["address1", "city", "zip"] as const).filter((part) => stored[part] !== sent[part]);
  if (others.length === 0) return contradicted("it is stored as it was sent, blanks included");
  return confirmed(`changed: ${others.join(", ")}`);
}

type Whole = {
  nextBillingDate: string | null;
  deliveryMethod: { address?: Record<string, string | null> } | null;
};

async function readWhole(ask: AskShopify, id: string): Promise<Whole> {
  return ((await ask(readContract, { id })) as { subscriptionContract: Whole }).subscriptionContract;
}

async function openDraft(ask: AskShopify, contract: string): Promise<string> {
  const { draft } = (await mutate(ask, beginDraft, { contract })) as { draft: { id: string } };
  return draft.id;
}

/** The pricing policy of each line, as text that can be compared. */
async function readPolicies(ask: AskShopify, id: string): Promise<{ id: string; policy: string | null }[]> {
  const { subscriptionContract } = (await ask(readPromises, { id })) as {
    subscriptionContract: { lines: { nodes: { id: string; pricingPolicy: object | null }[] } };
  };
  return subscriptionContract.lines.nodes.map(({ id, pricingPolicy }) => ({
    id,
    policy: pricingPolicy && JSON.stringify(pricingPolicy),
  }));
}
