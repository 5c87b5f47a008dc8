import { first, raw } from "../../src/base/db/statement.ts";
import { type CalendarDate, dateIn, startOfDay } from "../../src/base/lib/time/dates.ts";
import { dayMs, hourMs, minuteMs } from "../../src/base/lib/time/durations.ts";
import { nextDueAt } from "../../src/runtime/jobs/next-due.ts";
import { hearConfirmations } from "../billing/confirmations.ts";
import { settleReviews } from "../billing/settle-reviews.ts";
import { checkNoneWaits } from "../events/check-deliveries.ts";
import { resendSomething, tendEndpoints } from "../events/endpoint-keeper.ts";
import { readNextDelivery } from "../events/endpoint-rows.ts";
import { askAgain, unanswered } from "../http/client.ts";
import { endMove } from "../moves/operator.ts";
import { deliverContractWebhook } from "../shopify/merchant.ts";
import { receiveAll } from "../stripe/receive-webhooks.ts";
import { plusDays } from "../subscriptions/calendar.ts";
import { drain, runToEnd, tick } from "./invocations.ts";
import { lengthOf, passTime } from "./pass-time.ts";
import { nextCallAt } from "./task.ts";
import { instantOf, type World } from "./world.ts";

/**
 * Faults have stopped: tasks end, messages are delivered, cron runs when something is due, for ten days, ever less often; then
 * every minute until nothing is due. Work that is not done then never will be.
 */
export async function quiesce(world: World): Promise<void> {
  world.faultRate = 0;
  world.log(() => "--- faults stop ---");
  await runToEnd(world);
  while (world.tasks.length > 0) await giveUp(world);
  world.isQuiesced = true;
  world.quiescedAt = world.clock;
  await endMove(world);
  for (const one of world.worlds) await tendEndpoints(one);
  for (const one of world.worlds) await resendSomething(one);
  await runToEnd(world);
  const until = world.clock + quiesceMs;
  const isClean = () => world.violations.length === 0;
  for (let pause = minuteMs; isClean() && world.clock < until; pause = Math.min(pause * 1.2, 8 * hourMs)) {
    const next = await turn(world);
    await passTime(world, Math.min(Math.max(next - world.clock, Math.round(pause)), until + 1 - world.clock));
  }
  for (let minutes = 0; isClean() && minutes < minutesMax; minutes++) {
    if ((await turn(world)) > world.clock + minuteMs) return;
    await passTime(world, minuteMs);
  }
}

/** Longer than anything that can follow: the last retry of dunning comes after a week. */
const quiesceMs = 10 * dayMs;
/** Work that is still due after so many more minutes will stay due for ever. */
const minutesMax = 20;

/**
 * The next instants at which an account has something to do, by table, where the last waits for its contract at a store that makes one at
 * once; and the next days.
 */
const selectNext = `SELECT json_object('at', json_array(
    (SELECT MIN(next_action_at) FROM billing_attempts WHERE account_seq = ?1 AND error_code IS NOT 'currency_mismatch'),
    (SELECT MIN(due_at) FROM dunning_episodes WHERE account_seq = ?1),
    (SELECT MIN(next_at) FROM reconciliations WHERE account_seq = ?1),
    (SELECT MIN(next_action_at) FROM webhook_deliveries WHERE account_seq = ?1),
    (SELECT MIN(next_action_at) FROM order_refunds WHERE account_seq = ?1),
    (SELECT MIN(next_action_at) FROM jobs WHERE account_seq = ?1),
    (SELECT MIN(next_action_at) FROM closed_days WHERE account_seq = ?1),
    (SELECT MIN(retry_due_at) FROM subscriptions WHERE account_seq = ?1),
    (SELECT MIN(next_action_at) FROM contract_syncs WHERE account_seq = ?1),
    (SELECT MIN(next_action_at) FROM selling_plan_syncs WHERE account_seq = ?1),
    (SELECT MIN(next_action_at) FROM customer_notices WHERE account_seq = ?1),
    (SELECT MIN(s.created_at) FROM subscriptions AS s JOIN accounts AS a ON a.seq = s.account_seq
      WHERE s.account_seq = ?1 AND s.store_contract_id IS NULL AND a.store = 'sandbox')),
  'day', (SELECT MIN(due_on) FROM subscriptions WHERE account_seq = ?1),
  'reminded', (SELECT MIN(remind_of) FROM subscriptions WHERE account_seq = ?1 AND remind_of > ?2)) AS moments`;

