import { contractStatusOf } from "../../src/contracts/desired-contract.ts";
import { dateIn } from "../../src/lib/dates.ts";
import { contractMark } from "../../src/store/shopify/contract-input.ts";
import { linesOf } from "../../src/subscriptions/row-codec.ts";
import { totalOf } from "../../test/support/fake-shopify/amounts.ts";
import type { Contract } from "../../test/support/fake-shopify.ts";
import { isUndone } from "../check-money.ts";
import type { FinalState } from "../final-state.ts";
import { instantOf, type World } from "../world.ts";
import type { OpenShopify } from "./store.ts";

type Row = FinalState["subscriptions"][number];

const agrees = "the contract is what its subscription wants";
const untaxed = { taxRate: 0, taxesIncluded: true };

const isOver = (status: string): boolean => status === "CANCELLED" || status === "EXPIRED";

/** By what is compared: the subscription's columns, and the contract as the store has it. */
const wantedOf = (row: Row, cards: Map<string | null, string>) => ({
  lines: linesOf(row)
    .map(({ store_variant_id: variant, price, quantity }) => `${quantity} × ${variant} at ${price}`)
    .sort(),
  total: row.total - row.tax_amount,
  billing: `${row.billing_interval_count} ${row.billing_interval}`,
  delivery: `${row.delivery_interval_count} ${row.delivery_interval}`,
  method: cards.get(row.payment_method_id),
  address: row.delivery_address === null ? undefined : JSON.parse(row.delivery_address).address1,
  note: row.note ?? "",
});

const shownBy = (contract: Contract): ReturnType<typeof wantedOf> => ({
  lines: contract.lines
    .map(({ variantId, price, quantity }) => `${quantity} × ${variantId.split("/").at(-1)} at ${price}`)
    .sort(),
  total: totalOf(contract, untaxed).total,
  billing: `${contract.billingPolicy.intervalCount} ${contract.billingPolicy.interval}`,
  delivery: `${contract.deliveryPolicy.intervalCount} ${contract.deliveryPolicy.interval}`,
  method: contract.method?.id,
  address: contract.deliveryMethod?.shipping?.address?.address1 ?? undefined,
  note: contract.note ?? "",
});

const contentsAgree = ({ report }: World, { cards }: FinalState, row: Row, contract: Contract): void => {
  const [wanted, shown] = [wantedOf(row, cards), shownBy(contract)];
  for (const key of Object.keys(wanted) as (keyof typeof wanted)[])
    if (String(wanted[key]) !== String(shown[key]))
      report(agrees, `its ${key}: ${shown[key]}, wanted ${wanted[key]}`);
};

const dateAgrees = ({ report, clock, account }: World, row: Row, contract: Contract): void => {
  const { next_billing_date: wanted } = row;
  if (wanted === null || wanted <= dateIn(instantOf({ clock }), account.timezone)) return;
  if (contract.nextBillingDate.slice(0, 10) !== wanted)
    report(agrees, `its next billing date: ${contract.nextBillingDate}, wanted ${wanted}`);
};

/** What the subscription says it is refused is told; what it was not told of it cannot know. */
const contractAgrees = (world: World, shopify: OpenShopify, finalState: FinalState, row: Row): void => {
  if (row.store_sync_error !== null) return;
  const { store_contract_id: number, status } = row;
  const contract = shopify.fake.contracts().find((one) => one.number === number);
  if (!contract) {
    if (!isOver(status)) world.report(agrees, `${status}, and it has none`);
    return;
  }
  if (shopify.contracts.missed.has(contract.number)) return;
  if (isOver(status) ? !isOver(contract.status) : contract.status !== contractStatusOf[status])
    world.report(agrees, `it is ${contract.status}, the subscription ${status}`);
  if (isOver(status) || isOver(contract.status) || row.open_attempt_id !== null) return;
  contentsAgree(world, finalState, row, contract);
  dateAgrees(world, row, contract);
};

const nothingIsToBeTold = ({ report, clock }: World, { syncs, subscriptions }: FinalState): void => {
  for (const { subscription_id, next_action_at, tries } of syncs) {
    const row = subscriptions.find(({ id }) => id === subscription_id);
    const waits = row?.store_sync_error !== null && (next_action_at ?? "") > instantOf({ clock });
    if (next_action_at !== null && !waits)
      report("the store is told everything", `after ${tries} tries it is to be told at ${next_action_at}`);
  }
};

/**
 * Of a subscription's own contracts one lives: another may be left over where one was made late, and is never charged.
 * A restore may have undone the life that one was made and charged for.
 */
const oneContractLives = (world: World, { fake, contracts, entries }: OpenShopify, row: Row): void => {
  const its = fake
    .contracts()
    .filter(({ customAttributes }) =>
      customAttributes.some(({ key, value }) => key === contractMark && value === row.id),
    );
  const isExcused = world.restores > 0 || its.some(({ number }) => contracts.madeLate.has(number));
  for (const contract of its) {
    if (contract.number === row.store_contract_id || isOver(contract.status)) continue;
    world.count("contracts left over");
    if (!isExcused) world.report("one contract lives", `${contract.number} is left over`);
    const charges = entries.filter((_, nth) => fake.attempts[nth]?.contract === contract);
    if (!charges.every((charge) => isUndone(world, charge)))
      world.report("one contract is charged", `${contract.number} is, and not linked`);
  }
};

export const checkContracts = (world: World, shopify: OpenShopify, finalState: FinalState): void => {
  for (const row of finalState.subscriptions) {
    contractAgrees(world, shopify, finalState, row);
    oneContractLives(world, shopify, row);
  }
  nothingIsToBeTold(world, finalState);
};
