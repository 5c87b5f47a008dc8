import { edit, type Mutant } from "./edits.ts";

const contracts = "src/stores/shopify/contracts/contracts.ts";
const file = "test/shopify/restored-contracts.test.ts";
const ofLife = "activation === desired.activation)";

/** Bugs that let a restored database charge a cycle by another contract, or call its charge unknown; few schedules restore at such a moment. */
export const restoredContractMutants: Mutant[] = [
  {
    name: "an ended contract is created anew",
    what: "a contract that has ended is not found again, and another one is charged for the cycle that it has paid",
    edits: [
      edit(
        contracts,
        `.find(({ activation }) => ${ofLife}`,
        `.find(({ activation, status }) => !isEnded(status) && ${ofLife}`,
      ),
    ],
    test: "finds one that its merchant has cancelled since",
  },
  {
    name: "the newest contract is found",
    what: "a contract that was created late takes the place of the one that was charged",
    edits: [
      edit(contracts, `.find(({ activation }) => ${ofLife}`, `.findLast(({ activation }) => ${ofLife}`),
    ],
    test: "finds the one that was charged, also where another one has been created late",
  },
  {
    name: "a contract of two lives",
    what: "a reactivated subscription goes on with the contract of its earlier life",
    edits: [
      edit(contracts, "=> activation < desired.activation);", "=> activation < 0);"),
      edit(contracts, "if (former === null || ", "if (former !== undefined || "),
      edit(contracts, `.find(({ activation }) => ${ofLife}`, ".find(({ status }) => !isEnded(status))"),
    ],
    test: "a contract is of one life",
  },
  {
    name: "a late contract is left living",
    what: "a subscription whose contract ends at the store leaves another one there that was created late for it",
    edits: [edit("src/domain/contracts/sync.ts", "      await endLiving(contracts, view, status);\n", "")],
    test: "takes along one that has been created late",
  },
  {
    name: "a charge of nobody's contract",
    what: "a charge whose contract is not linked any more is reported, though a reactivation takes it for paid",
    edits: [
      edit(
        "src/stores/shopify/charges-made.ts",
        "readMark(subscriptionContract.customAttributes).subscription_id",
        "readMark([]).subscription_id",
      ),
    ],
    test: "and to before the cancellation: the charge is not reported for a refund",
  },
].map(({ test, ...mutant }) => ({ ...mutant, platform: "shopify", caughtBy: { file, test } }));
