import { accountBugs } from "./accounts/bugs.ts";
import { billingBugs } from "./billing/bugs.ts";
import { bulkBugs } from "./bulk/bugs.ts";
import { clockBugs } from "./clocks/bugs.ts";
import { closedDayBugs } from "./closed-days/bugs.ts";
import { declarationBugs } from "./declarations/bugs.ts";
import { disputeBugs } from "./disputes/bugs.ts";
import { eventBugs } from "./events/bugs.ts";
import { httpBugs } from "./http/bugs.ts";
import { importBugs } from "./imports/bugs.ts";
import { leavingBugs } from "./leaving/bugs.ts";
import { moveBugs } from "./moves/bugs.ts";
import { noticeBugs } from "./notices/bugs.ts";
import { orderBugs } from "./orders/bugs.ts";
import { planBugs } from "./plans/bugs.ts";
import { poisonBugs } from "./poison/bugs.ts";
import { portalBugs } from "./portal/bugs.ts";
import { refundBugs } from "./refunds/bugs.ts";
import { removalBugs } from "./removals/bugs.ts";
import type { SeededBug } from "./seeded-bug.ts";
import { shopifyBugs } from "./shopify/bugs.ts";
import { stripeBugs } from "./stripe/bugs.ts";
import { subscriptionBugs } from "./subscriptions/bugs.ts";
import { undoBugs } from "./undo/bugs.ts";
import { workerBugs } from "./worker/bugs.ts";

/** Bugs that are seeded on purpose, to show that the simulator finds each of them. */
export const seededBugs: SeededBug[] = [
  ...subscriptionBugs,
  ...billingBugs,
  ...orderBugs,
  ...refundBugs,
  ...eventBugs,
  ...noticeBugs,
  ...stripeBugs,
  ...disputeBugs,
  ...shopifyBugs,
  ...planBugs,
  ...httpBugs,
  ...accountBugs,
  ...workerBugs,
  ...clockBugs,
  ...portalBugs,
  ...closedDayBugs,
  ...bulkBugs,
  ...undoBugs,
  ...poisonBugs,
  ...leavingBugs,
  ...declarationBugs,
  ...importBugs,
  ...moveBugs,
  ...removalBugs,
];
