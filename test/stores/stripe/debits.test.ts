/** A debit that takes days is asked about until it arrives or comes back. */
import { expect, test, vi } from "vitest";
import { actionsOf, read } from "../../support/shops.ts";
import { episodesOf, setClock } from "../../support/worker.ts";
import { subscribed, useAccount } from "./account.ts";
import { expectChargedOnce, intentsOf, newestOf, settled, shipped } from "./charging.ts";

const account = useAccount();
const hourMs = 3_600_000;

const debited = (token: string) =>
  subscribed({ ...account, card: account.stripe.addPaymentMethod(account.customer, token).id });

/** Cron once an hour, for so many days. */
async function wait(days: number): Promise<void> {
  const start = Date.now();
  for (let hour = 1; hour <= days * 24; hour++) {
    setClock(start + hour * hourMs);
    await account.worker.tick();
  }
}

test("a debit that takes days is nobody's to look at, and is recorded when it has arrived", async () => {
  const id = await debited("pm_sepaDebit_success");
  await shipped(account, id);
  expect(await newestOf(account, id)).toMatchObject({ status: "PROCESSING" });
  await wait(5);
  expect(await newestOf(account, id)).toMatchObject({ status: "PROCESSING" });
  expect(await actionsOf(id)).not.toContain("billing_review_required");
  account.stripe.settle(intentsOf(account, id)[0]!.id);
  await wait(1);
  vi.useRealTimers();
  expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", attempt_number: 1 });
  await expectChargedOnce(account, id);
});

test("a debit that takes days is asked about every two hours, not more often", async () => {
  const id = await debited("pm_sepaDebit_success");
  await shipped(account, id);
  await wait(2);
  const before = account.stripe.requests.length;
  await wait(1);
  vi.useRealTimers();
  expect(account.stripe.requests.length - before).toBeLessThanOrEqual(13);
  expect(account.stripe.requests.length - before).toBeGreaterThanOrEqual(10);
});

test("a debit that comes back has failed, and dunning begins", async () => {
  const id = await debited("pm_usBankAccount_insufficientFunds");
  await shipped(account, id);
  await wait(3);
  account.stripe.settle(intentsOf(account, id)[0]!.id);
  await wait(1);
  vi.useRealTimers();
  expect(await newestOf(account, id)).toMatchObject({ status: "FAILED", error_code: "insufficient_funds" });
  expect((await episodesOf(account.merchant, id)).map(({ status }) => status)).toEqual(["OPEN"]);
  await expectChargedOnce(account, id);
});

test("a debit of a closed account waits for its customer", async () => {
  const id = await debited("pm_usBankAccount_accountClosed");
  await shipped(account, id);
  account.stripe.settle(intentsOf(account, id)[0]!.id);
  await settled(account);
  expect(await newestOf(account, id)).toMatchObject({ status: "FAILED", error_code: "account_closed" });
  expect(await read(account.merchant, id)).toMatchObject({ is_in_dunning: true });
});
