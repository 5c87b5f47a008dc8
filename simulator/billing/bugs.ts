import { commit } from "../../src/base/db/commit.ts";
import { updateRow } from "../../src/base/db/row-writes.ts";
import type { DueKind } from "../../src/base/job.ts";
import { later } from "../../src/base/lib/time/dates.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
import { chargeAttempt } from "../../src/domain/billing/actions/charge.ts";
import { takeAttempt } from "../../src/domain/billing/actions/claim.ts";
import { markReported, settleConfirmedLate } from "../../src/domain/billing/actions/confirmed-late.ts";
import { decideConsequences } from "../../src/domain/billing/actions/consequences.ts";
import { findConfirmed } from "../../src/domain/billing/actions/earlier-challenge.ts";
import { decideDue } from "../../src/domain/billing/actions/process-due.ts";
import { methodDiffers } from "../../src/domain/billing/actions/record-failure.ts";
import { requireReview } from "../../src/domain/billing/actions/review-required.ts";
import { settlementStatements } from "../../src/domain/billing/actions/settle.ts";
import { shipNow } from "../../src/domain/billing/actions/ship-now.ts";
import { startAttempt } from "../../src/domain/billing/actions/start.ts";
import { chargeLater } from "../../src/domain/billing/actions/wait.ts";
import { progressAfterCharge } from "../../src/domain/billing/after-cycle.ts";
import { hasChallengeExpired } from "../../src/domain/billing/challenge.ts";
import { attemptSweep, findAccountsDue } from "../../src/domain/billing/due/due.ts";
import { isForTooLong } from "../../src/domain/billing/due/overdue.ts";
import { placeOrder } from "../../src/domain/billing/order.ts";
import { reconcileChallenges } from "../../src/domain/billing/reconcile/challenges.ts";
import { reconciliationSweep } from "../../src/domain/billing/reconcile/nightly.ts";
import { deriveStoreKey } from "../../src/domain/billing/store-key.ts";
import { billingAttempts } from "../../src/domain/billing/tables.ts";
import { endWait, waitAgain } from "../../src/domain/billing/waiting.ts";
import { recoverEpisode } from "../../src/domain/dunning/actions.ts";
import { splitAmount } from "../../src/domain/explain/attempt-parts.ts";
import { nextStep } from "../../src/domain/retries/policy.ts";
import { withdrawalStatements } from "../../src/domain/subscriptions/actions/end-of-billing.ts";
import {
  isBelowHourlyLimit,
  requireBelowHourlyLimit,
} from "../../src/domain/subscriptions/bounds/hourly-limit.ts";
import { datesAfterCycle } from "../../src/domain/subscriptions/dates/index.ts";
import { getSubscription } from "../../src/domain/subscriptions/queries.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { replace, type SeededBug, sweepNothing, withStore } from "../seeded-bug.ts";

type Charge = Parameters<Ctx["store"]["charge"]>[0];

/** Has the store be asked to charge something else. */
function chargeOther(other: (ctx: Ctx, charge: Charge) => Charge | Promise<Charge>) {
  return replace(chargeAttempt, (original) => (ctx, id) => {
    const charge = async (asked: Charge) => ctx.store.charge(await other(ctx, asked));
    return original(withStore(ctx, { charge }), id);
  });
}

