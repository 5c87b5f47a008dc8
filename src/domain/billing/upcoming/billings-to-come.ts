import type { Ctx } from "../../../kit/context.ts";
import { todayOf } from "../../../kit/days.ts";
import type { Line } from "../../subscriptions/lines/amounts.ts";
import { projectDeliveries } from "./upcoming.ts";
import type { Prospect, UpcomingDelivery } from "./upcoming-steps.ts";

/** Billings to come, so many at most. A pause without an end counts as if it ended today: none comes earlier than that. */
export function billingsToCome(ctx: Ctx, prospect: Prospect): IteratorObject<UpcomingDelivery> {
  const { row } = prospect.view;
  const isOpenEnded = row.status === "PAUSED" && row.pause_until === null;
  const until = isOpenEnded ? { ...row, pause_until: todayOf(ctx) } : row;
  const deliveries = projectDeliveries({ ...prospect, view: { ...prospect.view, row: until } });
  return deliveries.filter(({ isBilled }) => isBilled).take(billingsMax);
}

/** The first of them that charges a line at a price; undefined where none does. */
export function firstBillingAt(
  ctx: Ctx,
  prospect: Prospect,
  { id, price }: Pick<Line, "id" | "price">,
): UpcomingDelivery | undefined {
  return billingsToCome(ctx, prospect).find(({ lines }) =>
    lines.some((line) => line.id === id && line.price === price),
  );
}

const billingsMax = 400;
