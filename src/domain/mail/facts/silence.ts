import type { SuppressedReason } from "../tables.ts";

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
