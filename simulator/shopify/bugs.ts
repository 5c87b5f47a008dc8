import { exponentOf } from "../../src/base/lib/money.ts";
import { chargeAttempt } from "../../src/domain/billing/actions/charge.ts";
import { recordSuccess } from "../../src/domain/billing/actions/record-success.ts";
import { contractSweep } from "../../src/domain/contracts/outbox.ts";
import { syncContract } from "../../src/domain/contracts/sync.ts";
import type { StoreContracts } from "../../src/stores/port/contracts.ts";
import { findCharge, makeCharge } from "../../src/stores/shopify/charges.ts";
import { findChanges } from "../../src/stores/shopify/contracts/contract-changes.ts";
import { contractInput } from "../../src/stores/shopify/contracts/contract-input.ts";
import { contractFor, prepareContract, setStatus } from "../../src/stores/shopify/contracts/contracts.ts";
import { findContract } from "../../src/stores/shopify/documents.ts";
import { replace, type SeededBug, sweepNothing, withStore } from "../seeded-bug.ts";

/** Has the sync of a contract ask its store for something else. */
function syncOther(other: (contracts: StoreContracts) => Partial<StoreContracts>) {
  return replace(syncContract, (original) => (ctx, id, actions) => {
    const { contracts } = ctx.store;
    const others = contracts && { ...contracts, ...other(contracts) };
    return original(others ? withStore(ctx, { contracts: others }) : ctx, id, actions);
  });
}

const agrees = "the contract matches its subscription";

/** Bugs that let a contract differ from its subscription, or a charge from its attempt. */
export const shopifyBugs: SeededBug[] = [
  {
    name: "charged as the contract is",
    what: "a charge does not bring the contract to the attempt's terms first",
    rule: "amount charged = attempt amount",
    replaces: [replace(makeCharge, (original) => (ask, charge) => original(ask, charge, async () => {}))],
  },
  {
    name: "two decimals for every currency",
    what: "amounts in yen are a hundredth, in dinars ten times",
    rule: "amount charged = attempt amount",
    replaces: [replace(exponentOf, () => () => 2)],
  },
  {
    name: "a request between reading and charging",
    what: "a contract is charged some time after it was read, so that a merchant may edit it meanwhile",
    rule: "a contract is read right before its charge",
    replaces: [
      replace(makeCharge, (original) => (ask, charge, prepare) => {
        return original(ask, charge, async () => {
          await prepare();
          await findCharge(ask, { ...charge, reference: null });
        });
      }),
    ],
  },
  {
    name: "nobody is told of another amount",
    what: "a charge of another amount than was asked for is no alert",
    rule: "another amount is told",
    replaces: [
      replace(
        recordSuccess,
        (original) =>
          (ctx, ...charged) =>
            original({ ...ctx, log: () => {} }, ...charged),
      ),
    ],
    times: 5,
  },
  {
    name: "contract created without looking",
    what: "after a creation without an answer the contract is created again",
    rule: "one living contract",
    replaces: [
      replace(contractFor, (original) => (ask, ...wanted) => {
        return original(
          async (query, ...values) => (query === findContract ? { customer: null } : ask(query, ...values)),
          ...wanted,
        );
      }),
    ],
  },
  {
    name: "a contract for each charge",
    what: "each charge is made of a contract of its own, beside the one that is linked",
    rule: "only the linked contract is charged",
    replaces: [
      replace(chargeAttempt, (original) => (ctx, id) => {
        const charge: typeof ctx.store.charge = async (asked) => {
          const other = await ctx.store.createContract(await asked.readDesired(), asked.store_contract_id);
          return ctx.store.charge({ ...asked, store_contract_id: other });
        };
        return original(withStore(ctx, { charge }), id);
      }),
    ],
  },
  {
    name: "what is not taken counts as synced",
    what: "a change that the store refuses, or does not answer, is marked as sent",
    rule: agrees,
    replaces: [syncOther(({ push }) => ({ push: (...pushed) => push(...pushed).catch(() => {}) }))],
  },
  {
    name: "status is not sent",
    what: "a pause never reaches the store",
    rule: agrees,
    replaces: [syncOther(() => ({ setStatus: async () => {} }))],
  },
  {
    name: "dates are not sent",
    what: "the contract keeps its first date",
    rule: agrees,
    replaces: [
      replace(findChanges, (original) => (...compared) => ({
        ...original(...compared),
        nextBillingDate: undefined,
      })),
    ],
  },
  {
    name: "contracts are never sent again",
    what: "the sweep finds no contract whose message was lost",
    rule: "every change reaches the store",
    replaces: [sweepNothing(contractSweep)],
  },
  {
    name: "paused, but charged",
    what: "a charge activates a contract that somebody has paused",
    rule: "a paused contract is not charged",
    replaces: [
      replace(prepareContract, (original) => async (ask, id, ...desired) => {
        await setStatus(ask, id, "ACTIVE");
        return original(ask, id, ...desired);
      }),
    ],
  },
  {
    name: "a contract without its currency",
    what: "a contract is created in a way that Shopify's schema does not allow",
    rule: "the store accepts every query",
    replaces: [
      replace(contractInput, (original) => (desired) => {
        const { currencyCode: _, ...input } = original(desired);
        return input as ReturnType<typeof original>;
      }),
    ],
  },
].map((bug): SeededBug => ({ ...bug, platform: "shopify" }));
