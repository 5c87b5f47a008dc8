import { addDays } from "../../../../src/base/lib/time/calendar.ts";
import { execute } from "../../../support/database.ts";
import { force, states } from "../../../support/shops.ts";
import { eventStep } from "./steps.ts";
import { deliveryAt, setUndo } from "./subscription.ts";

export const cycleIsBilled = eventStep(
  "billed",
  async (m, { id }) => {
    Object.assign(m, { index: m.index + 1, cycle: m.cycle + 1, inDunning: false });
    Object.assign(m, { next: deliveryAt(m, m.index), offGrid: false });
    setUndo(m, "refused");
    await force(id, {
      next_index: m.index,
      next_billed_index: m.index,
      current_billing_cycle: m.cycle,
      next_delivery_date: m.next,
      next_billing_date: m.next,
      dunning_episode_id: null,
    });
    await execute("UPDATE subscriptions SET schedule_revision = schedule_revision + 1 WHERE id = ?", id);
  },
  ({ status }) => status === "ACTIVE",
);

export const expires = eventStep(
  "expires",
  async (m, { id }) => {
    Object.assign(m, { status: "EXPIRED", next: null });
    setUndo(m, "unspecified");
    await force(id, states.EXPIRED);
  },
  ({ status, inDunning }) => status === "ACTIVE" && !inDunning,
);

export const paymentFails = eventStep(
  "a payment fails",
  async (m, { id }) => {
    m.inDunning = true;
    await force(id, states.DUNNING);
  },
  ({ status }) => status === "ACTIVE",
);

export const dunningIsExhausted = eventStep(
  "dunning is exhausted",
  async (m, { id }) => {
    Object.assign(m, { status: "PAYMENT_FAILED", inDunning: false });
    await force(id, { ...states.PAYMENT_FAILED, dunning_episode_id: null });
  },
  ({ status }) => status === "ACTIVE",
);

/** Days pass: seen from today all dates lie further back. */
export function daysPass(days: number) {
  return eventStep(
    `${days} days pass`,
    async (m, { id }) => {
      const earlier = (date: string) => addDays(date, -days);
      m.anchor = earlier(m.anchor);
      m.next = m.next && earlier(m.next);
      for (const skip of m.skips)
        Object.assign(skip, { anchor: earlier(skip.anchor), delivery: earlier(skip.delivery) });
      const shift = `-${days} days`;
      await execute(
        `UPDATE subscriptions SET anchor_date = date(anchor_date, ?1), next_delivery_date = date(next_delivery_date, ?1),
          next_billing_date = date(next_billing_date, ?1) WHERE id = ?2`,
        shift,
        id,
      );
      await execute(
        `UPDATE subscription_skips SET previous_anchor_date = date(previous_anchor_date, ?1),
          previous_delivery_date = date(previous_delivery_date, ?1), previous_billing_date = date(previous_billing_date, ?1)
          WHERE subscription_id = ?2`,
        shift,
        id,
      );
    },
    ({ unit, offGrid }) => (unit === "DAY" || unit === "WEEK") && !offGrid,
  );
}
