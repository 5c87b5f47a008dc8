import type { z } from "@hono/zod-openapi";
import { demoId } from "../../../base/demo.ts";
import { toMajor } from "../../../base/lib/money.ts";
import { deferred, type Loaded } from "../../../kit/http/deferred.ts";
import { operation } from "../../../kit/http/document/operation.ts";
import { pathId } from "../../../kit/http/document/params.ts";
import { presentLines } from "../../subscriptions/present.ts";
import { projectWithRisks } from "./at-risk.ts";
import { pauseUntil, readProspect } from "./prospect.ts";
import type { UpcomingDelivery } from "./upcoming-steps.ts";

const { Upcoming, UpcomingQuery } = deferred(() => import("./upcoming-schemas.ts"));

export const upcomingOperations = [
  operation({
    id: "listUpcomingDeliveries",
    method: "get",
    path: "/api/subscriptions/{id}/upcoming",
    tag: "Subscriptions",
    credentials: "either",
    resource: "subscriptions",
    summary: "List the next deliveries",
    description:
      "What is delivered and charged next if nobody acts, and every payment that is tried succeeds; where one may not, `is_at_risk` says so. Empty while a subscription is paused without a date. Once it has ended, or its payment has failed for good, only the deliveries that are paid for.",
    customers: true,
    params: pathId("subscription", demoId("subscription", 1)),
    query: UpcomingQuery,
    errors: ["INVALID_STATE"],
    success: { status: 200, description: "The next deliveries.", schema: Upcoming },
    handler: async ({ ctx, params, query: { count, pause_until } }) => {
      const found = await readProspect(ctx, params.id);
      const prospect = pause_until === undefined ? found : pauseUntil(ctx, found, pause_until);
      const { currency_code } = found.view.row;
      const upcoming = projectWithRisks(
        ctx,
        { ...prospect, view: { ...found.view, ...prospect.view } },
        count,
      );
      return { data: upcoming.map((made) => presentUpcoming(made, currency_code)) };
    },
  }),
];

function presentUpcoming(
  { amounts, ...made }: UpcomingDelivery,
  currency_code: string,
): z.input<Loaded<typeof Upcoming>>["data"][number] {
  return {
    cycle: made.cycle,
    billing_date: made.billing,
    delivery_date: made.delivery,
    production_date: made.production,
    delivery_slot_id: made.slotId,
    is_billed: made.isBilled,
    is_at_risk: made.isAtRisk,
    lines: presentLines(made.lines, amounts, currency_code),
    subtotal: toMajor(amounts.subtotal, currency_code),
    discount_amount: toMajor(amounts.discount_amount, currency_code),
    shipping_amount: toMajor(amounts.shipping_amount, currency_code),
    tax_amount: toMajor(amounts.tax_amount, currency_code),
    total: toMajor(amounts.total, currency_code),
    currency_code,
  };
}
