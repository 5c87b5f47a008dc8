import { type NumberedBy, numbersIn } from "./numbers.ts";
import type { Store } from "./port.ts";
import { ownContracts } from "./tables.ts";

const numberContract = numbersIn({
  table: ownContracts,
  number: ownContracts.contract_id,
  record: ownContracts.subscription_id,
});

/** Contracts of a store that keeps none: a number is all there is to them. */
export function numberedContracts(by: NumberedBy): Pick<Store, "createContract"> {
  return { createContract: ({ subscription_id }) => numberContract(by, subscription_id) };
}
