import type { Answers } from "../events/endpoints.ts";
import type { Choices } from "../kernel/choices.ts";
import { perAccount } from "../kernel/per-account.ts";

/** Who writes to the account's customers, if anybody does. */
export const mailerOf = perAccount((): SimulatedMailer | undefined => undefined);

/** A provider of mails and what it has accepted, outside of the database: no restore rewinds it. */
export type SimulatedMailer = {
  /** Resend knows a mail by its key for a day; to Postmark a repetition is another mail. */
  provider: "resend" | "postmark";
  answers: Answers;
  /** Reads each mail that it accepts, as its recipient does. */
  reads?: (content: string) => void;
  /** Apart from the schedule's own choices, so that those are the same with mails and without. */
  choices: Choices;
  /** The last event before the settings were made. */
  after: number;
  /** When each mail came first, by its id. */
  asked: Map<string, number>;
  /** When each mail was accepted, by its id. */
  accepted: Map<string, number[]>;
  /** The content that was accepted last under each key, and when: Resend compares a repetition with it. */
  known: Map<string, { content: string; at: number }>;
  /** The customer who only signs in to the portal, and who may be erased. */
  visitor: { id: string; email: string };
  erased: { at: number; commit: number } | undefined;
};

export const mailUrls = {
  resend: "https://api.resend.com/emails",
  postmark: "https://api.postmarkapp.com/email",
} as const;