/** Bugs that charge a cycle twice, another amount, or what is not to be charged. */
const charging: SeededBug[] = [
  {
    name: "new key per retry",
    what: "each request to the store has a new key",
    rule: "never charged twice for a cycle",
    replaces: [chargeOther((ctx, charge) => ({ ...charge, key: ctx.newId() }))],
  },
  {
    name: "counted keys",
    what: "an attempt's key is not derived from its cycle: a restored database charges again",
    rule: "never charged twice for a cycle",
    replaces: [
      replace(deriveStoreKey, () => {
        let keys = 0;
        return async () => `key ${++keys}`;
      }),
    ],
  },
  {
    name: "timeout is a decline",
    what: "a store that does not answer counts as a decline",
    rule: "never charged twice for a cycle",
    replaces: [
      replace(chargeAttempt, (original) => (ctx, id) => {
        const decline = { outcome: "declined", reference: "", code: "timeout", message: "" } as const;
        const answer = { ...decline, failure: "customer", isFinal: false, isRefused: false } as const;
        const charge: Ctx["store"]["charge"] = (asked) => ctx.store.charge(asked).catch(() => answer);
        return original(withStore(ctx, { charge }), id);
      }),
    ],
  },
  {
    name: "absence trusted at once",
    what: "a charge that the store has not seen yet is taken never to arrive",
    rule: "an order for every charge",
    replaces: [
      replace(takeAttempt, (original) => async (ctx, id) => {
        const claimed = await original(ctx, id);
        return claimed && { ...claimed, attempt: { ...claimed.attempt, last_sent_at: null } };
      }),
    ],
  },
  {
    name: "keys live for ever",
    what: "a key is sent again after the store may have forgotten it",
    rule: "never charged twice for a cycle",
    replaces: [
      replace(takeAttempt, (original) => async (ctx, id) => {
        const claimed = await original(ctx, id);
        const isSentBefore =
          claimed?.attempt.status === "PROCESSING" && claimed.attempt.first_sent_at !== null;
        return claimed && { ...claimed, sends: claimed.sends || isSentBefore };
      }),
    ],
  },
  {
    name: "sent after a cancel",
    what: "an attempt is sent after its subscription has ended",
    rule: "no charge after a committed cancel",
    replaces: [
      replace(takeAttempt, (original) => async (ctx, id) => {
        const claimed = await original(ctx, id);
        return claimed && { ...claimed, sends: true };
      }),
    ],
  },
  {
    name: "live amount",
    what: "the subscription's current total is charged, not the attempt's",
    rule: "amount charged = attempt amount",
    replaces: [
      chargeOther(async (ctx, charge) => {
        const { row } = await getSubscription(ctx, charge.subscription_id);
        return { ...charge, amount: row.total };
      }),
    ],
  },
  {
    name: "an attempt at another amount",
    what: "an attempt begins with a cent more than its subscription costs",
    rule: "an attempt charges the total",
    replaces: [
      replace(startAttempt, (original) => (ctx, view, request) => {
        return original(ctx, { ...view, row: { ...view.row, total: view.row.total + 1 } }, request);
      }),
    ],
  },
  {
    name: "shipping is not explained",
    what: "the parts of an amount are without its shipping",
    rule: "parts = amount",
    replaces: [
      replace(
        splitAmount,
        (original) =>
          (...charge) =>
            original(...charge).filter(({ of }) => of !== "shipping"),
      ),
    ],
  },
  {
    name: "a charge without its order",
    what: "a charge is recorded, and nothing is delivered for it",
    rule: "order = attempt = charge",
    replaces: [
      replace(placeOrder, (original) => (ctx, row, content, sold, metadata) => {
        return original(ctx, row, content, { ...sold, attemptId: null }, metadata);
      }),
    ],
  },
  {
    name: "no night compares charges",
    what: "a charge that a restore has undone is never known",
    rule: "an order for every charge",
    replaces: [sweepNothing(reconciliationSweep)],
  },
  {
    name: "a retry charges the first card",
    what: "the store is asked to charge a payment method of the customer's, and not the one that was chosen",
    rule: "the method that was chosen last is charged",
    replaces: [chargeOther((_, charge) => ({ ...charge, store_payment_method_id: "pm_4" }))],
  },
  {
    name: "every ship-now repeats",
    what: "a second click bills the next cycle as well",
    rule: "a repeated ship-now charges nothing",
    replaces: [
      replace(shipNow, (original) => (ctx, { request, ...command }) => {
        return original(ctx, { ...command, request: { ...request, allow_repeat: true } });
      }),
    ],
  },
  {
    name: "switches have no limit",
    what: "each switch of the payment method charges at once, however many come within an hour",
    rule: "attempts an hour are bounded",
    replaces: [replace(isBelowHourlyLimit, () => () => true)],
  },
  {
    name: "people may try again and again",
    what: "whoever asks for another cycle, or for what is owed, is charged as often as they ask",
    rule: "attempts an hour are bounded",
    replaces: [replace(requireBelowHourlyLimit, () => () => {})],
  },
];

