import type { BillingAttempt } from "../../src/domain/billing/tables.ts";
import type { Subscription } from "../../src/domain/subscriptions/tables.ts";

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

type Seen = Packed & Pick<Subscription, "id" | "last_order_id">;
type Kept = { begun: Map<string, Packed>; placed: Map<string, Packed> };

/** Keeps what a subscription was when each of its attempts was begun and when each of its orders was placed, as it was committed. */
export function newOrderWatch() {
  let kept: Kept = { begun: new Map(), placed: new Map() };
  let saved: Kept | undefined;
  const copyOf = ({ begun, placed }: Kept): Kept => ({ begun: new Map(begun), placed: new Map(placed) });
  return {
    noteAttempt({ id }: Pick<BillingAttempt, "id">, row: Packed | undefined): void {
      if (row) kept.begun.set(id, row);
    },
    noteOrder(before: Seen, now: Seen): void {
      if (now.last_order_id !== null && now.last_order_id !== before.last_order_id)
        kept.placed.set(now.last_order_id, before);
    },
    begun: (attemptId: string): Packed | undefined => kept.begun.get(attemptId),
    placed: (orderId: string): Packed | undefined => kept.placed.get(orderId),
    mark: (): void => {
      saved = copyOf(kept);
    },
    rewind: (): void => {
      if (saved) kept = copyOf(saved);
    },
  };
}
