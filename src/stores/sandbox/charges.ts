import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { updatesWhere } from "../../base/db/row-writes.ts";
import { build, type Params, prepare, rows } from "../../base/db/statement.ts";
import {
  type Charge,
  type ChargeAnswer,
  challengeMs,
  type FailureClass,
  type KnownCharge,
  type MadeCharge,
  type Store,
  UnknownOutcomeError,
} from "../port.ts";
import { nextNumber } from "../tables.ts";
import { chargeNumberIn, chargeReference } from "./references.ts";
import { testMethodOfRefunds } from "./refunds.ts";
import { sandboxCharges as ledger, type SandboxCharge } from "./tables.ts";

type State = SandboxCharge["state"];
/** The effect of a test method on a charge: the state in the ledger, and whether its answer is lost. */
type Behaviour = { state: State; error_code?: string; losesAnswer?: true };

/**
 * The sandbox store's payments: a separate ledger, never written in the service's batches, with one row for each
 * idempotency key. A pending charge succeeds when it is looked up; one that waits for its customer expires when nobody waits for them any more.
 */
export function sandboxCharges(
  db: Db,
  accountSeq: AccountSeq,
  now: string,
): Pick<Store, "charge" | "findCharge" | "withdrawCharge" | "listCharges"> {
  const account_seq = accountSeq;
  const chargeOf = ({ key, reference }: Known) => {
    const charge_number = chargeNumberIn(reference ?? "");
    return charge_number === undefined
      ? selectByKey({ account_seq, value: key })
      : selectByNumber({ account_seq, value: charge_number });
  };
  const transition = ({ key, reference }: Known, from: State, to: Partial<SandboxCharge>): Statement => {
    const charge_number = chargeNumberIn(reference ?? "");
    const known = charge_number === undefined ? { idempotency_key: key } : { charge_number };
    return updateFrom({ account_seq, ...known }, to, { from });
  };
  /** A charge in a state goes into another, in one trip with the look at it. */
  const settle = async (charge: Known, from: State, to: Partial<SandboxCharge>) => {
    const [, found] = await commit<[unknown, SandboxCharge]>({ db }, [
      transition(charge, from, to),
      chargeOf(charge),
    ]);
    return found.rows[0];
  };

  const insertion = (
    { key, amount, currency_code, subscription_id, store_payment_method_id }: Charge,
    { state, error_code }: Behaviour,
  ) =>
    insertNew({
      account_seq,
      idempotency_key: key,
      state,
      amount,
      currency_code,
      error_code: error_code ?? null,
      created_at: now,
      subscription_id,
      refunded_as: testMethodOfRefunds(store_payment_method_id),
    });

  return {
    async charge(charge) {
      const behaviour = behaviourOf(charge);
      const byKey = { key: charge.key, reference: null };
      // A charge whose answer was lost is there already; one that this call makes is not.
      const [, inserted, found] = await commit<[unknown, unknown, SandboxCharge]>({ db }, [
        transition(byKey, "LOST", { state: "SUCCEEDED" }),
        insertion(charge, behaviour),
        chargeOf(byKey),
      ]);
      const isFirst = inserted.rows.length === 1;
      if (isFirst && behaviour.losesAnswer) throw new UnknownOutcomeError("The sandbox store did not answer");
      return interpretCharge(found.rows[0]!)!;
    },
    async findCharge(charge) {
      const row = await settle(charge, "PENDING", { state: "SUCCEEDED" });
      if (row?.state !== "ACTION_REQUIRED" || Date.parse(now) - Date.parse(row.created_at) < challengeMs)
        return row && interpretCharge(row);
      const expired = await settle(charge, "ACTION_REQUIRED", {
        state: "DECLINED",
        error_code: "authentication_expired",
      });
      return expired && interpretCharge(expired);
    },
    async listCharges({ since, after }) {
      const number = after === null ? null : Number(after.split(" ")[1]);
      const found = await rows(db, selectPage({ account_seq, since, number }));
      const last = found.at(-1);
      return {
        charges: found.filter(({ state }) => state === "SUCCEEDED").map(madeChargeOf),
        next: last && found.length === chargesListed ? `${last.created_at} ${last.charge_number}` : null,
      };
    },
    async withdrawCharge(charge) {
      const row = await settle(charge, "ACTION_REQUIRED", { state: "DECLINED", error_code: "withdrawn" });
      return row && interpretCharge(row);
    },
  };
}

const chargesListed = 50;

function madeChargeOf(row: SandboxCharge): MadeCharge {
  const { idempotency_key: key, created_at, subscription_id, charge_number } = row;
  const reference = chargeReference(row);
  return {
    key,
    reference,
    created_at,
    subscription_id,
    store_contract_id: null,
    store_order_id: `sandbox-order-${charge_number}`,
  };
}

/** By what the ledger finds a charge: its reference where that is known, else the key that it was requested under. */
type Known = Pick<KnownCharge, "key" | "reference">;

const selectByKey = selectBy(ledger.idempotency_key);
const selectByNumber = selectBy(ledger.charge_number);

