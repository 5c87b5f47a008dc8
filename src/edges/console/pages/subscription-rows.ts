import type { z } from "@hono/zod-openapi";
import { day, money } from "../../../base/language/format.ts";
import type { SubscriptionList } from "../../../domain/subscriptions/schemas.ts";
import type { Html } from "../../pages/document.ts";
import type { StaffVisit } from "./console-env.ts";
import { customerLink, subscriptionLink } from "./links.ts";
import { state, stateOf, table, wordOf } from "./table.ts";

type Row = z.output<typeof SubscriptionList>["data"][number];

/** The state of a subscription, with what keeps it from being charged. */
export function stateOfSubscription({
  status,
  is_in_dunning,
  billing_blocked_reason,
}: Pick<Row, "status" | "is_in_dunning" | "billing_blocked_reason">): Html {
  if (status === "PAYMENT_FAILED" || !(is_in_dunning || billing_blocked_reason)) return stateOf(status);
  return state(`${wordOf(status)}, ${is_in_dunning ? "payment failed" : "billing waits"}`, "bad");
}

/** Subscriptions in rows: whose where they are not all of one customer, how often, in which state, when the next delivery comes, and what it costs. */
export function subscriptionTable(visit: StaffVisit, rows: Row[], { isOfOne = false } = {}): Html {
  return table({
    caption: "Subscriptions",
    columns: [
      ...(isOfOne ? [] : ["Customer"]),
      "Subscription",
      "How often",
      "State",
      "Next delivery",
      { head: "Amount", isNumber: true },
    ],
    rows: rows.map((one) => [
      ...(isOfOne ? [] : [customerLink(visit, one.profile)]),
      subscriptionLink(visit, one),
      one.frequency_label,
      stateOfSubscription(one),
      one.next_delivery_date === null ? "–" : day("en", one.next_delivery_date),
      money("en", one.total, one.currency_code),
    ]),
  });
}
