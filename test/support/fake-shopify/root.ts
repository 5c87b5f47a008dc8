import { GraphQLError, type GraphQLFieldResolver } from "graphql";
import { type AttemptInput, createAttempt, readAttempt } from "./attempts.ts";
import type { ContractInput } from "./contract-rules.ts";
import { createContract } from "./contracts.ts";
import { type CycleEdit, type CycleSelector, cycleNode, selectedCycle } from "./cycles.ts";
import { attemptNode, contractNode, customerNode, methodNode } from "./nodes.ts";
import type { FakeStore } from "./store.ts";

/** Ids are global ones of the type that is asked for: others are errors, where an unknown one is null. */
const checkedId = (kind: string, id: string): string => {
  if (!/^gid:\/\/shopify\/\w+\/[\w-]+$/.test(id))
    throw new GraphQLError(`Invalid global id '${id}'`, { extensions: { code: "INVALID_VARIABLE" } });
  if (!id.startsWith(`gid://shopify/${kind}/`))
    throw new GraphQLError(`Invalid id: ${id}`, { extensions: { code: "RESOURCE_NOT_FOUND" } });
  return id;
};

type CycleInput = { contractId: string; selector: CycleSelector };

const cycleOf = (store: FakeStore, { contractId, selector }: CycleInput) => {
  const contract = store.contracts.get(checkedId("SubscriptionContract", contractId));
  const index = contract && selectedCycle(contract, selector, store.now());
  return contract && typeof index === "number" ? { contract, index } : undefined;
};

/** The fields that queries and mutations begin with. */
export const rootOf = (store: FakeStore): Record<string, unknown> => ({
  shop: () => ({
    id: "gid://shopify/Shop/1",
    myshopifyDomain: store.settings.shop,
    currencyCode: store.settings.currency,
    ianaTimezone: store.settings.timezone,
  }),
  customer: ({ id }: { id: string }) => {
    const customer = store.customers.get(checkedId("Customer", id));
    return customer ? customerNode(store, customer) : null;
  },
  customerPaymentMethod: ({ id, showRevoked }: { id: string; showRevoked: boolean }) => {
    const method = store.methods.get(checkedId("CustomerPaymentMethod", id));
    return method && (showRevoked || !method.revokedAt) ? methodNode(store, method) : null;
  },
  subscriptionContract: ({ id }: { id: string }) => {
    const contract = store.contracts.get(checkedId("SubscriptionContract", id));
    return contract ? contractNode(store, contract) : null;
  },
  subscriptionBillingAttempt: ({ id }: { id: string }) => {
    const attempt = store.attempts.find((one) => one.id === checkedId("SubscriptionBillingAttempt", id));
    return attempt ? attemptNode(store, readAttempt(store, attempt)) : null;
  },
  subscriptionBillingCycle: ({ billingCycleInput }: { billingCycleInput: CycleInput }) => {
    const found = cycleOf(store, billingCycleInput);
    return found ? cycleNode(found.contract, found.index) : null;
  },
  subscriptionBillingCycleScheduleEdit: (args: { billingCycleInput: CycleInput; input: CycleEdit }) => {
    const found = cycleOf(store, args.billingCycleInput);
    if (!found)
      return { billingCycle: null, userErrors: [{ code: "INVALID_CYCLE_INDEX", field: null, message: "" }] };
    const { contract, index } = found;
    contract.cycleEdits.set(index, { ...contract.cycleEdits.get(index), ...args.input });
    return { billingCycle: cycleNode(contract, index), userErrors: [] };
  },
  subscriptionContractAtomicCreate: ({ input }: { input: ContractInput }) => {
    const { contract, userErrors } = createContract(store, input);
    return { contract: contract && contractNode(store, contract), userErrors };
  },
  subscriptionBillingAttemptCreate: (args: {
    subscriptionContractId: string;
    subscriptionBillingAttemptInput: AttemptInput;
  }) => {
    const id = checkedId("SubscriptionContract", args.subscriptionContractId);
    const { attempt, userErrors } = createAttempt(store, id, args.subscriptionBillingAttemptInput);
    return { subscriptionBillingAttempt: attempt && attemptNode(store, attempt), userErrors };
  },
});

/** Fields are their objects' properties; one that the fake does not have is an error, never null. */
export const fieldOf =
  (store: FakeStore): GraphQLFieldResolver<Record<string, unknown>, unknown> =>
  (source, args, _context, { fieldName, parentType, path }) => {
    if (path.prev === undefined && store.denied.has(fieldName))
      throw new GraphQLError(`Access denied for ${fieldName} field.`, {
        extensions: { code: "ACCESS_DENIED" },
      });
    const value = source[fieldName];
    if (value === undefined) throw new Error(`The fake store has no ${parentType.name}.${fieldName}`);
    return typeof value === "function" ? value(args) : value;
  };
