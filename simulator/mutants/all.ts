import { answerMutants } from "./answers.ts";
import { bulkMutants } from "./bulk.ts";
import { challengeMutants } from "./challenges.ts";
import { chargingMutants } from "./charging.ts";
import { clockAndLinkMutants } from "./clocks-and-links.ts";
import { closedDayMutants } from "./closed-days.ts";
import { dayMutants } from "./days.ts";
import { disputeMutants, stripeDisputeMutants } from "./disputes.ts";
import type { Mutant } from "./edits.ts";
import { eventMutants } from "./events.ts";
import { harmMutants } from "./harms.ts";
import { importMutants } from "./imports.ts";
import { invocationMutants } from "./invocations.ts";
import { keyMutants } from "./keys.ts";
import { layerMutants } from "./layers.ts";
import { leavingMutants } from "./leaving.ts";
import { lossMutants } from "./loss.ts";
import { mailMutants } from "./mails.ts";
import { merchantMutants } from "./merchants.ts";
import { moveMutants } from "./moves.ts";
import { noticeMutants } from "./notices.ts";
import { objectMutants } from "./objects.ts";
import { orderMutants } from "./orders.ts";
import { placeMutants } from "./places.ts";
import { planMutants } from "./plans.ts";
import { prepaidMutants } from "./prepaid.ts";
import { priceMutants } from "./prices.ts";
import { promiseMutants } from "./promises.ts";
import { recordingMutants } from "./recording.ts";
import { refundMutants } from "./refunds.ts";
import { reminderMutants } from "./reminders.ts";
import { removalLayerMutants, removalMutants } from "./removals.ts";
import { restoredContractMutants } from "./restored-contracts.ts";
import { soldContractMutants } from "./sold-contracts.ts";
import { standstillMutants } from "./standstill.ts";
import { storeLayerMutants, storeMutants } from "./stores.ts";
import { streamMutants } from "./stream.ts";
import { stripeMutants, stripeRefundMutants, stripeRestoreMutants, stripeWebhookMutants } from "./stripe.ts";
import { surroundingMutants } from "./surroundings.ts";
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
  ...refundMutants,
  ...placeMutants,
  ...reminderMutants,
  ...waitMutants,
  ...tryMutants,
  ...priceMutants,
  ...streamMutants,
  ...answerMutants,
  ...surroundingMutants,
  ...storeMutants,
  ...stripeMutants,
  ...stripeRestoreMutants,
  ...disputeMutants,
  ...stripeDisputeMutants,
  ...stripeWebhookMutants,
  ...stripeRefundMutants,
  ...planMutants,
  ...noticeMutants,
  ...standstillMutants,
  ...eventMutants,
  ...mailMutants,
  ...invocationMutants,
  ...keyMutants,
  ...clockAndLinkMutants,
  ...closedDayMutants,
  ...importMutants,
  ...bulkMutants,
  ...merchantMutants,
  ...leavingMutants,
  ...objectMutants,
  ...moveMutants,
  ...removalMutants,
  ...removalLayerMutants,
  ...layerMutants,
  ...storeLayerMutants,
  ...restoredContractMutants,
  ...soldContractMutants,
  ...harmMutants,
  ...dayMutants,
];
