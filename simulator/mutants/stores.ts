import { edit, type Mutant } from "./edits.ts";

const adapter = "src/store/shopify/adapter.ts";
const charges = "src/store/shopify/charges.ts";
const changes = "src/store/shopify/contract-changes.ts";
const contracts = "src/store/shopify/contracts.ts";
const withContractLease = "src/store/shopify/contract-lease.ts";
const layers = "test/shopify/sync.test.ts";
const sync = "src/contracts/sync.ts";
const syncs = "src/contracts/outbox.ts";

const frozen = "amount charged = amount frozen";
const agrees = "the contract is what its subscription wants";

const atShopify = (mutant: Omit<Mutant, "platform" | "caughtBy">): Mutant => ({
  ...mutant,
  platform: "shopify",
  caughtBy: "simulator",
});

/** What keeps a contract that lives at its store in agreement with its subscription, and a charge with what was frozen. */
export const aboutStores: Mutant[] = [
  {
    name: "charged as the contract is",
    what: "a charge does not make the contract what it charges first",
    edits: [edit(charges, "    await prepare();\n", "    if (charge.key === '') await prepare();\n")],
    rule: frozen,
  },
  {
    name: "contents told while charged",
    what: "a sync changes the contract while an attempt is open",
    edits: [edit(sync, " && view.row.open_attempt_id === null) await", ") await")],
    rule: frozen,
  },
  {
    name: "contract made without looking",
    what: "where no answer came to its creation it is made again",
    edits: [
      edit(
        contracts,
        "const known = await findMarked(ask, desired);",
        "const known = await findMarked(ask, { ...desired, subscription_id: '' });",
      ),
    ],
    rule: "one contract lives",
  },
  {
    name: "refusal is agreement",
    what: "what the store refuses is taken to be told",
    edits: [
      edit(
        sync,
        "return refused(ctx, sync, error);",
        "return commit({ db: ctx.db }, [scheduleRetry({ account_id: ctx.account.id, id }, 0, null as never)]);",
      ),
    ],
    rule: agrees,
  },
  {
    name: "silence is agreement",
    what: "a store that does not answer has been told",
    edits: [
      edit(
        sync,
        "return retryAfterNoResponse(ctx, sync, error);",
        "return commit({ db: ctx.db }, [scheduleRetry({ account_id: ctx.account.id, id }, 0, null as never)]);",
      ),
    ],
    rule: agrees,
  },
  {
    name: "agreed whatever has changed",
    what: "a change during a sync is taken to be told, and what the store tells during it to be heard",
    edits: [edit(syncs, " THEN NULL ELSE ", " OR 1 THEN NULL ELSE ")],
    rule: agrees,
  },
  {
    name: "nobody is told again",
    what: "a lost message is never made up for",
    edits: [
      edit(
        "src/jobs/tick.ts",
        "    ...(await sweepContracts(db, realNow)),\n",
        "    ...(await sweepContracts(db, '2000')),\n",
      ),
    ],
    rule: "the store is told everything",
  },
  {
    name: "paused, and charged",
    what: "a charge activates a contract that somebody has paused",
    edits: [
      edit(contracts, 'if (contract.status === "FAILED") await', 'if (contract.status !== "ACTIVE") await'),
    ],
    rule: "what is paused is not charged",
  },
  {
    name: "over at the store, and unnoticed",
    what: "a subscription goes on whose contract cannot be had back",
    edits: [
      edit(
        sync,
        "  if (isEnded(status))\n    return () => cancel",
        "  if (isEnded(status) && isOver(row))\n    return () => cancel",
      ),
    ],
    rule: agrees,
  },
  {
    name: "status is not told",
    what: "a pause stays here",
    edits: [edit(sync, "if (status !== wanted) await setStatus(contracts, id, wanted);", "")],
    rule: agrees,
  },
  {
    name: "dates are not told",
    what: "the contract keeps its first date",
    edits: [edit(changes, "date !== null && date > today &&", "date !== null && date > '9' &&")],
    rule: agrees,
  },
].map(atShopify);

/** What others stand behind, or what takes more than a random schedule comes to; each has a test of its own. */
export const storeLayers: Mutant[] = [
  {
    name: "told while it is told",
    what: "what the store tells of a contract during a sync is forgotten when that agrees",
    edits: [
      edit(
        syncs,
        "WHEN next_action_at = ? THEN ? ELSE ? END",
        "WHEN next_action_at = ? AND ? IS NULL THEN NULL ELSE COALESCE(next_action_at, ?) END",
      ),
    ],
    test: "is applied even if its webhook arrives while a sync is running",
  },
  {
    name: "found, and taken to be as desired",
    what: "a contract that was made before is taken to have the address of now",
    edits: [edit(adapter, "isNew ? delivery.remember()", "isNew || id > 0 ? delivery.remember()")],
    test: "is sent to a contract that was created without an answer",
  },
  {
    name: "an address that may be known",
    what: "after silence the address told before is taken to be known still",
    edits: [edit(contracts, "  if (!delivery.isKnown) await delivery.forget();\n", "")],
    test: "is sent again if the last request with one had no answer",
  },
  {
    name: "charged without a hold",
    what: "a charge changes the contract while a sync does",
    edits: [edit(adapter, "await withLease(charge.subscription_id, attempt);", "await attempt();")],
    test: "is not charged in the meantime",
  },
  {
    name: "let go though it may arrive",
    what: "after silence the next sync does not wait for the lease",
    edits: [
      edit(
        withContractLease,
        'if (result.status === "fulfilled" || !mayArrive(result.reason)) await',
        "if (mayArrive || result) await",
      ),
    ],
    test: "after a missing answer the lease has to expire first",
  },
  {
    name: "declined, and taken",
    what: "a refusal of the contract ends an attempt whose first request may have been taken",
    edits: [edit(charges, "if (!charge.isFirst) throw new UnknownOutcomeError(error.message);", "")],
    test: "a refusal of the contract is no decline if an earlier request may still arrive",
  },
  {
    name: "refused, and taken",
    what: "a refusal ends an attempt whose first request may have been taken",
    edits: [edit(charges, "  if (!charge.isFirst) throw new UnknownOutcomeError(message);", "")],
    test: "a refusal of the charge is no decline if an earlier request may still arrive",
  },
].map(({ test, ...mutant }) => ({ ...mutant, platform: "shopify", caughtBy: { file: layers, test } }));
