import { readFinalState } from "./accounts/final-state.ts";
import { checkAttempts } from "./billing/check-attempts.ts";
import { checkChallenges } from "./billing/check-challenges.ts";
import { checkDunning } from "./billing/check-dunning.ts";
import { checkMoney } from "./billing/check-money.ts";
import { checkReviews } from "./billing/check-reviews.ts";
import { checkDeliveries } from "./events/check-deliveries.ts";
import { checkHistory } from "./events/check-history.ts";
import { checkStream } from "./events/stream.ts";
import { checkKeys } from "./http/check-keys.ts";
import type { World } from "./kernel/world.ts";
import { checkMails } from "./notices/check-mails.ts";
import { checkReminders } from "./notices/check-reminders.ts";
import { checkOrders } from "./orders/check-orders.ts";
import { checkPlaces } from "./orders/check-places.ts";
import { checkPrices } from "./orders/check-prices.ts";
import { checkStock } from "./orders/check-stock.ts";
import { checkContracts } from "./shopify/check-contracts.ts";
import { checkNotices } from "./shopify/check-notices.ts";
import { checkIntents } from "./stripe/check-intents.ts";
import { checkWebhooks } from "./stripe/check-webhooks.ts";
import { checkIntervals } from "./subscriptions/check-intervals.ts";
import { checkPrepaid } from "./subscriptions/check-prepaid.ts";
import { checkState } from "./subscriptions/check-state.ts";

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
