/** A payment that Stripe refuses for the merchant's sake waits, and goes on once that is mended. */
import { describe, expect, test } from "vitest";
import { select } from "../../support/database.ts";
import { actionsOf, type Json, read } from "../../support/shops.ts";
import { attemptsOf, later } from "../../support/worker.ts";
import { subscribed, useAccount } from "./account.ts";
import { expectChargedOnce, intentsOf, shipped } from "./charging.ts";

const account = useAccount();

const all = undefined;
const steps: [string, string[] | undefined][] = [
  ["every request", all],
  ["to create a payment", ["payment_intents.create"]],
  ["to confirm a payment", ["payment_intents.confirm"]],
  ["to confirm a payment, and to look at it", ["payment_intents.confirm", "payment_intents.retrieve"]],
  ["to confirm a payment, and to cancel it", ["payment_intents.confirm", "payment_intents.cancel"]],
  ["to list payments", ["payment_intents.list"]],
];

async function stateOf(id: string): Promise<Json> {
  const { status, is_in_dunning, billing_blocked_reason } = await read(account.merchant, id);
  return { status, is_in_dunning, billing_blocked_reason };
}

function restrict(restriction: { status: number; code: string; operations?: string[] | undefined } | null) {
  account.stripe.settings.restriction = restriction as typeof account.stripe.settings.restriction;
}

const published = [
  ["account_invalid", 400],
  ["account_invalid", 403],
  ["testmode_charges_only", 400],
  ["testmode_charges_only", 403],
] as const;
const refusals = published.flatMap(([code, status]) =>
  steps.map(([what, operations]) => [code, status, what, operations] as const),
);
/** Nobody knows what such a code says of the account: the payment is looked at. */
const newer = steps.flatMap(([what, operations]) =>
  operations?.includes("payment_intents.retrieve")
    ? []
    : [["a_code_of_next_year", 400, what, operations] as const],
);

describe("a restricted account", () => {
  test.each([...refusals, ...newer])(
    "by %s with status %i, that is refused %s, waits, and goes on once the merchant has mended it",
    async (code, status, _, operations) => {
      const id = await subscribed(account);
      restrict({ status, code, operations });
      await shipped(account, id);
      expect(await attemptsOf(account.merchant, id)).toMatchObject([
        { status: "FAILED", error_code: code, attempt_number: 1 },
      ]);
      const waiting = { status: "ACTIVE", is_in_dunning: false, billing_blocked_reason: code };
      expect(await stateOf(id)).toEqual(waiting);
      expect((await actionsOf(id)).filter((action) => action === "billing_waiting")).toHaveLength(1);
      await later(account.worker, 3_700);
      await account.worker.drain();
      expect(await stateOf(id)).toEqual(waiting);
      restrict(null);
      await later(account.worker, 3 * 3_600);
      await account.worker.drain();
      expect(await stateOf(id)).toEqual({ ...waiting, billing_blocked_reason: null });
      expect((await attemptsOf(account.merchant, id))[0]).toMatchObject({
        status: "SUCCEEDED",
        attempt_number: 1,
      });
      expect(await actionsOf(id)).toContain("billing_wait_ended");
      expect(intentsOf(account, id).filter((intent) => intent.status === "succeeded")).toHaveLength(1);
      await expectChargedOnce(account, id);
      expect(await episodes(id)).toBe(0);
    },
  );
});

async function episodes(id: string): Promise<number> {
  return (await select("SELECT id FROM dunning_episodes WHERE subscription_id = ?", id)).length;
}
