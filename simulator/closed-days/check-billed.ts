import { snapshotOf } from "../../src/domain/billing/snapshot.ts";
import type { ClosedDayHistory, ClosedKind } from "../dates/history.ts";
import type { World } from "../kernel/world.ts";
import type { Change, Entry } from "./rows.ts";

/**
 * Nothing is charged, packed or delivered for a day that was closed before whoever does it began, whether or not the stored dates have
 * followed. A charge whose day has passed, and a retry, are no charge for a closed day.
 */
export function checkBilled(
  { report }: Pick<World, "report">,
  history: ClosedDayHistory,
  { before, entries, orders, since, today }: Change,
): void {
  const isClosed = (kind: ClosedKind, slotId: string | null, day: string) =>
    history.isSurelyClosed(since, { kind, slotId }, day);

  const checkDelivery = (what: string, { slotId, delivery, production }: Planned): void => {
    if (isClosed("delivery", slotId, delivery)) report(rule, `${what} for ${delivery}, on ${today}`);
    if (production === null || !isClosed("production", slotId, production)) return;
    // It is packed today where no day up to the delivery is open.
    const open = history.firstSurelyOpen(since, { kind: "production", slotId }, today);
    if (open <= delivery) report(rule, `${what} is packed on ${production}, and could be on ${open}`);
  };

  for (const { action, origin, snapshot, store_reference } of entries) {
    if (!starts.includes(action) || snapshot === null || store_reference !== null) continue;
    const planned = plannedIn(snapshot);
    checkDelivery("charged", planned);
    const isScheduled = origin === "RECURRING" && before.billing_waiting_since === null;
    const day = before.next_billing_date;
    if (isScheduled && day === today && isClosed("billing", before.delivery_slot_id, day))
      report(rule, `charged on ${day}`);
  }
  for (const order of orders)
    if (order.billing_attempt_id === null)
      checkDelivery("delivered", {
        slotId: order.delivery_slot_id,
        delivery: order.delivery_date,
        production: order.production_date,
      });
}

const rule = "nothing is done for a closed day";

const starts: Entry["action"][] = ["billing_started", "ship_now_requested"];

type Planned = { slotId: string | null; delivery: string; production: string | null };

function plannedIn(snapshot: string): Planned {
  const { delivery_slot_id, delivery_date, production_date } = snapshotOf({ snapshot });
  return { slotId: delivery_slot_id, delivery: delivery_date, production: production_date };
}
