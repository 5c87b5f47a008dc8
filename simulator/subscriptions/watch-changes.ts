import { deliveriesOwed } from "../../src/domain/subscriptions/dates/index.ts";
import { changesOf, type Seen } from "../accounts/seen.ts";
import type { World } from "../kernel/world.ts";

/** History and revision of a subscription change together, and while it is billed its dates stay, except those of deliveries that are paid for. */
export function watchChanges(world: World): void {
  for (const { before, now } of changesOf(world).rows) if (before) compare(world, before, now);
}

function compare({ report }: World, before: Seen, now: Seen): void {
  const [steps, entries] = [now.revision - before.revision, now.entries - before.entries];
  if (steps < 0 || steps > 1) report("one change at a time", `${steps} revisions in one commit`);
  // A dispute has its entry with the order.
  const isDisputed = steps > 0 && now.disputes > before.disputes;
  if (steps > 0 !== (entries > 0 || isDisputed))
    report("history exactly per change", `${entries} entries for ${steps} changes`);
  const isBilling = now.open_attempt_id !== null && now.open_attempt_id === before.open_attempt_id;
  const isMoved = now.status === before.status && now.next_billing_date !== before.next_billing_date;
  if (isBilling && isMoved && deliveriesOwed(before) === 0)
    report("dates wait for billing", `${before.next_billing_date} becomes ${now.next_billing_date}`);
}
