import { env } from "cloudflare:workers";
import type { Bindings } from "../../../../src/base/env.ts";
import { newId } from "../../../../src/base/lib/ids.ts";
import { execute, select } from "../../../support/database.ts";
import { openMerchant, put } from "../../../support/records.ts";
import { type Fate, type StoreWorld, worldOf } from "../world.ts";

const methods: Record<Fate, string> = {
  is_made: "pm_success",
  is_declined: "pm_insufficient_funds",
  waits: "pm_requires_action",
  loses_answer: "pm_timeout",
  does_not_arrive: "pm_timeout_not_charged",
};

/** The built-in store, where the payment method of a charge decides everything. */
export async function sandboxWorld(): Promise<StoreWorld> {
  const { of } = await openMerchant({ currency: "EUR" });
  const base = worldOf(of, { bindings: env as Bindings });
  const account_id = of.account.id;
  const inAccount = "account_seq = (SELECT seq FROM accounts WHERE id = ?)";
  return {
    ...base,
    isAsked: () => false,
    methodThat: (fate) => methods[fate],
    async countPaid() {
      const paid = `SELECT COUNT(*) AS paid FROM sandbox_charges WHERE state = 'SUCCEEDED' AND ${inAccount}`;
      return (await select<{ paid: number }>(paid, account_id))[0]!.paid;
    },
    async pay(count) {
      const at = Date.now();
      const rows = Array.from({ length: count }, (_, nth) => ({
        ...{ account_id, idempotency_key: newId(), state: "SUCCEEDED", amount: 1000, currency_code: "EUR" },
        created_at: new Date(at + nth).toISOString(),
      }));
      await put("sandbox_charges", rows);
      return rows.map(({ idempotency_key }) => idempotency_key);
    },
    expiredMethod: () => "pm_expired_card",
    refunds: {
      prepare: () => {},
      refundElsewhere: (reference, amount) =>
        execute(
          `INSERT INTO sandbox_refunds (account_seq, refund_number, charge_number, idempotency_key, state, amount, reason, created_at)
            SELECT account_seq, 1000, charge_number, NULL, 'SUCCEEDED', ?, NULL, created_at FROM sandbox_charges
              WHERE charge_number = ? AND ${inAccount}`,
          ...[amount, Number(/\d+/.exec(reference)?.[0]), account_id],
        ),
    },
  };
}
