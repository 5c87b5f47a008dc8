import type { FinalState } from "../accounts/final-state.ts";
import type { World } from "../kernel/world.ts";

/**
 * A delivery takes one place in its slot on its day, planned for an active subscription or placed as an order that is not
 * cancelled, and no place stays taken by one that has moved on: the counts equal a recount of the rows.
 */
export function checkPlaces({ report }: World, { places, subscriptions, orders }: FinalState): void {
  const planned = subscriptions
    .filter(({ status }) => status === "ACTIVE")
    .map(({ delivery_slot_id, next_delivery_date }) => nameOf(delivery_slot_id, next_delivery_date));
  const placed = [...new Map(orders.map((order) => [order.id, order])).values()]
    .filter(({ status }) => status !== "CANCELLED")
    .map(({ delivery_slot_id, delivery_date }) => nameOf(delivery_slot_id, delivery_date));
  const recounted = Map.groupBy([...planned, ...placed], (name) => name);
  const stored = new Map(
    places.map(({ delivery_slot_id, delivery_date, count }) => [
      nameOf(delivery_slot_id, delivery_date),
      count,
    ]),
  );
  for (const name of new Set([...stored.keys(), ...recounted.keys()])) {
    if (name === undefined) continue;
    const [is, shouldBe] = [stored.get(name) ?? 0, recounted.get(name)?.length ?? 0];
    if (is !== shouldBe) report(rule, `${name} has ${shouldBe} deliveries, and ${is} are counted`);
  }
}

const rule = "a delivery takes one place";

/** The name of a day of a slot; undefined for a delivery that is in none. */
function nameOf(slot: string | null, date: string | null): string | undefined {
  return slot === null || date === null ? undefined : `${slot} on ${date}`;
}
