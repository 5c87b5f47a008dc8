import { checkAttempts } from "./check-attempts.ts";
import { checkChallenges } from "./check-challenges.ts";
import { checkDeliveries } from "./check-deliveries.ts";
import { checkDunning } from "./check-dunning.ts";
import { checkHistory } from "./check-history.ts";
import { checkIntervals } from "./check-intervals.ts";
import { checkKeys } from "./check-keys.ts";
import { checkMails } from "./check-mails.ts";
import { checkMoney } from "./check-money.ts";
import { checkOrders } from "./check-orders.ts";
import { checkPlaces } from "./check-places.ts";
import { checkPrepaid } from "./check-prepaid.ts";
import { checkPrices } from "./check-prices.ts";
import { checkReminders } from "./check-reminders.ts";
import { checkReviews } from "./check-reviews.ts";
import { checkState } from "./check-state.ts";
import { checkStock } from "./check-stock.ts";
import { readFinalState } from "./final-state.ts";
import { checkContracts } from "./shopify/check-contracts.ts";
import { checkNotices } from "./shopify/check-notices.ts";
import { checkStream } from "./stream.ts";
import { checkIntents } from "./stripe/check-intents.ts";
import { checkWebhooks } from "./stripe/check-webhooks.ts";
import type { World } from "./world.ts";

/** Checks the state in which a schedule ended. */
export async function checkFinalState(world: World): Promise<void> {
  const finalState = await readFinalState(world);
  checkMoney(world, finalState);
  checkOrders(world, finalState);
  checkPlaces(world, finalState);
  checkPrepaid(world, finalState);
  checkPrices(world, finalState);
  checkState(world, finalState);
  checkHistory(world, finalState);
  checkDunning(world, finalState);
  checkAttempts(world, finalState);
  checkChallenges(world, finalState);
  checkStock(world, finalState);
  checkIntervals(world, finalState);
  checkReminders(world, finalState);
  checkReviews(world, finalState);
  checkKeys(world);
  await checkDeliveries(world);
  await checkMails(world, finalState);
  await checkStream(world);
  if (world.shopify) {
    checkContracts(world, world.shopify, finalState);
    checkNotices(world, world.shopify, finalState);
  }
  if (world.stripe) checkIntents(world, world.stripe, finalState);
  if (world.stripe?.webhooks) await checkWebhooks(world, world.stripe);
}
