import { expect } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import type { Charge, ChargeAnswer, KnownCharge, Store } from "../../../src/stores/port.ts";
import type { Fate, StoreWorld } from "./world.ts";

/** A request for the first charge of a new subscription's contract, of 24.90. */
export async function newCharge(
  { newContract, methodThat }: StoreWorld,
  store: Store,
  fate: Fate = "is_made",
): Promise<Charge> {
  const desired = await newContract();
  const store_contract_id = await store.createContract(desired, null);
  return {
    key: `key-${newId()}`,
    attempt_id: newId(),
    subscription_id: desired.subscription_id,
    store_contract_id,
    store_payment_method_id: methodThat(fate),
    amount: 2490,
    currency_code: "EUR",
    readDesired: async () => desired,
    isFirst: true,
    oversells: false,
    reference: null,
    noteReference: async () => {},
  };
}

/** A request that is sent again, as nobody knows what has become of the first. */
export function again(charge: Charge): Charge {
  return { ...charge, isFirst: false };
}

export function knownAs(charge: Charge, reference: string | null = null): KnownCharge {
  const { key, attempt_id, store_contract_id } = charge;
  return { key, attempt_id, store_contract_id, reference };
}

/** Charges, and looks at the charge until its answer is no longer that it is under way. */
export async function settle(store: Store, charge: Charge): Promise<ChargeAnswer> {
  let answer: ChargeAnswer | undefined = await store.charge(charge);
  for (let looks = 0; answer?.outcome === "pending" && looks < 5; looks++)
    answer = await store.findCharge(knownAs(charge, answer.reference));
  expect(answer?.outcome).not.toBe("pending");
  return answer!;
}

/** A charge that was paid, with the store's own id of it. */
export async function newPayment(
  world: StoreWorld,
  store: Store,
): Promise<{ charge: Charge; reference: string }> {
  const charge = await newCharge(world, store);
  const { outcome, reference } = await settle(store, charge);
  expect(outcome).toBe("succeeded");
  return { charge, reference };
}

/** How many charges are paid while something is done. */
export async function countPaidBy({ countPaid }: StoreWorld, act: () => Promise<unknown>): Promise<number> {
  const before = await countPaid();
  await act();
  return (await countPaid()) - before;
}

/** Reads all pages of a list, and counts them. */
export async function walk<T>(
  read: (after: string | null) => Promise<{ found: T[]; next: string | null }>,
): Promise<{ found: T[]; pages: number }> {
  const found: T[] = [];
  for (let after: string | null = null, pages = 1; pages <= 100; pages++) {
    const page: { found: T[]; next: string | null } = await read(after);
    found.push(...page.found);
    if (page.next === null) return { found, pages };
    after = page.next;
  }
  throw new Error("The list has no end");
}