/** Bugs in what a batch, its guards and its decision keep consistent. */
const recording: SeededBug[] = [
  {
    name: "a failure becomes a success",
    what: "a challenge that was given up and is confirmed late counts as paid after all",
    rule: "a finished attempt stays finished",
    replaces: [
      replace(markReported, (original) => async (ctx, attempt) => {
        const key = { account_seq: ctx.account.seq, id: attempt.id };
        const paid = updateRow(billingAttempts, key, { status: "SUCCEEDED" });
        // Where the cycle is paid already, the database refuses it.
        await commit({ db: ctx.db }, [paid]).catch(() => original(ctx, attempt));
      }),
    ],
  },
  {
    name: "a settled attempt was never claimed",
    what: "the fence of an attempt begins anew",
    rule: "claims count up",
    replaces: [
      replace(
        settlementStatements,
        (original) => (ctx, attempt, end) => original(ctx, attempt, { ...end, claims: 0 }),
      ),
    ],
  },
  {
    name: "a number for each outcome",
    what: "the number of an attempt, of which its key is made, grows once it is settled",
    rule: "an attempt's terms never change",
    replaces: [
      replace(settlementStatements, (original) => (ctx, attempt, end) => {
        return original(ctx, attempt, { ...end, attempt_number: attempt.attempt_number + 1 });
      }),
    ],
  },
  {
    name: "every attempt is number one",
    what: "the number does not grow after a failure",
    rule: "nothing due left behind",
    replaces: [
      replace(startAttempt, (original) => (ctx, view, request) => {
        return original(ctx, view, { ...request, before: undefined });
      }),
    ],
  },
  {
    name: "a withdrawn attempt blocks",
    what: "a cancel withdraws the attempt, but its subscription still points to it",
    rule: "open_attempt_id is the open attempt",
    replaces: [
      replace(
        withdrawalStatements,
        (original) =>
          (...withdrawn) =>
            original(...withdrawn).slice(0, 1),
      ),
    ],
  },
  {
    name: "a cycle is counted twice",
    what: "a paid cycle is followed by the next but one",
    rule: "a cycle for every success",
    replaces: [
      replace(progressAfterCharge, (original) => (ctx, dated, paid) => {
        return original(ctx, dated, { ...paid, cycle: paid.cycle + 1 });
      }),
    ],
  },
  {
    name: "schedule not moved",
    what: "a paid cycle leaves the dates where they are",
    rule: "the schedule moves on",
    replaces: [
      replace(datesAfterCycle, (original) => (row, ...cycle) => {
        const { next_billing_date, next_delivery_date } = row;
        return { ...original(row, ...cycle), next_billing_date, next_delivery_date };
      }),
    ],
  },
  {
    name: "billed on any message",
    what: "the message decides, not the date",
    rule: "billed when it is due",
    replaces: [
      replace(decideDue, (original) => (ctx, view, known) => {
        return original(ctx, { ...view, today: view.row.next_billing_date ?? view.today }, known);
      }),
    ],
  },
  {
    name: "a review says nothing",
    what: "an attempt is under review, and neither its subscription nor its history tells",
    rule: "every review is reported",
    replaces: [
      replace(isForTooLong, () => () => true),
      replace(requireReview, () => async (ctx, { account_seq, id }, { code, message }) => {
        const review = { status: "REVIEW", error_code: code, error_message: message } as const;
        await commit({ db: ctx.db }, [updateRow(billingAttempts, { account_seq, id }, review)]);
      }),
    ],
  },
  {
    name: "no sweep",
    what: "a lost message is never sent again",
    rule: "nothing due left behind",
    replaces: [sweepNothing(attemptSweep)],
  },
];

/** Bugs about payments that a customer confirms, in time or after they were given up. */
const challenges: SeededBug[] = [
  {
    name: "no challenge is asked about",
    what: "the next charge is made whether or not the customer has confirmed an earlier one",
    rule: "never charged twice for a cycle",
    replaces: [replace(findConfirmed, () => async () => undefined)],
  },
  {
    name: "nights ask about no challenge",
    what: "a payment that is confirmed late is never seen if its webhook is lost",
    rule: "an order for every charge",
    replaces: [replace(reconcileChallenges, () => async () => ({ findings: [], next: null }))],
  },
  {
    name: "a second confirmation is not reported",
    what: "a customer who confirms two challenges of a cycle has paid twice, and nobody is told",
    rule: "an order for every charge",
    replaces: [
      replace(settleConfirmedLate, (original) => async (ctx, attempt) => {
        const settled = await original(ctx, attempt);
        return settled.outcome === "unmatched" ? { ...settled, outcome: "recorded" } : settled;
      }),
    ],
  },
  {
    name: "a challenge ends after a day",
    what: "a customer who confirms a payment on the second day is told that they are too late",
    rule: "a challenge waits for its customer",
    replaces: [
      replace(hasChallengeExpired, (original) => (attempt, now) => original(attempt, later(now, 2 * dayMs))),
    ],
  },
  {
    name: "a challenge is told with each look",
    what: "a customer is written to whenever the store is asked about the payment",
    rule: "a challenge waits for its customer",
    replaces: [
      replace(chargeLater, (original) => (ctx, attempt, answer) => {
        return original(ctx, { ...attempt, challenged_at: null }, answer);
      }),
    ],
  },
  {
    name: "a challenge gives way to itself",
    what: "the next look withdraws a payment that its customer is about to confirm",
    rule: "a challenge waits for its customer",
    replaces: [replace(methodDiffers, () => () => true)],
  },
];

