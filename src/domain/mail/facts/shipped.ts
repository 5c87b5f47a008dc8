import type { Ctx } from "../../../kit/context.ts";
import type { EventRow } from "../../events/queries.ts";
import { getOrder, type OrderRow } from "../../orders/queries.ts";
import type { MailFacts } from "../render/facts.ts";
import { factsOfOrder, subscriptionOf } from "./order.ts";

/** An order that is on its way. The store tells of those that it has sold by itself. */
export async function prepareShipped(ctx: Ctx, event: EventRow): Promise<MailFacts["shipped"]> {
  const order = await getOrder(ctx, event.loggable_id);
  return {
    ...factsOfOrder(ctx, order, await subscriptionOf(ctx, order)),
    tracking: trackingOf(order),
  };
}

function trackingOf({ tracking_company, tracking_number, tracking_url }: OrderRow) {
  if (tracking_company === null && tracking_number === null && tracking_url === null) return null;
  return { company: tracking_company, number: tracking_number, url: tracking_url };
}
