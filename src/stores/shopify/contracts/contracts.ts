import { z } from "zod";
import { gidOf, numberIn, requireGid } from "../../global-ids.ts";
import {
  type ContractState,
  type ContractStatus,
  contractStatuses,
  type DesiredContract,
  isEnded,
} from "../../port/contracts.ts";
import { StoreRefusalError } from "../../port.ts";
import type { SentDelivery } from "../deliveries.ts";
import {
  activateContract,
  cancelContract,
  createContract,
  expireContract,
  failContract,
  findContract,
  pauseContract,
  readContract,
  readContractState,
  setNextBillingDate,
} from "../documents.ts";
import { type AskShopify, mutate } from "../request.ts";
import { instantIn, parseResponse } from "../responses.ts";
import {
  type AccountToday,
  type Contract,
  contractSchema,
  type DesiredState,
  findChanges,
  livingMethodId,
  methodSchema,
  namesOf,
} from "./contract-changes.ts";
import { commitChanges } from "./contract-commit.ts";
import { contractInput, instantOf, readMark } from "./contract-input.ts";
import { contractsSchema } from "./contract-pages.ts";

/**
 * The contract of a subscription's life: the first that carries its mark, else a new one; where one is `replaced`, the first after that.
 * It may have ended: Shopify knows a key only with the contract that it has charged, so that another contract would be charged again for a
 * cycle which a restored database does not know to be paid. Contracts of earlier lives end first. Throws StoreRefusalError.
 */
export async function contractFor(
  ask: AskShopify,
  desired: DesiredContract,
  replaced: number | null,
): Promise<{ id: number; isNew: boolean }> {
  if (desired.store_customer_id === null)
    throw new StoreRefusalError("The profile has no store_customer_id", ["CUSTOMER_MISSING"]);
  const marked = await listMarked(ask, desired);
  const earlier = marked.filter(({ activation }) => activation < desired.activation);
  for (const id of await livingOf(ask, desired, earlier)) await setStatus(ask, id, "CANCELLED");
  const known = marked
    .slice(marked.findIndex(({ id }) => id === replaced) + 1)
    .find(({ activation }) => activation === desired.activation);
  if (known) return { id: known.id, isNew: false };
  const created = await mutate(ask, createContract, { input: contractInput(desired) });
  return { id: numberIn(parseResponse(createdSchema, created).contract.id), isNew: true };
}

/** The contracts of a subscription that have not ended, of its life and of earlier ones. */
export async function listLiving(ask: AskShopify, desired: DesiredContract): Promise<number[]> {
  const marked = await listMarked(ask, desired);
  return livingOf(
    ask,
    desired,
    marked.filter(({ activation }) => activation <= desired.activation),
  );
}

/** Those of the marked contracts that have not ended, and the former one, which may have no mark. */
async function livingOf(
  ask: AskShopify,
  { former_contract_id: former }: DesiredContract,
  marked: MarkedContract[],
): Promise<number[]> {
  const living = marked.filter(({ status }) => !isEnded(status)).map(({ id }) => id);
  if (former === null || marked.some(({ id }) => id === former)) return living;
  const state = await findState(ask, former);
  return state && !isEnded(state.status) ? [...living, former] : living;
}

type MarkedContract = { id: number; status: ContractStatus; activation: number };

/** The contracts that carry a subscription's mark, oldest first. */
async function listMarked(ask: AskShopify, desired: DesiredContract): Promise<MarkedContract[]> {
  if (desired.store_customer_id === null) return [];
  const customer = requireGid("Customer", desired.store_customer_id);
  const marked: MarkedContract[] = [];
  for (let after: string | null = null; ; ) {
    const answer: z.output<typeof foundSchema> = parseResponse(
      foundSchema,
      await ask(findContract, { customer, first: pageSize, after }),
    );
    const contracts: Found | undefined = answer.customer?.subscriptionContracts;
    for (const { id, status, customAttributes } of contracts?.nodes ?? []) {
      const mark = readMark(customAttributes);
      if (mark.subscription_id === desired.subscription_id)
        marked.push({ id: numberIn(id), status, activation: mark.activation });
    }
    if (!contracts?.pageInfo.hasNextPage) return marked;
    after = contracts.pageInfo.endCursor;
  }
}

