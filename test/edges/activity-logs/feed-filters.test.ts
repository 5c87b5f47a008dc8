/** Each filter of the feed leaves exactly the entries that it names. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { faults } from "../../support/records.ts";
import { lettersOf, path, type Query, range, useHistory } from "./feed.setup.ts";

const { shop, ids } = useHistory();

describe("filters of the feed", () => {
  test.each([
    ["both kinds of record, newest first", {}, "jihgfedcba"],
    [
      "subscription_id: only loggable_type subscription, though orders name it too",
      { subscription_id: "$sub" },
      "dcba",
    ],
    ["order_id: only loggable_type order", { order_id: "$order" }, "hgfe"],
    ["both: order_id takes precedence", { order_id: "$order", subscription_id: "$sub" }, "hgfe"],
    ["both, of which the order is unknown", { order_id: "nope", subscription_id: "$sub" }, ""],
    ["both, of which the subscription is unknown", { order_id: "$order", subscription_id: "nope" }, "hgfe"],
    ["subscription_id that is an order's", { subscription_id: "$order" }, ""],
    ["order_id that is a subscription's", { order_id: "$sub" }, ""],
    ["actor_type customer", { actor_type: "customer" }, "b"],
    ["actor_type admin", { actor_type: "admin" }, "jdc"],
    ["actor_type api", { actor_type: "api" }, "hga"],
    ["actor_type system: also rows with no actor", { actor_type: "system" }, "ife"],
    ["actor_name with admin", { actor_type: "admin", actor_name: "Grace" }, "c"],
    ["actor_name with admin, any script", { actor_type: "admin", actor_name: "Åse" }, "d"],
    ["actor_name with admin, whole and in its case", { actor_type: "admin", actor_name: "grace" }, ""],
    ["actor_name without actor_type is ignored", { actor_name: "Grace" }, "jihgfedcba"],
    ["actor_name with system is ignored", { actor_type: "system", actor_name: "Nobody" }, "ife"],
    ["actor_name with api is ignored", { actor_type: "api", actor_name: "warehouse" }, "hga"],
    ["one action", { action: "order_placed" }, "e"],
    ["actions matched as membership", { action: "order_placed,subscription_created" }, "ea"],
    ["actions with blanks, one unknown, one twice", { action: " order_placed , nope,order_placed" }, "e"],
    ["an action is no prefix", { action: "order" }, ""],
    ["an action is no pattern", { action: "order_%" }, ""],
    ["integration_ alone: every custom entry, and its underscore is one", { action: "integration_" }, "hg"],
    ["integration_ in a list", { action: "order_placed,integration_" }, "hge"],
    ["one custom action", { action: "integration_label" }, "g"],
    ["filters together", { order_id: "$order", actor_type: "api", action: "integration_" }, "hg"],
    ["filters that exclude each other", { subscription_id: "$sub", action: "order_placed" }, ""],
    [
      "a thousand actions",
      {
        action: Array.from({ length: 1000 }, (_, n) => `x${n}`)
          .concat("order_placed")
          .join(),
      },
      "e",
    ],
    ["one day", { start_date: "2026-02-05", end_date: "2026-02-05" }, "e"],
    [
      "two days, with a filter",
      { start_date: "2026-02-05", end_date: "2026-02-06", actor_type: "system" },
      "fe",
    ],
  ] as [string, Query, string][])("%s", async (_, query, expected) => {
    const placeholders: Record<string, string> = { $order: ids.orderId, $sub: ids.subscriptionId };
    const filters = Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, placeholders[value] ?? value]),
    );
    expect(await lettersOf(shop.admin, filters)).toBe(expected);
  });

  test.each([
    [["start_date", "end_date"], {}],
    [["end_date"], { start_date: "2026-01-01" }],
    [["start_date"], { end_date: "2026-01-01" }],
    [["start_date"], { ...range, start_date: "" }],
    [["start_date"], { ...range, start_date: "2026-02-30" }],
    [["start_date"], { ...range, start_date: "2025-02-29" }],
    [["start_date"], { ...range, start_date: "01/02/2026" }],
    [["start_date"], { ...range, start_date: "2026-1-1" }],
    [["end_date"], { ...range, end_date: "2026-13-01" }],
    [["end_date"], { ...range, end_date: "+002026-01-01" }],
    [["start_date"], { start_date: "2026-01-02", end_date: "2026-01-01" }],
    [["actor_type"], { ...range, actor_type: "admin,api" }],
    [["actor_type"], { ...range, actor_type: "robot" }],
    [["limit"], { ...range, limit: "0" }],
    [["limit"], { ...range, limit: "101" }],
    [["limit"], { ...range, limit: "-1" }],
    [["page"], { ...range, page: "0" }],
    [["profile_id"], { ...range, profile_id: "x" }],
    [["sort_by"], { ...range, sort_by: "created_at" }],
    [["startdate"], { ...range, startdate: "2026-01-01" }],
  ] as [string[], Query][])("400 that names %s: %o", async (names, query) => {
    expect(faults(await api(shop.admin, "GET", path, { query }))).toEqual([
      400,
      "VALIDATION_FAILED",
      ...names,
    ]);
  });
});
