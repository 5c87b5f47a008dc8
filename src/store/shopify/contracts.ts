import { z } from "zod";
import {
  type ContractStatus,
  contractStatuses,
  type DesiredContract,
  isEnded,
  StoreRefusalError,
} from "../port.ts";
import {
  type Calendar,
  type Contract,
  changesOf,
  contractSchema,
  type DesiredState,
  namesOf,
} from "./contract-changes.ts";
import { commitChanges } from "./contract-draft.ts";
import { contractInput, contractMark, instantOf } from "./contract-input.ts";
import {
  activateContract,
  cancelContract,
  createContract,
  expireContract,
  failContract,
  findContract,
  pauseContract,
  readContract,
  readContractStatus,
  setNextBillingDate,
} from "./documents.ts";
import { gidOf, numberIn, requireGid } from "./ids.ts";
import { type Ask, mutate } from "./request.ts";
import { parseResponse } from "./responses.ts";

const pageSize = 50;

const madeSchema = z.object({ contract: z.object({ id: z.string() }) });

const foundSchema = z.object({
  customer: z
    .object({
      subscriptionContracts: z.object({
        nodes: z.array(
          z.object({
            id: z.string(),
            status: z.enum(contractStatuses),
            customAttributes: z.array(z.object({ key: z.string(), value: z.string().nullable() })),
          }),
        ),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      }),
    })
    .nullable(),
});
type Found = NonNullable<z.output<typeof foundSchema>["customer"]>["subscriptionContracts"];

/** The contract that carries a subscription's mark; what is over there belongs to an earlier life of it. */
export const findMarked = async (ask: Ask, desired: DesiredContract): Promise<number | undefined> => {
  if (desired.store_customer_id === null) return undefined;
  const customer = requireGid("Customer", desired.store_customer_id);
  for (let after: string | null = null; ; ) {
    const answer: z.output<typeof foundSchema> = parseResponse(
      foundSchema,
      await ask(findContract, { customer, first: pageSize, after }),
    );
    const contracts: Found | undefined = answer.customer?.subscriptionContracts;
    const ours = contracts?.nodes.find(
      ({ status, customAttributes }) =>
        !isEnded(status) &&
        customAttributes.some(({ key, value }) => key === contractMark && value === desired.subscription_id),
    );
    if (ours) return numberIn(ours.id);
    if (!contracts?.pageInfo.hasNextPage) return undefined;
    after = contracts.pageInfo.endCursor;
  }
};

/** The contract of a subscription: the one that carries its mark, else one made as desired. Throws StoreRefusalError. */
export const contractFor = async (
  ask: Ask,
  desired: DesiredContract,
): Promise<{ id: number; isMade: boolean }> => {
  if (desired.store_customer_id === null)
    throw new StoreRefusalError("The profile has no store_customer_id", ["CUSTOMER_MISSING"]);
  const known = await findMarked(ask, desired);
  if (known !== undefined) return { id: known, isMade: false };
  const made = await mutate(ask, createContract, { input: contractInput(desired) });
  return { id: numberIn(parseResponse(madeSchema, made).contract.id), isMade: true };
};

const readSchema = z.object({ subscriptionContract: contractSchema.nullable() });

/** A contract of so many lines is none of ours. */
const requireWhole = (contract: Contract): Contract => {
  if (!contract.lines.pageInfo.hasNextPage) return contract;
  throw new StoreRefusalError("The contract has more lines than are read", ["TOO_MANY_LINES"]);
};

const statusSchema = z.object({
  subscriptionContract: z.object({ status: z.enum(contractStatuses) }).nullable(),
});

/** How a contract stands; undefined where Shopify has none of this id. */
export const findStatus = async (ask: Ask, id: number): Promise<ContractStatus | undefined> => {
  const answer = await ask(readContractStatus, { id: gidOf("SubscriptionContract", id) });
  return parseResponse(statusSchema, answer).subscriptionContract?.status;
};

const findWhole = async (ask: Ask, id: number): Promise<Contract | undefined> => {
  const answer = await ask(readContract, { id: gidOf("SubscriptionContract", id) });
  const { subscriptionContract } = parseResponse(readSchema, answer);
  return subscriptionContract ? requireWhole(subscriptionContract) : undefined;
};

export const requireContract = async (ask: Ask, id: number): Promise<Contract> => {
  const contract = await findWhole(ask, id);
  if (contract) return contract;
  throw new StoreRefusalError(`Shopify has no contract ${id}`, ["CONTRACT_NOT_FOUND"]);
};

const statusMutations: Record<ContractStatus, string> = {
  ACTIVE: activateContract,
  PAUSED: pauseContract,
  CANCELLED: cancelContract,
  EXPIRED: expireContract,
  FAILED: failContract,
};

export const setStatus = async (ask: Ask, id: number, status: ContractStatus): Promise<void> => {
  await mutate(ask, statusMutations[status], { id: gidOf("SubscriptionContract", id) });
};

/**
 * Whether where it goes has been told already, and how that is noted. What was told before is forgotten first: whether the
 * new is known where no answer comes, nobody can say.
 */
export type Delivery = { isTold: boolean; forget: () => Promise<void>; note: () => Promise<void> };

/** Makes a contract what is desired, and looks whether it is then. Throws StoreRefusalError, also where it is not. */
export const pushContract = async (
  ask: Ask,
  contract: Contract,
  desired: DesiredState,
  calendar: Calendar,
  delivery: Delivery,
): Promise<void> => {
  const changes = changesOf(contract, desired, calendar, delivery.isTold);
  if (namesOf(changes).length === 0) return;
  if (!delivery.isTold) await delivery.forget();
  const { nextBillingDate: date } = changes;
  if (namesOf({ ...changes, nextBillingDate: undefined }).length > 0)
    await commitChanges(ask, contract, changes, desired);
  if (date !== undefined) await mutate(ask, setNextBillingDate, { id: contract.id, date: instantOf(date) });
  const left = namesOf(changesOf(await requireContract(ask, numberIn(contract.id)), desired, calendar, true));
  if (left.length > 0)
    throw new StoreRefusalError(`Shopify keeps ${left.join(", ")} otherwise`, ["NOT_AS_WISHED"]);
  if (!delivery.isTold) await delivery.note();
};

/** Makes a contract ready to be charged; that it is paused, or over, is left for Shopify to refuse: it may not be by then. */
export const prepareContract = async (
  ask: Ask,
  id: number,
  desired: DesiredState,
  calendar: Calendar,
  delivery: Delivery,
): Promise<void> => {
  const contract = await requireContract(ask, id);
  if (isEnded(contract.status)) return;
  if (contract.status === "FAILED") await setStatus(ask, id, "ACTIVE");
  await pushContract(ask, contract, desired, calendar, delivery);
};
