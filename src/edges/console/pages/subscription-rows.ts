import type { z } from "@hono/zod-openapi";
import { day, money } from "../../../base/language/format.ts";
import type { SubscriptionList } from "../../../domain/subscriptions/schemas.ts";
import type { Html } from "../../pages/document.ts";
import type { StaffVisit } from "./console-env.ts";
import { customerLink, subscriptionLink } from "./links.ts";
import { stateOf, table } from "./table.ts";

type Row = z.output<typeof SubscriptionList>["data"][number];

/** Subscriptions in rows: whose, how often, in which state, when the next delivery comes, and what it costs. */
export function subscriptionTable(visit: StaffVisit, rows: Row[]): Html {
  return table({
    caption: "Subscriptions",
    columns: [
      "Customer",
      "Subscription",
      "How often",
      "State",
      "Next delivery",
      { head: "Amount", isNumber: true },
    ],
    rows: rows.map((one) => [
      customerLink(visit, one.profile),
      subscriptionLink(visit, one),
      one.frequency_label,
      stateOf(one.status),
      one.next_delivery_date === null ? "–" : day("en", one.next_delivery_date),
      money("en", one.total, one.currency_code),
    ]),
  });
}
