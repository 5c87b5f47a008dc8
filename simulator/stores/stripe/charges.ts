import { minuteMs } from "../../../src/base/lib/time/durations.ts";
import { type FakeStripe, outcomes, type PaymentIntent } from "../../../test/support/fake-stripe.ts";
import type { Authority, StoreCharge } from "../../kernel/store.ts";
import type { World } from "../../kernel/world.ts";
import type { StoreWatch } from "../watched.ts";
import { minorUnitsOf } from "./currencies.ts";
import { type Answered, type Plan, planConfirmation } from "./outcomes.ts";
import type { Webhooks } from "./webhooks.ts";

/** The intents that were confirmed, as charges, and what banks and customers do with them. */
export type Charges = {
  entries: StoreCharge[];
  intentOf: (charge: StoreCharge) => PaymentIntent;
  /** Runs what confirms an intent; undefined where Stripe does not take the request. */
  confirm: <T>(intentId: string, authority: Authority, run: () => Promise<T>) => Promise<T | undefined>;
  /** Follows the intents that requests have changed. */
  follow: () => void;
  passTime: () => Promise<void>;
  instants: () => number[];
};

export function newCharges(world: World, { fake, webhooks, watch }: Surroundings): Charges {
  const entries: StoreCharge[] = [];
  const intents = new Map<StoreCharge, PaymentIntent>();
  let open: StoreCharge[] = [];
  let due: Due[] = [];

  const intentOf = (charge: StoreCharge): PaymentIntent => intents.get(charge)!;

  /** Sometimes the outcome is heard of at once; otherwise the service asks. */
  const notify = ({ attempt_id }: StoreCharge): void => {
    if (webhooks) webhooks.gather();
    else if (world.choices.chance(250))
      world.queue.put({ type: "charge", account_id: world.account.id, attempt_id }, world.clock);
  };

  const follow = (): void => {
    for (const entry of open) {
      const state = stateOf(intentOf(entry));
      if (state === entry.state) continue;
      entry.state = state;
      watch.charged(world, entry);
      world.log(() => `(at the store charge ${entry.number} is ${state})`);
      notify(entry);
    }
    open = open.filter((entry) => !isOver(intentOf(entry)));
    webhooks?.gather();
  };

  const enter = (intent: PaymentIntent, method: string | null, authority: Authority): StoreCharge => {
    const entry: StoreCharge = {
      ...authority,
      key: intent.metadata.key ?? "",
      number: entries.length + 1,
      amount: minorUnitsOf(intent.amount, intent.currency),
      tax: 0,
      currency_code: intent.currency.toUpperCase(),
      state: stateOf(intent),
      method,
    };
    entries.push(entry);
    open.push(entry);
    intents.set(entry, intent);
    watch.charged(world, entry);
    world.log(() => `(at the store charge ${entry.number} is ${entry.state})`);
    notify(entry);
    return entry;
  };

  const schedule = (after: number, happens: Due["happens"]): void => {
    due.push({ at: world.clock + after, happens });
  };

  /** The customer comes to the page of the payment, where the bank asks them; a payment that was canceled is over there. */
  const answer = async (entry: StoreCharge, answered: Answered, method: string | null): Promise<void> => {
    const intent = intentOf(entry);
    if (!answered || !["requires_payment_method", "requires_action"].includes(intent.status)) return;
    if (intent.status === "requires_payment_method") {
      const { outcome } = ends[answered.as];
      fake.nextOutcomes(outcomes.challenge(outcome));
      await confirmOnPage(fake, intent, method);
      follow();
    }
    schedule(bankMs, async () => {
      if (intent.status !== "requires_action") return;
      if (answered.as === "not authenticated") fake.failAuthentication(intent.id);
      else {
        if (answered.as === "confirmed") watch.confirmed(world, entry);
        fake.confirmAs(intent.id);
      }
      follow();
    });
  };

  const go = (plan: Plan, entry: StoreCharge, method: string | null): void => {
    if (plan.is === "challenged" && plan.answered)
      schedule(plan.answered.after, () => answer(entry, plan.answered, method));
    if (plan.is === "settled" && plan.after !== undefined)
      schedule(plan.after, async () => {
        fake.settle(intentOf(entry).id);
        follow();
      });
  };

  return {
    entries,
    intentOf,
    async confirm(intentId, authority, run) {
      const intent = fake.intent(intentId);
      if (intent.status !== "requires_confirmation") return run();
      const plan = planConfirmation(world);
      if (plan.is === "refused") return undefined;
      const { payment_method: method } = intent;
      fake.nextOutcomes(plan.outcome);
      const answered = await run();
      go(plan, enter(intent, method, authority), method);
      return answered;
    },
    follow,
    async passTime() {
      const come = due.filter(({ at }) => at <= world.clock).sort((a, b) => a.at - b.at);
      due = due.filter(({ at }) => at > world.clock);
      for (const { happens } of come) await happens();
    },
    instants: () => due.map(({ at }) => at),
  };
}

type Surroundings = { fake: FakeStripe; webhooks: Webhooks | undefined; watch: StoreWatch };

/** As Stripe.js does on the page: with the publishable key, and the intent's secret. */
async function confirmOnPage(fake: FakeStripe, intent: PaymentIntent, method: string | null): Promise<void> {
  const form = { client_secret: intent.client_secret, payment_method: method ?? "" };
  await fake.fetch(
    new Request(`https://api.stripe.com/v1/payment_intents/${intent.id}/confirm`, {
      method: "POST",
      headers: { Authorization: `Bearer ${fake.settings.publishableKey}` },
      body: new URLSearchParams(form),
    }),
  );
}

function stateOf(intent: PaymentIntent): StoreCharge["state"] {
  if (intent.status === "succeeded") return "succeeded";
  if (intent.status === "processing") return "pending";
  return isChallenge(intent) ? "action_required" : "declined";
}

/** Whether an intent waits for its customer. */
export function isChallenge({ status, last_payment_error: error }: PaymentIntent): boolean {
  const isAsked = status === "requires_payment_method" && error?.code === "authentication_required";
  return status === "requires_action" || isAsked;
}

function isOver({ status }: PaymentIntent): boolean {
  return status === "succeeded" || status === "canceled";
}

const ends = {
  confirmed: { outcome: outcomes.success },
  declined: { outcome: outcomes.decline("insufficient_funds") },
  "not authenticated": { outcome: outcomes.success },
};

/** So long the customer is at the bank. */
const bankMs = 2 * minuteMs;

type Due = { at: number; happens: () => Promise<void> };
