import { newId } from "../../../src/base/lib/ids.ts";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { type Json, on, read, rowOf, type Shop } from "../../support/shops.ts";
import { advance, attemptsOf, clockOf, shipNow, type TestWorker } from "../../support/worker.ts";

export type Subject = {
  shop: Shop;
  worker: TestWorker;
  id: string;
  /** A number of days that the history has chosen, and whether a ship-now brings the failure about. */
  days: number;
  shipsNow: boolean;
};

/** A way into a state, and what ends it where nothing that happens by itself does. */
type State = {
  enter: (subject: Subject) => Promise<unknown>;
  resolve?: (subject: Subject) => Promise<unknown>;
};

/** Every state in which billing can leave a subscription, by what brings it about. */
export const states: Record<string, State> = {
  ACTIVE: { enter: async () => {} },
  "in dunning": { enter: (subject) => fail(subject, "pm_card_declined") },
  "in dunning between two retries": {
    enter: async (subject) => {
      await fail(subject, "pm_card_declined", 2);
    },
  },
  "in dunning, waiting for the customer": { enter: (subject) => fail(subject, "pm_expired_card") },
  "out of retries": { enter: (subject) => fail(subject, "pm_card_declined", 8) },
  "waiting for the store's payment provider": { enter: (subject) => fail(subject, "pm_gateway_disabled") },
  "waiting for stock": { enter: (subject) => fail(subject, "pm_out_of_stock") },
  "in dunning, then waiting": {
    enter: async (subject) => {
      await fail(subject, "pm_card_declined");
      await fail({ ...subject, shipsNow: false }, "pm_gateway_disabled", 1);
    },
  },
  "charge queued": {
    enter: async ({ shop, worker, id }) => {
      await shipNow(shop, worker, id, { allow_repeat: true });
      worker.forget();
    },
  },
  "charge unanswered": { enter: (subject) => leaveOpen(subject, "pm_timeout") },
  "charge pending": { enter: (subject) => leaveOpen(subject, "pm_pending") },
  "challenge open": { enter: (subject) => leaveOpen(subject, "pm_requires_action") },
  "under review": {
    enter: async ({ shop, worker, id }) => {
      await shipNow(shop, worker, id, { allow_repeat: true });
      worker.forget();
      const { open_attempt_id } = await rowOf(id);
      if (open_attempt_id === null) return;
      await execute(
        "UPDATE billing_attempts SET status = 'REVIEW', claims = 1, error_code = 'store_unreachable' WHERE id = ?",
        open_attempt_id,
      );
      await execute("UPDATE subscriptions SET billing_blocked_reason = 'store_unreachable' WHERE id = ?", id);
    },
    resolve: async ({ shop, id }) => {
      const { open_attempt_id } = await rowOf(id);
      const path = `/api/billing-attempts/${open_attempt_id}/settle`;
      if (open_attempt_id !== null) await api(shop.admin, "POST", path, { body: { charged: false } });
    },
  },
  PAUSED: { enter: (subject) => attempt(subject, "POST", "pause") },
  "PAUSED with a date": { enter: pauseUntil },
  "PAUSED with a date, a charge under way": {
    enter: async (subject) => {
      await leaveOpen(subject, "pm_timeout");
      await pauseUntil(subject);
    },
  },
  "PAUSED with a date, after failures": {
    enter: async (subject) => {
      await fail(subject, "pm_card_declined");
      await pauseUntil(subject);
    },
  },
  CANCELLED: { enter: (subject) => attempt(subject, "POST", "cancel") },
  "CANCELLED, a charge under way": {
    enter: async (subject) => {
      await leaveOpen(subject, "pm_timeout");
      await attempt(subject, "POST", "cancel");
    },
  },
  EXPIRED: { enter: ({ shop, worker }) => advance(shop, worker, 300) },
};

/** The changes that may come while a subscription is in a state; those that the API refuses are left out. */
export const changes: Record<string, (subject: Subject) => Promise<unknown>> = {
  nothing: async () => {},
  discount: (subject) =>
    attempt(subject, "POST", "discounts", {
      title: "More",
      value: 3,
      value_type: "FIXED_AMOUNT",
      target_type: "ORDER",
      recurring_cycle_limit: 2,
    }),
  quantity: async (subject) => {
    const { lines } = await read(subject.shop, subject.id);
    await attempt(subject, "PUT", `lines/${lines[0].id}`, { quantity: 3 });
  },
  skip: (subject) => attempt(subject, "POST", "skip", { skip_weeks: 3 }),
  reschedule: async (subject) => {
    const { next_delivery_date: planned } = await read(subject.shop, subject.id);
    if (planned) await attempt(subject, "PUT", "schedule", { next_delivery_date: addDays(planned, 14) });
  },
  frequency: async (subject) => {
    const { billing_interval: interval } = await read(subject.shop, subject.id);
    const { deliveries_per_billing: times } = await rowOf(subject.id);
    await attempt(subject, "PUT", "frequency", { interval, interval_count: times * 2 });
  },
};

/** The customer's card charges from now on as that test card does. Nobody tells the subscription. */
export function turnCard({ id }: Pick<Subject, "id">, store_payment_method_id: string): Promise<unknown> {
  return execute(
    "UPDATE payment_methods SET store_payment_method_id = ? WHERE id = (SELECT payment_method_id FROM subscriptions WHERE id = ?)",
    store_payment_method_id,
    id,
  );
}

/** A charge that fails, now or when it is next due, and so many days after it. */
async function fail(subject: Subject, card: string, daysAfter = 0): Promise<void> {
  const { shop, worker, id } = subject;
  await turnCard(subject, card);
  if (subject.shipsNow) {
    await shipNow(shop, worker, id, { allow_repeat: true }, { headers: { "Idempotency-Key": newId() } });
    await worker.drain();
  } else await advanceToBilling(subject);
  if (daysAfter > 0) await advance(shop, worker, daysAfter);
}

async function advanceToBilling({ shop, worker, id }: Subject): Promise<void> {
  const { next_billing_date: due, status } = await read(shop, id);
  const days = due && status === "ACTIVE" ? daysTo(due, await clockOf(shop)) : 0;
  if (days > 0) await advance(shop, worker, Math.min(days + 1, 400));
}

function daysTo(date: string, clock: string): number {
  return Math.ceil((Date.parse(date) - Date.parse(clock.slice(0, 10))) / 86_400_000);
}

/** An attempt whose outcome is open. */
async function leaveOpen(subject: Subject, card: string): Promise<void> {
  const { shop, worker, id } = subject;
  await turnCard(subject, card);
  await shipNow(shop, worker, id, { allow_repeat: true });
  await worker.drain({ soon: false });
  worker.forget();
  const [latest] = await attemptsOf(shop, id);
  if (latest?.status === "QUEUED") throw new Error("the attempt was not sent");
}

async function pauseUntil(subject: Subject): Promise<void> {
  const pause_until = addDays((await clockOf(subject.shop)).slice(0, 10), 2 + subject.days);
  await attempt(subject, "POST", "pause", { pause_until });
}

/** A change, if the subscription's state allows it. */
async function attempt(
  { shop, worker, id }: Subject,
  method: string,
  part: string,
  body?: Json,
): Promise<void> {
  const options = body === undefined ? {} : { body };
  const { status, text } = await api(shop.api, method, on(id, part), options);
  if (status >= 300 && status !== 409 && status !== 400) throw new Error(`${status} ${text}`);
  worker.forget();
}
