import type { Subscription } from "../../src/domain/subscriptions/tables.ts";
import { changesOf, subscriptionSeen } from "../accounts/seen.ts";
import { perAccount } from "../kernel/per-account.ts";
import type { Part, World } from "../kernel/world.ts";

/** The columns of a subscription that say what is packed, where it goes, and who pays for it. */
export type Packed = Pick<
  Subscription,
  | "payment_method_id"
  | "lines"
  | "delivery_slot_id"
  | "delivery_address"
  | "delivery_instructions"
  | "deliveries_per_billing"
>;

type Noted = { begun: Map<string, Packed>; placed: Map<string, Packed> };

const notes = perAccount(() => ({ now: none(), saved: none() }));

/** Keeps what a subscription was when each of its attempts was begun and when each of its orders was placed, as it was committed. */
export const packing: Part = {
  watch(world) {
    const { begun, placed } = notes(world).now;
    const { rows, attempts } = changesOf(world);
    for (const { before, now } of rows)
      if (before && now.last_order_id !== null && now.last_order_id !== before.last_order_id)
        placed.set(now.last_order_id, before);
    for (const { before, now } of attempts) {
      const row = before ? undefined : subscriptionSeen(world, now.subscription_id);
      if (row) begun.set(now.id, row);
    }
  },
  mark({ worlds }) {
    for (const one of worlds) notes(one).saved = copyOf(notes(one).now);
  },
  rewind({ worlds }) {
    for (const one of worlds) notes(one).now = copyOf(notes(one).saved);
  },
};

/** The subscription as it was when an attempt was begun, or an order placed. */
export function packedFor(world: World, attemptId: string): Packed | undefined {
  return notes(world).now.begun.get(attemptId);
}

export function packedInto(world: World, orderId: string): Packed | undefined {
  return notes(world).now.placed.get(orderId);
}

function none(): Noted {
  return { begun: new Map(), placed: new Map() };
}

function copyOf({ begun, placed }: Noted): Noted {
  return { begun: new Map(begun), placed: new Map(placed) };
}
