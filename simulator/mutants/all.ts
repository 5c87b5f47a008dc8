import { answerMutants } from "./answers.ts";
import { bulkMutants } from "./bulk.ts";
import { challengeMutants } from "./challenges.ts";
import { chargingMutants } from "./charging.ts";
import { clockAndLinkMutants } from "./clocks-and-links.ts";
import { closedDayMutants } from "./closed-days.ts";
import { stripeDisputeMutants } from "./disputes.ts";
import type { Mutant } from "./edits.ts";
import { eventMutants } from "./events.ts";
import { importMutants } from "./imports.ts";
import { invocationMutants } from "./invocations.ts";
import { keyMutants } from "./keys.ts";
import { leavingMutants } from "./leaving.ts";
import { lossMutants } from "./loss.ts";
import { mailMutants } from "./mails.ts";
import { moveMutants } from "./moves.ts";
import { objectMutants } from "./objects.ts";
import { orderMutants } from "./orders.ts";
import { placeMutants } from "./places.ts";
import { planMutants } from "./plans.ts";
import { prepaidMutants } from "./prepaid.ts";
import { priceMutants } from "./prices.ts";
import { promiseMutants } from "./promises.ts";
import { recordingMutants } from "./recording.ts";
import { reminderMutants } from "./reminders.ts";
import { removalMutants } from "./removals.ts";
import { storeMutants } from "./stores.ts";
import { streamMutants } from "./stream.ts";
import { stripeMutants, stripeRefundMutants, stripeWebhookMutants } from "./stripe.ts";
import { tryMutants } from "./tries.ts";
import { waitMutants } from "./waits.ts";

/** Bugs that are seeded on purpose, to show that the simulator or a test finds each of them. */
export const mutants: Mutant[] = [
  ...chargingMutants,
  ...challengeMutants,
  ...lossMutants,
  ...recordingMutants,
  ...prepaidMutants,
  ...promiseMutants,
  ...orderMutants,
  ...placeMutants,
  ...reminderMutants,
  ...waitMutants,
  ...tryMutants,
  ...priceMutants,
  ...streamMutants,
  ...answerMutants,
  ...storeMutants,
  ...stripeMutants,
  ...stripeDisputeMutants,
  ...stripeWebhookMutants,
  ...stripeRefundMutants,
  ...planMutants,
  ...eventMutants,
  ...mailMutants,
  ...invocationMutants,
  ...keyMutants,
  ...clockAndLinkMutants,
  ...closedDayMutants,
  ...importMutants,
  ...bulkMutants,
  ...leavingMutants,
  ...objectMutants,
  ...moveMutants,
  ...removalMutants,
];
