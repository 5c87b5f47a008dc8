import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { type Fault, outcomes } from "../support/fake-stripe.ts";
import { interrupted, isolateEnded } from "../support/slow-database.ts";
import { setClock } from "../support/worker.ts";
import { accountOnStripe, type ConnectedAccount, subscribed, useAccount } from "./account.ts";
import { charge, expectChargedOnce, newestOf, settled, started } from "./charging.ts";

useAccount();

const operations = ["list", "create", "confirm", "retrieve", "cancel"].map(
  (name) => `payment_intents.${name}`,
);

const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom("network", "timeout", "http500", "http502", "http429", "lock_timeout", "malformed"),
  effect: fc.constantFrom("none", "done", "late"),
  times: fc.integer({ min: 1, max: 3 }),
  on: fc.constantFrom(...operations),
});

const points = [
  'set "noted_reference"',
  'insert into "order_numbers"',
  'insert into "orders"',
  "dunning_episodes",
];
const crash = fc.record({
  point: fc.constantFrom(...points),
  moment: fc.constantFrom("before", "after"),
});

const outcome = fc.constantFrom(
  outcomes.success,
  outcomes.decline("insufficient_funds"),
  outcomes.decline("expired_card"),
  outcomes.challenge(),
  outcomes.processing(),
  outcomes.processing(outcomes.failure("insufficient_funds")),
);

/** A claim that may be interrupted, a wait, or a request that arrives late. */
const step = fc.oneof(
  fc.record({ does: fc.constant("claim"), crash: fc.option(crash), twice: fc.boolean() }),
  fc.record({ does: fc.constant("wait"), hours: fc.constantFrom(0.02, 1, 5, 25) }),
  fc.record({ does: fc.constant("arrive") }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(account: ConnectedAccount, attempt: string, each: Step): Promise<void> {
  if (each.does === "arrive") return account.stripe.arriveLate();
  if ("hours" in each) {
    setClock(Date.now() + each.hours * 3_600_000);
    return account.worker.tick();
  }
  if (!("twice" in each)) return;
  const { crash, twice } = each;
  const DB = crash && interrupted(new RegExp(crash.point, "i"), { [crash.moment]: isolateEnded });
  const bindings = DB ? { ...account.worker.bindings, DB } : undefined;
  await Promise.all([charge(account, attempt, bindings), ...(twice ? [charge(account, attempt)] : [])]);
}

test("whatever fails, crashes and waits, a cycle is charged once at most, and a charge is never recorded as not made", async () => {
  await fc.assert(
    fc.asyncProperty(
      outcome,
      fc.array(fault, { maxLength: 6 }),
      fc.array(step, { minLength: 1, maxLength: 6 }),
      async (first, faults, steps) => {
        const account = await accountOnStripe();
        const id = await subscribed(account);
        account.stripe.nextOutcomes(first);
        const attempt = await started(account, id);
        for (const each of faults) account.stripe.fail(each);
        for (const each of steps) {
          await take(account, attempt, each);
          await expectChargedOnce(account, id);
        }
        account.stripe.arriveLate();
        await settled(account, 4);
        await expectChargedOnce(account, id);
        vi.useRealTimers();
        expect((await newestOf(account, id)).status).not.toBe("QUEUED");
      },
    ),
    { numRuns: 40 },
  );
});
