/** A payment at Stripe is made once and recorded, whatever answer is lost, isolate ends or database is restored. */
import { describe, expect, test, vi } from "vitest";
import { execute } from "../../support/database.ts";
import { type Fault, outcomes } from "../../support/fake-stripe.ts";
import { actionsOf, read } from "../../support/shops.ts";
import { interrupted, isolateEnded } from "../../support/slow-database.ts";
import { attemptsOf, ordersOf, setClock } from "../../support/worker.ts";
import { subscribed, useAccount } from "./account.ts";
import { charge, expectChargedOnce, intentsOf, newestOf, settled, shipped, started } from "./charging.ts";

const account = useAccount();
const dayMs = 86_400_000;

const operations = [
  "payment_intents.list",
  "payment_intents.create",
  "payment_intents.confirm",
  "payment_intents.retrieve",
  "payment_intents.cancel",
];
const faults: Omit<Fault, "on">[] = [
  { kind: "network", effect: "none" },
  { kind: "network", effect: "done" },
  { kind: "timeout", effect: "late" },
  { kind: "http500", effect: "none" },
  { kind: "http500", effect: "done" },
  { kind: "http502" },
  { kind: "http429" },
  { kind: "lock_timeout" },
  { kind: "malformed", effect: "done" },
];
const cases = operations.flatMap((on) =>
  faults.map((fault) => [on, fault.kind, fault.effect ?? "none", fault] as const),
);

describe("a request that fails once", () => {
  test.each(cases)("%s fails by %s (%s): charged once, and recorded", async (on, _kind, _effect, fault) => {
    const id = await subscribed(account);
    account.stripe.fail({ ...fault, on });
    await shipped(account, id);
    account.stripe.arriveLate();
    await settled(account);
    account.stripe.arriveLate();
    await expectChargedOnce(account, id);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", attempt_number: 1 });
    expect(account.stripe.charges()).toHaveLength(1);
    expect(await ordersOf(account.merchant, id)).toHaveLength(1);
  });

  test.each(cases)(
    "%s fails by %s (%s): declined, and confirmed by nobody later",
    async (on, _kind, _effect, fault) => {
      const id = await subscribed(account);
      account.stripe.nextOutcomes(outcomes.decline("insufficient_funds"));
      account.stripe.fail({ ...fault, on });
      await shipped(account, id);
      account.stripe.arriveLate();
      await settled(account);
      await expectChargedOnce(account, id);
      expect(await newestOf(account, id)).toMatchObject({
        status: "FAILED",
        error_code: "insufficient_funds",
      });
      expect(account.stripe.charges()).toHaveLength(0);
      expect(intentsOf(account, id).map(({ status }) => status)).not.toContain("requires_payment_method");
    },
  );
});

const points = {
  "the note of the intent": /update "billing_attempts" set "noted_reference"/i,
  "the number of the order": /insert into "order_numbers"/i,
  "the record of the success": /insert into "orders"/i,
};

describe("an isolate that ends", () => {
  const ends = Object.entries(points).flatMap(([name, matching]) =>
    (["before", "after"] as const).map((moment) => [moment, name, matching] as const),
  );

  test.each(ends)("%s %s: charged once, and recorded", async (moment, _name, matching) => {
    const id = await subscribed(account);
    const attempt = await started(account, id);
    const DB = interrupted(matching, { [moment]: isolateEnded });
    await charge(account, attempt, { ...account.worker.bindings, DB });
    await expectChargedOnce(account, id);
    await settled(account);
    await expectChargedOnce(account, id);
    expect(account.stripe.charges()).toHaveLength(1);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", attempt_number: 1 });
  });
});

test("a customer whose merchant was at fault is charged and stays out of dunning, where the isolate ends before that is recorded", async () => {
  const operations = ["payment_intents.confirm"];
  account.stripe.settings.restriction = { status: 400, code: "a_code_of_next_year", operations };
  const id = await subscribed(account);
  const attempt = await started(account, id);
  const isReplaced = () => intentsOf(account, id).some(({ status }) => status === "canceled");
  const DB = interrupted(/./, { before: async () => (isReplaced() ? isolateEnded() : undefined) });
  await charge(account, attempt, { ...account.worker.bindings, DB });
  expect(intentsOf(account, id)).toMatchObject([{ status: "canceled", cancellation_reason: "duplicate" }]);
  account.stripe.settings.restriction = null;
  await settled(account);
  expect(await attemptsOf(account.merchant, id)).toMatchObject([
    { id: attempt, status: "SUCCEEDED", attempt_number: 1 },
  ]);
  expect(await read(account.merchant, id)).toMatchObject({ status: "ACTIVE", is_in_dunning: false });
  expect(await actionsOf(id)).toContain("billing_succeeded");
  expect(await actionsOf(id)).not.toContain("billing_failed");
  expect(account.stripe.charges()).toHaveLength(1);
  await expectChargedOnce(account, id);
});