/** The state of a contract; undefined if Shopify has none with this id. */
export async function findState(ask: AskShopify, id: number): Promise<ContractState | undefined> {
  const answer = await ask(readContractState, { id: gidOf("SubscriptionContract", id) });
  const { subscriptionContract: contract } = parseResponse(stateSchema, answer);
  return contract
    ? {
        status: contract.status,
        store_payment_method_id: livingMethodId(contract.customerPaymentMethod),
        changed_at: instantIn(contract.updatedAt),
      }
    : undefined;
}

export async function setStatus(ask: AskShopify, id: number, status: ContractStatus): Promise<void> {
  await mutate(ask, statusMutations[status], { id: gidOf("SubscriptionContract", id) });
}

export async function requireContract(ask: AskShopify, id: number): Promise<Contract> {
  const answer = await ask(readContract, { id: gidOf("SubscriptionContract", id) });
  const { subscriptionContract: contract } = parseResponse(readSchema, answer);
  if (!contract) throw new StoreRefusalError(`Shopify has no contract ${id}`, ["CONTRACT_NOT_FOUND"]);
  if (!contract.lines.pageInfo.hasNextPage) return contract;
  throw new StoreRefusalError("The contract has more lines than a subscription can have", ["TOO_MANY_LINES"]);
}

/**
 * Prepares a contract for a charge. Shopify itself refuses to charge one that is paused or has ended, which may change until then. The last
 * request always reads the contract, because Shopify takes no amount: what somebody edits between that and the charge is charged.
 */
export async function prepareContract(
  ask: AskShopify,
  id: number,
  desired: DesiredState,
  calendar: AccountToday,
  delivery: SentDelivery,
): Promise<void> {
  const contract = await requireActivated(ask, id);
  if (isEnded(contract.status)) return;
  if (contract.customerPaymentMethod === null && desired.store_payment_method_id === null)
    throw new StoreRefusalError("The contract has no payment method", ["PAYMENT_METHOD_NOT_SPECIFIED"]);
  await pushContract(ask, contract, desired, calendar, delivery);
}

async function requireActivated(ask: AskShopify, id: number): Promise<Contract> {
  const contract = await requireContract(ask, id);
  if (contract.status !== "FAILED") return contract;
  await setStatus(ask, id, "ACTIVE");
  return requireContract(ask, id);
}

/** Changes a contract to the desired one, then reads it again to verify that. Throws StoreRefusalError, also if it still differs. */
export async function pushContract(
  ask: AskShopify,
  contract: Contract,
  desired: DesiredState,
  calendar: AccountToday,
  delivery: SentDelivery,
): Promise<void> {
  const id = numberIn(contract.id);
  const isKnown = await delivery.isKnown(id);
  const changes = findChanges(contract, desired, calendar, isKnown);
  if (namesOf(changes).length === 0) return;
  const { nextBillingDate: date } = changes;
  const hasContents = namesOf({ ...changes, nextBillingDate: undefined }).length > 0;
  const warnings = hasContents ? await commitChanges(ask, contract, changes, desired, delivery.mark) : [];
  if (date !== undefined) await mutate(ask, setNextBillingDate, { id: contract.id, date: instantOf(date) });
  await delivery.note(id);
  const left = namesOf(findChanges(await requireContract(ask, id), desired, calendar, true));
  if (left.length > 0)
    throw new StoreRefusalError(
      [`Shopify did not apply the change of ${left.join(", ")}`, ...warnings].join("; "),
      ["NOT_AS_WISHED"],
    );
}

const createdSchema = z.object({ contract: z.object({ id: z.string() }) });

const pageSize = 50;

const foundSchema = z.object({ customer: z.object({ subscriptionContracts: contractsSchema }).nullable() });
type Found = z.output<typeof contractsSchema>;

const stateSchema = z.object({
  subscriptionContract: z
    .object({
      status: z.enum(contractStatuses),
      updatedAt: z.string(),
      customerPaymentMethod: methodSchema,
    })
    .nullable(),
});

const statusMutations: Record<ContractStatus, string> = {
  ACTIVE: activateContract,
  PAUSED: pauseContract,
  CANCELLED: cancelContract,
  EXPIRED: expireContract,
  FAILED: failContract,
};

const readSchema = z.object({ subscriptionContract: contractSchema.nullable() });
