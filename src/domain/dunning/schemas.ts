import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut, referenceTexts } from "../../kit/http/document/fields.ts";
import { moneyOut } from "../../kit/http/document/money.ts";
import { dateIn, instant, queryList } from "../../kit/http/document/params.ts";
import { listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { episodeStatuses } from "./tables.ts";

const episodeTexts = {
  id: ["The episode's id.", demoId("dunning_episode", 7)],
  subscription_id: referenceTexts.subscription_id,
  cycle: ["The number of the cycle whose payment failed.", 4],
  status: "How far it has come.",
  attempt_count: ["How many payments have failed, the first included.", 2],
  max_attempts: ["How many payments are tried at most, the first included.", 4],
  next_retry_at: [
    "When the payment is tried again: UTC. Null unless the episode is OPEN.",
    "2026-11-24T12:00:00.000Z",
  ],
  last_error_code: ["Why the latest payment failed, as a code; null if not known.", "insufficient_funds"],
  last_error_message: ["The same as a sentence; null if not known.", "The card has insufficient funds"],
  opened_at: ["When the first payment failed: UTC, in the account's own time.", "2026-11-21T12:00:00.000Z"],
  closed_at: ["When the episode ended: UTC, in the account's own time. Null while it has not.", null],
} as const satisfies Record<string, FieldText>;

const status = z.enum(episodeStatuses).openapi("DunningStatus", {
  description:
    "OPEN: the payment is tried again on set days. AWAITING_CUSTOMER: it was declined for good, and waits for another payment method. RECOVERED: it was paid. EXHAUSTED: nothing helped. CLOSED: it ended with a pause, a cancellation or the like.",
  example: "OPEN",
});

const episode = {
  id: idOut,
  subscription_id: idOut,
  cycle: z.int(),
  status,
  attempt_count: z.int(),
  max_attempts: z.int(),
  next_retry_at: instant.nullable(),
  last_error_code: z.string().nullable(),
  last_error_message: z.string().nullable(),
  opened_at: instant,
  closed_at: instant.nullable(),
};

export const DunningEpisodeBody = named("DunningEpisode", z.strictObject(episode), episodeTexts, {
  description: "What followed a failed payment: retries, or a wait for the customer.",
});

export const DunningEpisodeList = listOf(DunningEpisodeBody, "DunningEpisodeList");

/** An episode among those of all subscriptions, with what people ask about it first. */
export const AccountEpisodeBody = named(
  "AccountDunningEpisode",
  z.strictObject({
    ...episode,
    subscription_number: z.string(),
    customer_name: z.string().nullable(),
    amount: moneyOut,
    currency_code: z.string(),
  }),
  {
    ...episodeTexts,
    subscription_number: ["The subscription's number, which people use.", "1007"],
    customer_name: ["The customer's name now; null where none is known.", "Ada Lovelace"],
    amount: [
      "What is owed: the amount that the next try charges. Of an episode that is over, the amount that its last payment was to charge. Major units of currency_code.",
      40.9,
    ],
    currency_code: commonTexts.currency_code,
  },
  { description: "What followed a failed payment, with whose payment it is and how much." },
);

export const AccountEpisodeList = listOf(AccountEpisodeBody, "AccountDunningEpisodeList");

export const EpisodeQuery = z.strictObject({
  ...pageQuery,
  status: queryList(episodeStatuses).optional(),
  next_retry_before: dateIn.optional().openapi({
    description:
      "Only OPEN episodes that are tried again before this: a date-time, or the beginning of a calendar date in the account's time zone.",
  }),
});
