import { edit, type Mutant } from "./edits.ts";

const charges = "src/stores/shopify/charges.ts";
const changes = "src/stores/shopify/contracts/contract-changes.ts";
const contracts = "src/stores/shopify/contracts/contracts.ts";
const sync = "src/domain/contracts/sync.ts";
const syncs = "src/domain/contracts/outbox.ts";

const sameAmount = "amount charged = attempt amount";
const agrees = "the contract matches its subscription";
const readLast = "a contract is read right before its charge";

function atShopify(mutant: Omit<Mutant, "platform">): Mutant {
  return {
    ...mutant,
    platform: "shopify",
  };
}

/** Bugs that let a contract differ from its subscription, or a charge from its attempt. */
export const storeMutants: Mutant[] = [
  {
    name: "charged as the contract is",
    what: "a charge does not bring the contract to the attempt's terms first",
    edits: [edit(charges, "    await prepare();\n", "    if (charge.key === '') await prepare();\n")],
    rule: sameAmount,
  },
  {
    name: "a request between reading and charging",
    what: "a contract is charged some time after it was read, so that a merchant may edit it meanwhile",
    edits: [
      edit(
        charges,
        "  return create(ask, charge);",
        "  await findCharge(ask, known);\n  return create(ask, charge);",
      ),
    ],
    rule: readLast,
  },
  {
    name: "not read after a change",
    what: "a contract that was changed for a charge is not read again before it",
    edits: [
      edit(
        contracts,
        "const left = namesOf(findChanges(await requireContract(ask, id), desired, calendar, true));",
        "const left: string[] = [];",
      ),
    ],
    rule: readLast,
  },
  {
    name: "nobody is told of another amount",
    what: "a charge of another amount than was asked for is no alert",
    edits: [
      edit(
        "src/domain/billing/actions/record-success.ts",
        'ctx.log("charged_another_amount", { alert: true,',
        'ctx.log("charged_another_amount", { alert: false,',
      ),
    ],
    rule: "another amount is told",
    times: 5,
  },
  {
    name: "contents sent during a charge",
    what: "a sync changes the contract while an attempt is open",
    edits: [edit(sync, "isEnded(desired) || view.row.open_attempt_id !== null", "isEnded(desired)")],
    rule: sameAmount,
  },
  {
    name: "contract created without looking",
    what: "after a creation without an answer the contract is created again",
    edits: [
      edit(
        contracts,
        "const marked = await listMarked(ask, desired);\n  const earlier",
        "const marked = await listMarked(ask, { ...desired, subscription_id: '' });\n  const earlier",
      ),
    ],
    rule: "one living contract",
  },
  {
    name: "a refusal counts as synced",
    what: "a change that the store refuses is marked as sent",
    edits: [
      edit(
        sync,
        "return recordRefusal(ctx, sync, error);",
        "return commit({ db: ctx.db }, [postponeSyncAnyway(sync, { tries: 0, next_action_at: null as never })]);",
      ),
    ],
    rule: agrees,
  },
  {
    name: "no answer counts as synced",
    what: "a change is marked as sent though the store did not answer",
    edits: [
      edit(
        sync,
        "return retryAfterNoResponse(ctx, sync, error);",
        "return commit({ db: ctx.db }, [postponeSyncAnyway(sync, { tries: 0, next_action_at: null as never })]);",
      ),
    ],
    rule: agrees,
  },
  {
    name: "synced whatever has changed",
    what: "a change during a sync is marked as sent, and a webhook during it as handled",
    edits: [
      edit(
        syncs,
        "return syncs.done(sync, agreed);",
        "return syncs.done({ ...sync, version: sql`version` as never }, agreed);",
      ),
    ],
    rule: agrees,
  },
  {
    name: "contracts are never sent again",
    what: "the sweep finds no contract whose message was lost",
    edits: [edit("src/runtime/jobs/tick.ts", "  contracts: [contractSweep],\n", "")],
    rule: "every change reaches the store",
  },
  {
    name: "paused, but charged",
    what: "a charge activates a contract that somebody has paused",
    edits: [
      edit(contracts, 'if (contract.status !== "FAILED") return', 'if (contract.status === "ACTIVE") return'),
    ],
    rule: "a paused contract is not charged",
  },
  {
    name: "ended at the store, unnoticed",
    what: "a subscription goes on after its contract has ended for good",
    edits: [
      edit(
        sync,
        "  if (isEnded(status))\n    return async () => {",
        "  if (isEnded(status) && isOver(row))\n    return async () => {",
      ),
    ],
    rule: agrees,
  },
  {
    name: "status is not sent",
    what: "a pause never reaches the store",
    edits: [edit(sync, "if (status !== desired) await setStatus(contracts, id, desired);", "")],
    rule: agrees,
  },
  {
    name: "dates are not sent",
    what: "the contract keeps its first date",
    edits: [edit(changes, "date !== null && date > today &&", "date !== null && date > '9' &&")],
    rule: agrees,
  },
].map(atShopify);
