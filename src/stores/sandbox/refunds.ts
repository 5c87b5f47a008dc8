import { and, eq, ne } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { build, first, raw, statement } from "../../base/db/statement.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { Refund, StoreRefund } from "../port/refunds.ts";
import { type Store, StoreRefusalError, UnknownOutcomeError } from "../port.ts";
import { chargeNumberIn } from "./references.ts";
import { sandboxCharges as charges, sandboxRefunds as ledger, type SandboxRefund } from "./tables.ts";

/** The effect of a test method on a refund: the state in the ledger, and whether its answer is lost. */
type Behaviour = { state: SandboxRefund["state"]; losesAnswer?: true };

/**
 * The sandbox store's refunds: a ledger of its own, never written in the service's batches, with one row for each key. No more is paid
 * back of a charge than was paid. A pending refund succeeds when the refunds of its charge are looked up.
 */
export function sandboxRefunds(
  db: Db,
  accountSeq: AccountSeq,
  now: Instant,
): Required<Pick<Store, "refund" | "listRefunds">> {
  const ofKey = (key: string) => and(eq(ledger.account_seq, accountSeq), eq(ledger.idempotency_key, key));
  /** A reference that the store has not given names no charge. */
  const ofCharge = (reference: string) =>
    and(eq(ledger.account_seq, accountSeq), eq(ledger.charge_number, chargeNumberIn(reference) ?? 0));

  const behaviourOf = async (reference: string): Promise<Behaviour> => {
    const charge = build
      .select({ refunded_as: charges.refunded_as })
      .from(charges)
      .where(
        and(eq(charges.account_seq, accountSeq), eq(charges.charge_number, chargeNumberIn(reference) ?? 0)),
      );
    const found = await first(db, statement(charge));
    return behaviours.get(found?.refunded_as ?? "") ?? { state: "SUCCEEDED" };
  };

  return {
    async refund(refund) {
      const { state, losesAnswer } = await behaviourOf(refund.reference);
      const arrival = build
        .update(ledger)
        .set({ state: "SUCCEEDED" })
        .where(and(ofKey(refund.key), eq(ledger.state, "LOST")));
      // A refund whose answer was lost is there already; one that this call makes is not.
      const [, inserted, found] = await commit<[unknown, unknown, SandboxRefund]>({ db }, [
        statement(arrival),
        insertRefund(accountSeq, refund, { state, now }),
        statement(build.select().from(ledger).where(ofKey(refund.key))),
      ]);
      const [row] = found.rows;
      if (!row) throw new StoreRefusalError("The charge has less left to pay back", ["amount_too_large"]);
      if (inserted.rows.length === 1 && losesAnswer)
        throw new UnknownOutcomeError("The sandbox store did not answer");
      return presentRefund(row);
    },
    async listRefunds(reference) {
      const settling = build
        .update(ledger)
        .set({ state: "SUCCEEDED" })
        .where(and(ofCharge(reference), eq(ledger.state, "PENDING")));
      const shown = build
        .select()
        .from(ledger)
        .where(and(ofCharge(reference), ne(ledger.state, "LOST")))
        .orderBy(ledger.refund_number);
      const [, found] = await commit<[unknown, SandboxRefund]>({ db }, [
        statement(settling),
        statement(shown),
      ]);
      return found.rows.map(presentRefund);
    },
  };
}

/** The payment method of a charge, if it is one of those that decide what its refunds lead to. */
export function testMethodOfRefunds(paymentMethodId: string | null): string | null {
  return paymentMethodId !== null && behaviours.has(paymentMethodId) ? paymentMethodId : null;
}

/** By payment method id, as with test cards; refunds of any other succeed at once. */
const behaviours = new Map<string, Behaviour>([
  ["pm_refund_pending", { state: "PENDING" }],
  ["pm_refund_timeout", { state: "SUCCEEDED", losesAnswer: true }],
  ["pm_refund_timeout_not_made", { state: "LOST", losesAnswer: true }],
  ["pm_refund_fails", { state: "FAILED" }],
]);

/** Inserts a refund under a new key, if so much of its charge is left. The builder has no conditions for a row that it inserts. */
function insertRefund(
  accountSeq: AccountSeq,
  { key, reference, amount, reason }: Refund,
  { state, now }: { state: SandboxRefund["state"]; now: Instant },
): Statement {
  return raw(
    `INSERT INTO sandbox_refunds
        (account_seq, refund_number, charge_number, idempotency_key, state, amount, reason, created_at)
      SELECT account_seq, (SELECT COALESCE(MAX(refund_number), 0) + 1 FROM sandbox_refunds WHERE account_seq = ?1),
        charge_number, ?2, ?3, ?4, ?5, ?6
      FROM sandbox_charges WHERE account_seq = ?1 AND charge_number = ?7 AND state = 'SUCCEEDED'
        AND amount - (SELECT COALESCE(SUM(amount), 0) FROM sandbox_refunds
          WHERE account_seq = ?1 AND charge_number = ?7 AND state <> 'FAILED') >= ?4
      ON CONFLICT DO NOTHING RETURNING refund_number`,
    ...[accountSeq, key, state, amount, reason, now, chargeNumberIn(reference) ?? 0],
  );
}

function presentRefund(row: SandboxRefund): StoreRefund {
  const { refund_number, idempotency_key: key, amount, state, reason, created_at } = row;
  if (state === "LOST") throw new UnknownOutcomeError("The sandbox store did not answer");
  return { reference: `sandbox-refund-${refund_number}`, key, amount, status: state, reason, created_at };
}
