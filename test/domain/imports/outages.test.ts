/** No row of an import fails because the store or the database was away for minutes. */
import { describe, expect, test } from "vitest";
import { credentialsKey, useAccount } from "../../stores/stripe/account.ts";
import { select } from "../../support/database.ts";
import { actionsOf, type Json } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { later, openWorker, type TestWorker } from "../../support/worker.ts";
import { jobOf, must, outcomesOf, rowOf, rowsOf, stage, start } from "./imports.ts";

const account = useAccount();

const refs = ["a", "b", "c"];

/** An import of three subscriptions of one customer, of which the first two have cards of their own. */
async function staged(): Promise<{ id: string; cards: string[] }> {
  const { merchant, stripe, customer } = account;
  const cards = refs.map(() => stripe.addPaymentMethod(customer).id);
  const rows = refs.map((ref, nth) =>
    rowOf(merchant, ref, { email: "ada@example.com", store_payment_method_id: cards[nth] }),
  );
  return { id: await stage(merchant, rows), cards };
}

async function begin(id: string, commit: boolean, worker: TestWorker): Promise<void> {
  must(await worker.call(account.merchant.api, "POST", `/api/jobs/${id}/start`, { body: { commit } }));
  await worker.drain();
}

/** Five minutes of cron, each half of one. */
async function fiveMinutes(worker: TestWorker): Promise<void> {
  for (let half = 0; half < 10; half++) await later(worker, 30);
}

async function expectMovedIn(id: string): Promise<void> {
  const { merchant, worker } = account;
  for (let half = 0; half < 12; half++) await later(worker, 30);
  expect(await jobOf(merchant, id)).toMatchObject({ status: "DONE", done: 3, failed: 0, error: null });
  expect(await outcomesOf(merchant, id)).toEqual({ a: "OK", b: "OK", c: "OK" });
  const made = await select<Json>(
    "SELECT id, migration_source_ref AS ref FROM subscriptions WHERE profile_id = ? ORDER BY ref",
    account.profileId,
  );
  expect(made.map(({ ref }) => ref)).toEqual(refs);
  expect((await rowsOf(merchant, id)).map(({ record_id }) => record_id)).toEqual(made.map((one) => one.id));
  for (const one of made) expect(await actionsOf(one.id)).toEqual(["subscription_created"]);
  expect((await actionsOf(id)).filter((action) => action === "job_failed")).toEqual([]);
}

/** Stripe, which for as long as it is away answers nothing about these cards, or about anything. */
function takeAway(cards?: string[]): () => void {
  const { fetch: answer } = account.stripe;
  const isAsked = (url: string) => !cards || cards.some((card) => url.includes(card));
  account.stripe.fetch = async (request) => {
    if (isAsked(request.url)) throw new Error("Network connection lost.");
    return answer(request);
  };
  return () => {
    account.stripe.fetch = answer;
  };
}

describe("rows of an import that a store does not answer about for five minutes are moved in, and none has failed", () => {
  test.each([
    ["of any row", false],
    ["of the first row, while it answers about others", true],
  ])("%s", async (_, isAlone) => {
    const { id, cards } = await staged();
    const { merchant, worker } = account;
    const away = () => takeAway(isAlone ? cards.slice(0, 1) : undefined);
    const comeBack = away();
    await begin(id, false, worker);
    await fiveMinutes(worker);
    expect(await jobOf(merchant, id)).toMatchObject({
      ...{ status: "CHECKING", failed: 0 },
      error: "The store does not answer; the job goes on once it does",
    });
    comeBack();
    for (let half = 0; half < 12; half++) await later(worker, 30);
    expect(await jobOf(merchant, id)).toMatchObject({ status: "READY", failed: 0 });
    const comeBackAgain = away();
    await begin(id, true, worker);
    await fiveMinutes(worker);
    expect(await jobOf(merchant, id)).toMatchObject({ status: "RUNNING", failed: 0 });
    comeBackAgain();
    await expectMovedIn(id);
  });
});

test("rows of an import that the database does not answer for five minutes are moved in, and none has failed", async () => {
  const { id } = await staged();
  const { merchant, worker } = account;
  await start(merchant, worker, id, false);
  const before = () => Promise.reject(new Error("The operation was aborted due to timeout"));
  const DB = interrupted(/insert into "?subscriptions"?/i, { before });
  const cutOff = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey, DB }, merchant.of.account.id);
  await begin(id, true, cutOff);
  await fiveMinutes(cutOff);
  expect(await jobOf(merchant, id)).toMatchObject({
    ...{ status: "RUNNING", done: 0, failed: 0 },
    error: "The database does not answer; the job goes on once it does",
  });
  await expectMovedIn(id);
});
