/** Why a mail is not sent. Each is explained where the API describes it (log-schemas.ts). */
export const suppressedReasons = [
  "late",
  "joined",
  "outdated",
  "imported",
  "address_suppressed",
  "no_customer",
  "kind_disabled",
  "disabled",
  "store_sends",
  "too_many",
] as const;
export type SuppressedReason = (typeof suppressedReasons)[number];

/** A mail that is not sent, and why. */
export class SilenceError extends Error {
  readonly reason: SuppressedReason;

  constructor(reason: SuppressedReason) {
    super(`The mail is not sent: ${reason}`);
    this.name = "SilenceError";
    this.reason = reason;
  }
}

/** A mail that is sent later, by the account's time. */
export class WaitError extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super("The mail waits");
    this.name = "WaitError";
    this.ms = ms;
  }
}