test("no intent is confirmed before it is noted", async () => {
  const id = await subscribed(account);
  const attempt = await started(account, id);
  const DB = interrupted(points["the note of the intent"], { before: isolateEnded });
  await charge(account, attempt, { ...account.worker.bindings, DB });
  expect(intentsOf(account, id)).toMatchObject([{ status: "requires_confirmation" }]);
  expect(account.stripe.requests.map(({ operation }) => operation)).not.toContain("payment_intents.confirm");
});

test("two consumers at once charge once", async () => {
  const id = await subscribed(account);
  const attempt = await started(account, id);
  await Promise.all(Array.from({ length: 5 }, () => charge(account, attempt)));
  await settled(account);
  await expectChargedOnce(account, id);
  expect(account.stripe.charges()).toHaveLength(1);
  expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
});

test("a consumer that was held up until another has charged confirms nothing, and records nothing", async () => {
  const id = await subscribed(account);
  const attempt = await started(account, id);
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const wait = () => {
    reached.resolve();
    return held.promise;
  };
  const DB = interrupted(points["the note of the intent"], { before: wait });
  const slow = charge(account, attempt, { ...account.worker.bindings, DB });
  await reached.promise;
  await settled(account);
  held.resolve();
  await slow;
  await expectChargedOnce(account, id);
  expect(account.stripe.charges()).toHaveLength(1);
  expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
});

describe("a day later, when Stripe has forgotten its keys", () => {
  test("a charge whose answer was lost is found by its id", async () => {
    const id = await subscribed(account);
    const attempt = await started(account, id);
    account.stripe.fail({ kind: "network", effect: "done", on: "payment_intents.confirm" });
    await charge(account, attempt);
    account.worker.forget();
    setClock(Date.now() + 25 * 3_600_000);
    await account.worker.tick();
    vi.useRealTimers();
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
    expect(account.stripe.charges()).toHaveLength(1);
  });

  test("an intent whose creation was lost is taken by the next attempt under its key, and charged once", async () => {
    const id = await subscribed(account);
    const attempt = await started(account, id);
    account.stripe.fail({ kind: "network", effect: "done", on: "payment_intents.create" });
    await charge(account, attempt);
    account.worker.forget();
    setClock(Date.now() + 25 * 3_600_000);
    await account.worker.tick();
    await settled(account, 3, Date.now());
    vi.useRealTimers();
    expect((await newestOf(account, id)).status).toBe("CANCELLED");
    await shipped(account, id);
    await expectChargedOnce(account, id);
    expect(intentsOf(account, id)).toMatchObject([{ status: "succeeded" }]);
  });
});

describe("a database that was restored", () => {
  test("to before the note finds the charge by its key", async () => {
    const id = await subscribed(account);
    const attempt = await started(account, id);
    const DB = interrupted(points["the record of the success"], { before: isolateEnded });
    await charge(account, attempt, { ...account.worker.bindings, DB });
    await execute(
      "UPDATE billing_attempts SET noted_reference = NULL, first_sent_at = NULL, last_sent_at = NULL, status = 'QUEUED', unanswered = 0, lease_until = NULL WHERE id = ?",
      attempt,
    );
    account.stripe.advance(3 * dayMs);
    await charge(account, attempt);
    await expectChargedOnce(account, id);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
    expect(account.stripe.charges()).toHaveLength(1);
    expect(intentsOf(account, id)).toHaveLength(1);
  });

  test("to before a decline is told of it again, and charges nobody", async () => {
    const id = await subscribed(account);
    account.stripe.nextOutcomes(outcomes.decline("insufficient_funds"));
    const attempt = await started(account, id);
    const DB = interrupted(/insert into "dunning_episodes"/i, { before: isolateEnded });
    await charge(account, attempt, { ...account.worker.bindings, DB });
    await execute(
      "UPDATE billing_attempts SET noted_reference = NULL, lease_until = NULL WHERE id = ?",
      attempt,
    );
    await charge(account, attempt);
    expect(await newestOf(account, id)).toMatchObject({ status: "FAILED", error_code: "insufficient_funds" });
    expect(account.stripe.charges()).toHaveLength(0);
    expect(intentsOf(account, id)).toHaveLength(1);
  });
});