type Next = { at: (string | null)[]; day: string | null; reminded: string | null };

/**
 * When something is next due by the database's columns, except attempts that wait for people, and when a customer is next to be reminded of a
 * billing that is still to come.
 */
async function nextInDatabase({ database, account, clock }: World): Promise<number[]> {
  const { seq, timezone, payment_reminder_days_before: days } = account;
  const [changes, today] = [database.changes?.(), dateIn(instantOf({ clock }), timezone)];
  const known = nextKnown.get(account);
  if (known && known.changes === changes && known.today === today) return known.moments;
  const found = await first(database, raw<{ moments: string }>(selectNext, seq, today));
  const { at, day, reminded } = JSON.parse(found!.moments) as Next;
  const begins = [day, reminded === null || days === null ? null : plusDays(reminded, -days)].map(
    (date) => date && startOfDay(date, timezone),
  );
  const moments = [...at, ...begins]
    .filter((instant) => instant !== null)
    .map((instant) => Date.parse(instant));
  if (changes !== undefined) nextKnown.set(account, { changes, today, moments });
  return moments;
}

/** The moments that are next due of an account on a day, after so many changes of the database. */
const nextKnown = new WeakMap<
  World["account"],
  { changes: number; today: CalendarDate; moments: number[] }
>();

/** When things are next due that cron, or the alarm of an object, has to find. */
async function momentsToFind({ worlds }: World): Promise<number[]> {
  const moments: (number | undefined)[] = [];
  for (const one of worlds) {
    moments.push(...(await nextInDatabase(one)));
    if (one.endpoints.length > 0 || one.mailer) moments.push(await readNextDelivery(one));
  }
  return moments.filter((at) => at !== undefined);
}

async function nextOf(world: World): Promise<number> {
  const stores = world.worlds.map(({ store }) => store.nextAt());
  const ahead = [world.queue.nextAt(), ...stores, world.aside?.nextAt?.(), ...(await momentsToFind(world))];
  return Math.min(...ahead.filter((at) => at !== undefined));
}

/** An object looks within a minute after a write, and knows when something falls due without one. */
async function checkAlarm(world: World): Promise<void> {
  const { alarm, clock, database, report } = world;
  if (!alarm) return;
  const rule = "an object looks when something is due";
  const moments = await momentsToFind(world);
  if (moments.some((at) => at <= clock) && alarm.at() > clock + minuteMs)
    report(rule, `it is due, and the alarm rings in ${lengthOf(alarm.at() - clock)}`);
  const known = (await nextDueAt(database, new Date(clock))) ?? Number.POSITIVE_INFINITY;
  const missed = moments.filter((at) => at > clock && at < known);
  if (missed.length > 0) report(rule, `it does not know what is due in ${lengthOf(missed[0]! - clock)}`);
}

/** Time passes until the next request that hangs is given up. */
async function giveUp(world: World): Promise<void> {
  await passTime(world, Math.max(0, Math.min(...world.tasks.map(nextCallAt)) - world.clock));
  await runToEnd(world);
}

/** Time passes until no request hangs any more, and what follows is done: where more passed, their senders would die in the middle. */
async function awaitAnswers(world: World): Promise<void> {
  while (world.tasks.length > 0) {
    await giveUp(world);
    await drain(world);
  }
}

/** Does everything that is due at this instant, and returns when the next thing is. */
async function turn(world: World): Promise<number> {
  while (world.shopify && world.shopify.contracts.pendingWebhooks.length > 0) {
    await deliverContractWebhook(world, world.shopify, 0);
    await runToEnd(world);
  }
  await receiveAll(world);
  await world.aside?.settle?.();
  await drain(world);
  for (const one of world.worlds) await hearConfirmations(one);
  for (const one of world.worlds) await settleReviews(one);
  for (const one of world.worlds) for (const asked of unanswered(one)) await askAgain(one, asked);
  await runToEnd(world);
  await awaitAnswers(world);
  const next = await nextOf(world);
  await checkAlarm(world);
  if (next > world.clock) return next;
  await tick(world);
  await runToEnd(world);
  await drain(world);
  for (const one of world.worlds) await checkNoneWaits(one);
  await awaitAnswers(world);
  return nextOf(world);
}
