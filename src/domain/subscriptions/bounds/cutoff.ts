import { and, eq } from "drizzle-orm";
import { DomainError } from "../../../base/errors.ts";
import { dateIn, type Instant } from "../../../base/lib/time/dates.ts";
import type { ActorType, Ctx } from "../../../kit/context.ts";
import { type Cutoff, cutoffOf, cutoffText } from "../../delivery/cutoff.ts";
import { deliverySlots } from "../../delivery/tables.ts";
import { type Subscription, subscriptions } from "../tables.ts";

/** A subscription's next delivery, and the slot that it comes in. */
type NextDelivery = {
  row: Pick<Subscription, "status" | "next_delivery_date">;
  slot: Cutoff | undefined;
};
/** The account's time, and the zone in which it has its days. */
type Clock = { now: Instant; account: Pick<Ctx["account"], "timezone"> };

/** When customers could last change the next delivery; undefined where none is to come, or its slot has no cut-off. */
export function nextCutoff({ row, slot }: NextDelivery, clock: Clock): Instant | undefined {
  const { status, next_delivery_date: date } = row;
  if (status !== "ACTIVE" || date === null || !slot || date < dateIn(clock.now, clock.account.timezone))
    return undefined;
  return cutoffOf(slot, date, clock.account.timezone);
}

/** Whether customers can no longer change the next delivery. */
export function isPastCutoff(delivery: NextDelivery, clock: Clock): boolean {
  const cutoff = nextCutoff(delivery, clock);
  return cutoff !== undefined && cutoff <= clock.now;
}

/**
 * Refuses a customer's change of deliveries whose cut-off has passed: of the one that was to come next, and of the one
 * that would come instead. Staff and keys may. Throws INVALID_STATE, which names the cut-off.
 */
export function requireBeforeCutoff(
  clock: Clock & { viewer: ActorType },
  what: string,
  deliveries: NextDelivery[],
): void {
  if (clock.viewer !== "customer") return;
  const closed = deliveries.find((delivery) => isPastCutoff(delivery, clock));
  if (!closed?.slot) return;
  const { status, next_delivery_date: date } = closed.row;
  const until = `${cutoffText(closed.slot, date ?? "")} (${clock.account.timezone})`;
  throw new DomainError(
    "INVALID_STATE",
    `Cannot ${what}: the subscription is ${status}, and its delivery of ${date} could be changed until ${until}`,
  );
}

/** The columns by which the cut-off of a subscription's slot is known, and how that slot is joined. */
export const cutoffColumns = {
  cutoff_days: deliverySlots.cutoff_days,
  cutoff_time: deliverySlots.cutoff_time,
};
export const isItsSlot = and(
  eq(deliverySlots.account_seq, subscriptions.account_seq),
  eq(deliverySlots.id, subscriptions.delivery_slot_id),
);
