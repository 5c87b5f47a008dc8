import { edit, type Mutant } from "./edits.ts";

const file = "test/shopify/sold-and-reactivated.test.ts";
const secondSubscription = "the contract of the checkout ends, and is no second subscription";

/** Bugs that let a contract of the checkout outlive its subscription's life; the simulator sells none at a checkout. */
export const soldContractMutants: Mutant[] = [
  {
    name: "a contract without a mark is left",
    what: "a reactivation leaves the contract of the checkout living at the store",
    edits: [
      edit(
        "src/stores/shopify/contracts/contracts.ts",
        "if (former === null || ",
        "if (former !== undefined || ",
      ),
    ],
    test: secondSubscription,
  },
  {
    name: "a former contract is taken over",
    what: "the webhook of a contract that a reactivation has unlinked makes a second subscription of it",
    edits: [
      edit(
        "src/domain/contracts/owner.ts",
        "eq(subscriptions.former_contract_id, store_contract_id)",
        "eq(subscriptions.store_contract_id, store_contract_id)",
      ),
    ],
    test: secondSubscription,
  },
  {
    name: "a former contract is found at night",
    what: "the nightly pass takes a contract that a reactivation has unlinked for one that nobody knows",
    edits: [
      edit(
        "src/domain/store-sync/contract-pass.ts",
        "AND former_contract_id = listed",
        "AND store_contract_id = listed",
      ),
    ],
    test: secondSubscription,
  },
  {
    name: "a former contract is forgotten",
    what: "a second reactivation before the store knows of the first one forgets the contract that is to end",
    edits: [
      edit(
        "src/domain/subscriptions/actions/restart.ts",
        "former_contract_id: store_contract_id ?? former_contract_id",
        "former_contract_id: store_contract_id",
      ),
    ],
    test: "reactivated twice before the store knows of it",
  },
].map(({ test, ...mutant }) => ({ ...mutant, platform: "shopify", caughtBy: { file, test } }));
