import type { Instant } from "../../base/lib/time/dates.ts";

/** A mail as a provider sends it. Addresses and subject have gone through `mailHeaders`. */
export type OutgoingMail = {
  from: string;
  reply_to: string | null;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Names one mail in all its tries: a provider that knows keys sends it once. */
  key: string;
  /** When it is sent. */
  at: Instant;
};

/** A service that sends mails. */
export type MailSender = {
  /** Sends a mail; returns the provider's id of it. Throws a ThrottledError, RefusedError or UnknownSendError. */
  send(mail: OutgoingMail): Promise<{ id: string | null }>;
};

/** The provider asks to be left alone. Nothing was sent. */
export class ThrottledError extends Error {
  /** Seconds. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super("The provider is busy");
    this.name = "ThrottledError";
    this.retryAfter = retryAfter;
  }
}

/** The provider does not send the mail: for good (`isFinal`), or until somebody has put its settings right. */
export class RefusedError extends Error {
  readonly code: string;
  readonly isFinal: boolean;

  constructor(code: string, isFinal: boolean) {
    super(`The provider refused the mail: ${code}`);
    this.name = "RefusedError";
    this.code = code;
    this.isFinal = isFinal;
  }
}

/** Nobody knows whether the provider has sent the mail. */
export class UnknownSendError extends Error {
  constructor(why: string) {
    super(why);
    this.name = "UnknownSendError";
  }
}