/** Bugs in what follows a failure: dunning, its days, and billing that waits for others than the customer. */
const dunning: SeededBug[] = [
  {
    name: "a merchant's failure leads to dunning",
    what: "a payment provider that is off counts as a decline",
    rule: "no dunning without a decline",
    replaces: [
      replace(decideConsequences, (original) => (ctx, view, attempt, { failure, ...failed }) => {
        return original(ctx, view, attempt, { ...failed, failure: { ...failure, failure: "customer" } });
      }),
    ],
    times: 3,
  },
  {
    name: "dunning over nothing",
    what: "every charge is one of 0, and opens an episode where the store declines it",
    rule: "no episode without an amount",
    replaces: [
      replace(startAttempt, (original) => (ctx, view, request) => {
        return original(ctx, { ...view, row: { ...view.row, total: 0 } }, request);
      }),
      replace(decideConsequences, (original) => (ctx, view, attempt, failed) => {
        return original(ctx, view, { ...attempt, amount: 1 }, failed);
      }),
    ],
    platform: "shopify",
  },
  {
    name: "dunning outlives a payment",
    what: "a payment leaves the episode open",
    rule: "dunning_episode_id is the open episode",
    replaces: [replace(recoverEpisode, () => () => ({}))],
  },
  {
    name: "no dunning by cron",
    what: "cron does not find retries that are due",
    rule: "nothing due left behind",
    replaces: [dueWithout("dunning")],
  },
  {
    name: "waits are not found",
    what: "billing that waits for the merchant or the store is never tried again",
    rule: "nothing due left behind",
    replaces: [dueWithout("waiting")],
    times: 3,
  },
  {
    name: "retries come too early",
    what: "a day of dunning has twelve hours",
    rule: "retries on the agreed days",
    replaces: [retryOn((days) => days.map((day) => day / 2))],
  },
  {
    name: "retries are left out",
    what: "after a failed payment only the last of the agreed days is tried",
    rule: "retries on the agreed days",
    replaces: [retryOn((days) => days.slice(-1))],
    times: 3,
  },
  {
    name: "retries after a decline for good",
    what: "an expired card is charged on every day",
    rule: "retries on the agreed days",
    replaces: [replace(nextStep, (original) => (days, _isFinal, now) => original(days, false, now))],
  },
  {
    name: "waits do not grow",
    what: "while the payment provider is off, billing is tried again every hour",
    rule: "attempts a day are bounded",
    replaces: [
      replace(
        waitAgain,
        (original) => (row, code, now) => original({ ...row, billing_wait_count: 0 }, code, now),
      ),
    ],
  },
  {
    name: "a wait is a fortnight",
    what: "billing that waits for others is tried every other week",
    rule: "a wait is tried as often as agreed",
    replaces: [
      replace(waitAgain, (original) => (row, code, now) => {
        return { ...original(row, code, now), billing_retry_at: later(now, 14 * dayMs) };
      }),
    ],
  },
  {
    name: "a wait goes on where the last one ended",
    what: "once billing has waited for days, the next wait begins with a pause of a day",
    rule: "a wait is tried as often as agreed",
    replaces: [
      replace(endWait, (original) => (row) => {
        const { columns, ...part } = original(row);
        return { ...part, columns: { ...columns, billing_wait_count: row.billing_wait_count } };
      }),
    ],
    times: 3,
  },
  {
    name: "a message tries a wait at once",
    what: "whatever looks at a subscription that waits tries it, however early",
    rule: "a wait is tried as often as agreed",
    replaces: [
      replace(decideDue, (original) => (ctx, view, known) => {
        const billing_retry_at = view.row.billing_retry_at && ctx.now;
        return original(ctx, { ...view, row: { ...view.row, billing_retry_at } }, known);
      }),
    ],
    times: 3,
  },
  {
    name: "nothing is skipped for want of stock",
    what: "billing waits for goods whose delivery the merchant wants to be skipped",
    rule: "goods out of stock are treated as set",
    replaces: [
      replace(decideConsequences, (original) => (ctx, view, attempt, failed) => {
        const account = { ...ctx.account, out_of_stock_action: "retry" as const };
        return original({ ...ctx, account }, view, attempt, failed);
      }),
    ],
  },
  {
    name: "nothing is sold without stock",
    what: "the store is not asked to sell what is out of stock",
    rule: "goods out of stock are treated as set",
    replaces: [chargeOther((_, charge) => ({ ...charge, oversells: false }))],
  },
];

/** Has cron find nothing of a kind that is due. */
function dueWithout(kind: DueKind) {
  return replace(findAccountsDue, (original) => async (...search) => {
    const jobs = await original(...search);
    return jobs.filter((job) => job.type !== "find_due" || job.kind !== kind);
  });
}

function retryOn(days: (agreed: number[]) => number[]) {
  return replace(nextStep, (original) => ({ from, retryDays }, isFinal, now) => {
    return original({ from, retryDays: days(retryDays) }, isFinal, now);
  });
}

export const billingBugs: SeededBug[] = [...charging, ...recording, ...challenges, ...dunning];
