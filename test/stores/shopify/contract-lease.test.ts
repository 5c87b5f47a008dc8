/** A contract is held by one job at a time, for two minutes at most. */
import { expect, test } from "vitest";
import type { AccountSeq } from "../../../src/base/db/columns.ts";
import { withContractLease } from "../../../src/stores/shopify/contracts/contract-lease.ts";
import { testDb } from "../../support/database.ts";

const start = Date.parse("2026-03-02T12:00:00.000Z");
const accountSeq = 1_000_000 as AccountSeq;
let nth = 0;

/** A contract that nobody holds, and work under its lease at an instant so many seconds after the start. */
function newContract() {
  const subscriptionId = `subscription-${++nth}`;
  return (seconds: number, work: () => Promise<unknown>) => {
    const realNow = new Date(start + seconds * 1000).toISOString();
    return withContractLease({ db: testDb(), accountSeq, subscriptionId, realNow }, work);
  };
}

function isTaken(working: Promise<unknown>): Promise<boolean> {
  return working.then(
    () => false,
    () => true,
  );
}

test("a holder that stops without an end keeps the lease for two minutes", async () => {
  const underLease = newContract();
  void underLease(0, () => new Promise(() => {}));
  for (const seconds of [1, 2, 60, 119])
    expect(await isTaken(underLease(seconds, async () => {}))).toBe(true);
  expect(await isTaken(underLease(120, async () => {}))).toBe(false);
});

test("a holder that ends after its lease does not release that of the next", async () => {
  const underLease = newContract();
  let end = (): void => {};
  const slow = underLease(0, () => new Promise<void>((resolve) => (end = resolve)));
  const next = underLease(120, async () => {
    end();
    await slow;
    expect(await isTaken(underLease(121, async () => {}))).toBe(true);
  });
  await next;
  expect(await isTaken(underLease(121, async () => {}))).toBe(false);
});
