import { errorCodes } from "./schema.ts";

type FailureKind = "general" | "inventory" | "payment";

/** The outcome of a billing attempt. */
export type Outcome =
  | { is: "success" }
  | { is: FailureKind; code: string }
  | { is: "unexpected"; message: string }
  /** The customer has to confirm; `outcome` follows then. */
  | { is: "challenge"; outcome: Outcome }
  /** Pending for this many more reads; with Infinity, until settle() is called. */
  | { is: "slow"; reads: number; outcome: Outcome };

function failure(kind: FailureKind) {
  return (code: string): Outcome => {
    if (!errorCodes[kind].includes(code)) throw new Error(`Shopify has no ${kind} error ${code}`);
    return { is: kind, code };
  };
}

const success: Outcome = { is: "success" };

/** Outcomes by name, for payment methods and for nextOutcomes(). */
export const outcomes = {
  success,
  payment: failure("payment"),
  general: failure("general"),
  inventory: failure("inventory"),
  unexpected: (message = "Something went wrong"): Outcome => ({ is: "unexpected", message }),
  challenge: (outcome: Outcome = success): Outcome => ({ is: "challenge", outcome }),
  slow: (reads = Number.POSITIVE_INFINITY, outcome: Outcome = success): Outcome => ({
    is: "slow",
    reads,
    outcome,
  }),
};

/** Every failure that the schema defines. */
export const allFailures: Outcome[] = [
  ...errorCodes.payment.map(outcomes.payment),
  ...errorCodes.general.map(outcomes.general),
  ...errorCodes.inventory.map(outcomes.inventory),
  outcomes.unexpected(),
];
