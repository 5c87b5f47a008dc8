import { edit, type Mutant } from "./edits.ts";

const adapter = "src/stores/shopify/adapter.ts";
const charges = "src/stores/shopify/charges.ts";
const changes = "src/stores/shopify/contracts/contract-changes.ts";
const contracts = "src/stores/shopify/contracts/contracts.ts";
const withContractLease = "src/stores/shopify/contracts/contract-lease.ts";
const layers = "test/shopify/sync.test.ts";
const sync = "src/domain/contracts/sync.ts";
const syncs = "src/domain/contracts/outbox.ts";

const sameAmount = "amount charged = attempt amount";
const agrees = "the contract matches its subscription";
const readLast = "a contract is read right before its charge";

const unmarked = edit(
  "src/stores/shopify/contracts/contract-draft.ts",
  "  if (terms.deliveryMethod) await markDelivery();\n",
  "",
);
const deliveries = "src/stores/shopify/deliveries.ts";
const alwaysNoted = edit(deliveries, "      if (!isMarked) return;\n", "");
const notedByAll = edit(deliveries, "{ ...key, delivery: mark }", "key");

function atShopify(mutant: Omit<Mutant, "platform" | "caughtBy">): Mutant {
  return {
    ...mutant,
    platform: "shopify",
    caughtBy: "simulator",
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

/** Layers with another behind them, or that random schedules hardly reach; a test of its own proves each. */
export const storeLayerMutants: Mutant[] = [
  {
    name: "webhook during a sync",
    what: "a webhook during a sync is forgotten when the sync succeeds",
    edits: [edit(syncs, "{version} + 1`", "{version} + 0`")],
    test: "is applied even if its webhook arrives while a sync is running",
  },
  {
    name: "a mark that comes back",
    what: "a webhook is known by when its contract is due, which may be what a sync has read",
    edits: [edit(syncs, 'mark: ["version"]', 'mark: ["next_action_at"]')],
    test: "is applied even if its webhook arrives at the instant to which a sweep has put the sync off",
  },
  {
    name: "found, and taken as desired",
    what: "a contract that was created earlier is taken to have the current address",
    edits: [edit(adapter, "if (isNew) await delivery.note(id);", "await delivery.note(id);")],
    test: "is sent to a contract that was created without an answer",
  },
  {
    name: "an address of unknown outcome",
    what: "after no answer the address sent before is taken to be there still",
    edits: [unmarked, alwaysNoted, notedByAll],
    test: "is sent again if the last request with one had no answer",
  },
  {
    name: "an address marked before its draft",
    what: "a sender marks the address before its draft is begun, so that another may have sent one before the draft's commit",
    edits: [
      unmarked,
      edit(
        "src/stores/shopify/contracts/contract-commit.ts",
        "  try {\n",
        "  await markDelivery();\n  try {\n",
      ),
    ],
    test: "is sent again if an older one was sent after it by a sync that had lost its lease",
  },
  {
    name: "an address noted over another",
    what: "a sender notes its address although somebody else has begun to send one since",
    edits: [notedByAll],
    test: "is sent again after one that a sync which had lost its lease did not know of",
  },
  {
    name: "charged without a lease",
    what: "a charge changes the contract while a sync does",
    edits: [edit(adapter, "await withLease(charge.subscription_id, attempt);", "await attempt();")],
    test: "is not charged in the meantime",
  },
  {
    name: "lease released too early",
    what: "after no answer the next sync does not wait for the lease",
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
    name: "an overtaken sync agrees",
    what: "a sync that took longer than its lease records a status that another has changed since, and a resume is undone",
    edits: [
      edit(
        sync,
        "[isHeld, completeSync(sync, row, agreement)]",
        "[isHeld, completeSync(sync, row, agreement)].slice(1)",
      ),
    ],
    test: "a sync that is overtaken by another agrees on nothing",
  },
  {
    name: "an overtaken sync is found done",
    what: "what a sync has sent late stays at the store, as the one that overtook it has agreed already",
    edits: [
      edit(
        sync,
        "error instanceof OvertakenError ? updateOvertaken : postponeSync",
        "tries < 0 ? updateOvertaken : postponeSync",
      ),
    ],
    test: "a pause that is sent after another sync has resumed the contract",
  },
  {
    name: "declined, but charged",
    what: "a refusal of the contract ends an attempt whose first request may have succeeded",
    edits: [edit(charges, "if (!charge.isFirst) throw new UnknownOutcomeError(error.message);", "")],
    test: "a refusal of the contract is no decline if an earlier request may still arrive",
  },
  {
    name: "refused, but charged",
    what: "a refusal of the charge ends an attempt whose first request may have succeeded",
    edits: [edit(charges, "  if (!charge.isFirst) throw new UnknownOutcomeError(message);", "")],
    test: "a refusal of the charge is no decline if an earlier request may still arrive",
  },
].map(({ test, ...mutant }) => ({ ...mutant, platform: "shopify", caughtBy: { file: layers, test } }));
