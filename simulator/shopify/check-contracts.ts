import { dateIn } from "../../src/base/lib/time/dates.ts";
import { contractStatusOf } from "../../src/domain/contracts/desired-contract.ts";
import { linesOf } from "../../src/domain/subscriptions/row-codec.ts";
import { readMark } from "../../src/stores/shopify/contracts/contract-input.ts";
import { totalOf } from "../../test/support/fake-shopify/amounts.ts";
import { plain } from "../../test/support/fake-shopify/ids.ts";
import type { Contract } from "../../test/support/fake-shopify.ts";
import type { FinalState } from "../accounts/final-state.ts";
import { isUndoneByRestore } from "../billing/check-money.ts";
import { instantOf, type World } from "../kernel/world.ts";
import type { OpenShopify } from "../stores/shopify/opened.ts";

type Row = FinalState["subscriptions"][number];

export function checkContracts(world: World, shopify: OpenShopify, finalState: FinalState): void {
  for (const row of finalState.subscriptions) {
    contractAgrees(world, shopify, finalState, row);
    oneLivingContract(world, shopify, row);
  }
  nothingIsUnsent(world, finalState);
}

const agrees = "the contract matches its subscription";
const untaxed = { taxRate: 0, taxesIncluded: true };

function isOver(status: string): boolean {
  return status === "CANCELLED" || status === "EXPIRED";
}

/** The contract that a subscription's columns ask for. */
function desiredOf(row: Row, cards: Map<string | null, string>) {
  return {
    lines: linesOf(row)
      .map(({ store_variant_id: variant, price, quantity }) => `${quantity} × ${variant} at ${price}`)
      .sort(),
    total: row.total - row.tax_amount,
    billing: `${row.billing_interval_count} ${row.billing_interval}`,
    delivery: `${row.delivery_interval_count} ${row.delivery_interval}`,
    method: cards.get(row.payment_method_id),
    address: row.delivery_address === null ? undefined : JSON.parse(row.delivery_address).address1,
    note: row.note ?? "",
  };
}

function actualOf(contract: Contract): ReturnType<typeof desiredOf> {
  return {
    lines: contract.lines
      .map(({ variantId, price, quantity }) => `${quantity} × ${variantId.split("/").at(-1)} at ${price}`)
      .sort(),
    total: totalOf(contract, untaxed).total,
    billing: `${contract.billingPolicy.intervalCount} ${contract.billingPolicy.interval}`,
    delivery: `${contract.deliveryPolicy.intervalCount} ${contract.deliveryPolicy.interval}`,
    method: contract.method ? plain(contract.method.id) : undefined,
    address: contract.deliveryMethod?.shipping?.address?.address1 ?? undefined,
    note: contract.note ?? "",
  };
}

function contentsAgree({ report }: World, { cards }: FinalState, row: Row, contract: Contract): void {
  const [desired, actual] = [desiredOf(row, cards), actualOf(contract)];
  for (const key of Object.keys(desired) as (keyof typeof desired)[])
    if (String(desired[key]) !== String(actual[key]))
      report(agrees, `its ${key}: ${actual[key]}, should be ${desired[key]}`);
}

function dateAgrees({ report, clock, account }: World, row: Row, contract: Contract): void {
  const { next_billing_date: desired } = row;
  if (desired === null || desired <= dateIn(instantOf({ clock }), account.timezone)) return;
  if (contract.nextBillingDate.slice(0, 10) !== desired)
    report(agrees, `its next billing date: ${contract.nextBillingDate}, should be ${desired}`);
}

/** A line that the store does not have was added before the contract could be made: it is refused until the line is removed. */
function isRefusedAtStore(row: Row): boolean {
  return (
    row.store_sync_error !== null &&
    linesOf(row).some(({ store_variant_id: variant }) => variant === "unknown")
  );
}

/** A refused subscription says so in store_sync_error. One whose webhook was lost cannot know of the store's change. */
function contractAgrees(world: World, shopify: OpenShopify, finalState: FinalState, row: Row): void {
  if (row.store_contract_id === null && !isOver(row.status) && !isRefusedAtStore(row))
    world.report(agrees, `it has none: ${row.store_sync_error}`);
  if (row.store_sync_error !== null) return;
  const { store_contract_id: number, status } = row;
  const contract = shopify.fake.contracts().find((one) => one.number === number);
  if (!contract) {
    if (!isOver(status)) world.report(agrees, `${status}, and it has none`);
    return;
  }
  if (shopify.contracts.lostWebhooks.has(contract.number)) return;
  if (isOver(status) ? !isOver(contract.status) : contract.status !== contractStatusOf[status])
    world.report(agrees, `it is ${contract.status}, the subscription ${status}`);
  if (isOver(status) || isOver(contract.status) || row.open_attempt_id !== null) return;
  contentsAgree(world, finalState, row, contract);
  dateAgrees(world, row, contract);
}

function nothingIsUnsent({ report, clock }: World, { syncs, subscriptions }: FinalState): void {
  for (const { subscription_id, next_action_at, tries } of syncs) {
    const row = subscriptions.find(({ id }) => id === subscription_id);
    const isWaiting = row?.store_sync_error !== null && (next_action_at ?? "") > instantOf({ clock });
    if (next_action_at !== null && !isWaiting)
      report("every change reaches the store", `after ${tries} tries the next is at ${next_action_at}`);
  }
}

/**
 * A subscription has one living contract. Another may be left over where one was created late, and is never charged. A restore
 * may have undone the life that a contract was created and charged for.
 */
function oneLivingContract(world: World, { fake, contracts, entries }: OpenShopify, row: Row): void {
  const contractsOfRow = fake
    .contracts()
    .filter(({ customAttributes }) => readMark(customAttributes).subscription_id === row.id);
  const isExcused =
    world.restores > 0 || contractsOfRow.some(({ number }) => contracts.createdLate.has(number));
  for (const contract of contractsOfRow) {
    if (contract.number === row.store_contract_id || isOver(contract.status)) continue;
    world.count("contracts left over");
    if (!isExcused) world.report("one living contract", `${contract.number} is left over`);
    const charges = entries.filter((_, nth) => fake.attempts[nth]?.contract === contract);
    if (!charges.every((charge) => isUndoneByRestore(world, charge)))
      world.report("only the linked contract is charged", `${contract.number} is, and not linked`);
  }
}
