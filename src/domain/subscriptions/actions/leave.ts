import type { Statement } from "../../../base/db/port.ts";
import { laterOf } from "../../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { minimumTermOf } from "../bounds/minimum-term.ts";
import { isOver } from "../lifecycle.ts";
import { combine, type Part } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import type { Subscription } from "../tables.ts";
import { type Companion, changeSubscription } from "./change-subscription.ts";
import { endSubscription } from "./end-subscription.ts";

/** The end that a customer's notice leads to: at once, on a day, or with the last cycle of the minimum that was agreed on. */
type AgreedEnd = Pick<Subscription, "ends_on" | "ends_after_cycle"> & {
  /** The day from which on nothing more comes of it; null where the last cycle's day cannot be foreseen. */
  effective_on: CalendarDate | null;
  isNow: boolean;
};

type Notice = {
  id: string;
  /** The day from which on the customer wants to leave; null for as soon as possible. */
  wants_on: CalendarDate | null;
  metadata: Record<string, unknown>;
  companion: Companion;
  /** Finds what came after the notice, so that it no longer counts. */
  countermanded: Statement;
};

/**
 * Ends a subscription as its customer has given notice, whatever the portal lets customers do: as soon as the minimum term allows, and not before
 * the day that they have named. An earlier end that was agreed on before stays. Returns no end where it is over, or was countermanded since.
 */
export async function leaveSubscription(
  ctx: Ctx,
  { id, wants_on, metadata, companion, countermanded }: Notice,
): Promise<AgreedEnd | undefined> {
  const options = { companion, alongside: { countermanded }, tries: mostTries };
  const { result } = await changeSubscription(
    ctx,
    id,
    options,
    (view, found): Part<AgreedEnd> | undefined => {
      if (isOver(view.row) || found.countermanded.length > 0) return undefined;
      const end = endOnNotice(view, wants_on);
      const { isNow, ends_on, ends_after_cycle } = end;
      if (isNow) return combine(endSubscription(ctx, view, { metadata }), { result: end });
      return {
        entry: { action: "cancellation_scheduled", metadata },
        columns: { ends_on, ends_after_cycle },
        result: end,
      };
    },
  );
  return result;
}

/** Several notices may come at once, while a charge is recorded. Nobody waits for the job that carries one out. */
const mostTries = 8;

/** The end that a notice leads to, from the subscription as it is. */
export function endOnNotice(view: SubscriptionView, wants_on: CalendarDate | null): AgreedEnd {
  const { row, today } = view;
  const { cycles, until } = minimumTermOf({ ...view, viewer: "customer" });
  const wanted = wants_on === null ? today : laterOf(today, wants_on);
  const known = row.ends_on !== null && row.ends_on <= wanted ? row.ends_on : undefined;
  if (cycles > 0 && (until === null || until >= wanted))
    return {
      ends_on: known ?? null,
      ends_after_cycle: row.current_billing_cycle + cycles - 1,
      effective_on: known ?? until,
      isNow: false,
    };
  const ends_on = known ?? wanted;
  return {
    ...{ ends_on, ends_after_cycle: row.ends_after_cycle, effective_on: ends_on },
    isNow: ends_on <= today,
  };
}