function selectBy(column: SQLiteColumn) {
  return prepare((p: Params<{ account_seq: AccountSeq; value: string | number }>) =>
    build
      .select()
      .from(ledger)
      .where(and(eq(ledger.account_seq, p("account_seq")), eq(column, p("value")))),
  );
}

const updateFrom = updatesWhere<{ from: State }>(ledger, (p) => eq(ledger.state, p("from")));

const insertNew = prepare((p: Params<Omit<SandboxCharge, "charge_number">>) =>
  build
    .insert(ledger)
    .values({
      charge_number: nextNumber(ledger.charge_number, ledger, p("account_seq")),
      account_seq: p("account_seq"),
      idempotency_key: p("idempotency_key"),
      state: p("state"),
      amount: p("amount"),
      currency_code: p("currency_code"),
      error_code: p("error_code"),
      created_at: p("created_at"),
      subscription_id: p("subscription_id"),
      refunded_as: p("refunded_as"),
    })
    .onConflictDoNothing()
    .returning({ charge_number: ledger.charge_number }),
);

/** Charges are numbered as time goes on: those since an instant begin behind the last one before it. */
const selectPage = prepare((p: Params<{ account_seq: AccountSeq; since: string; number: number | null }>) => {
  const { account_seq, charge_number, created_at } = ledger;
  const lastBefore = build
    .select({ charge_number })
    .from(ledger)
    .where(and(eq(account_seq, p("account_seq")), sql`${created_at} < ${p("since")}`))
    .orderBy(desc(charge_number))
    .limit(1);
  return build
    .select()
    .from(ledger)
    .where(
      and(
        eq(account_seq, p("account_seq")),
        sql`${charge_number} > COALESCE(${p("number")}, ${lastBefore}, 0)`,
        sql`${created_at} >= ${p("since")}`,
      ),
    )
    .orderBy(asc(charge_number))
    .limit(chargesListed);
});

function declineAs(error_code: string): Behaviour {
  return { state: "DECLINED", error_code };
}

/** By payment method id, as with test cards; any other id is charged. Callers choose the ids, so this is a Map, which has no inherited keys. */
const behaviours = new Map<string, Behaviour>([
  ["pm_card_declined", declineAs("card_declined")],
  ["pm_insufficient_funds", declineAs("insufficient_funds")],
  ["pm_expired_card", declineAs("expired_card")],
  ["pm_requires_action", { state: "ACTION_REQUIRED" }],
  ["pm_pending", { state: "PENDING" }],
  ["pm_timeout", { state: "SUCCEEDED", losesAnswer: true }],
  ["pm_timeout_not_charged", { state: "LOST", losesAnswer: true }],
  ["pm_gateway_disabled", declineAs("payment_provider_is_not_enabled")],
  ["pm_out_of_stock", declineAs("insufficient_inventory")],
]);

/** A total of 0 asks for no payment, so that the payment method says nothing. */
function behaviourOf({ amount, store_payment_method_id: id, oversells }: Charge): Behaviour {
  if (amount === 0) return { state: "SUCCEEDED" };
  if (id === null) return declineAs("payment_method_not_found");
  if (id === "pm_out_of_stock" && oversells) return { state: "SUCCEEDED" };
  return behaviours.get(id) ?? { state: "SUCCEEDED" };
}

const messages: Record<string, string> = {
  card_declined: "The card was declined",
  insufficient_funds: "The card has insufficient funds",
  expired_card: "The card has expired",
  payment_method_not_found: "There is no payment method",
  authentication_expired: "The customer did not confirm the payment in time",
  withdrawn: "The payment was withdrawn for another payment method",
  payment_provider_is_not_enabled: "The shop's payment provider is not enabled",
  insufficient_inventory: "The goods are out of stock",
};

/** Who or what caused a code, if not the customer. */
const classes: Record<string, FailureClass> = {
  payment_provider_is_not_enabled: "merchant",
  insufficient_inventory: "stock",
};

const finalCodes = new Set(["authentication_expired", "expired_card", "payment_method_not_found"]);

function interpretCharge(row: SandboxCharge): ChargeAnswer | undefined {
  const reference = chargeReference(row);
  if (row.state === "LOST") return undefined;
  if (row.state === "PENDING") return { outcome: "pending", reference };
  if (row.state === "ACTION_REQUIRED")
    return {
      outcome: "action_required",
      reference,
      url: `https://sandbox-store.invalid/challenges/${row.idempotency_key}`,
    };
  const code = row.error_code ?? "card_declined";
  if (row.state === "DECLINED")
    return {
      outcome: "declined",
      reference,
      code,
      failure: classes[code] ?? "customer",
      message: messages[code] ?? code,
      isFinal: finalCodes.has(code),
      isRefused: false,
    };
  return {
    outcome: "succeeded",
    reference,
    store_order_id: `sandbox-order-${row.charge_number}`,
    store_order_number: `#${row.charge_number}`,
    amount: row.amount,
    tax_amount: 0,
    fees_amount: 0,
    currency_code: row.currency_code,
  };
}
