import type { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { parseDate } from "../../base/lib/dates.ts";
import { askedPage } from "../../kit/http/cursor.ts";
import { deferred, type Loaded } from "../../kit/http/deferred.ts";
import { linkHeader, listAnswer } from "../../kit/http/list-answer.ts";
import { operation } from "../../kit/http/operation.ts";
import { pathId, sortOrder } from "../../kit/http/params.ts";
import { presentOrder } from "./present.ts";
import { getOrder, listOrders } from "./queries.ts";

const { OrderData, OrderList, OrderQuery } = deferred(() => import("./schemas.ts"));

const path = "/api/subscriptions/orders";
const common = { tag: "Orders", credentials: "apiKeyAndBearer", resource: "orders" } as const;

type Query = z.output<Loaded<typeof OrderQuery>>;

export const orderOperations = [
  operation({
    ...common,
    id: "listOrders",
    method: "get",
    path,
    summary: "List orders",
    description: "Newest first by default. Statuses sort ascending, dates and totals descending.",
    query: OrderQuery,
    success: {
      status: 200,
      description: "A page of orders.",
      schema: OrderList,
      headers: linkHeader,
    },
    handler: async ({ c, ctx, query }) => {
      const sort = sortOrder(query.sort_by, query.sort_order, ["status"]);
      const filters = parseFilters(query, ctx.account.timezone);
      const asked = askedPage(c, query);
      const listed = await listOrders(ctx.db, { account_seq: ctx.account.seq }, filters, {
        ...asked,
        ...sort,
      });
      return listAnswer(c, asked, listed, (order) => presentOrder(order, ctx.account));
    },
  }),
  operation({
    ...common,
    id: "getOrder",
    method: "get",
    path: `${path}/{id}`,
    summary: "Get an order",
    description: "One order by id, with its customer, its subscriptions and its delivery slot.",
    params: pathId("order", demoId("order", 1)),
    success: { status: 200, description: "The order.", schema: OrderData },
    handler: async ({ ctx, params }) => ({ data: presentOrder(await getOrder(ctx, params.id), ctx.account) }),
  }),
];

/** The filters of listOrders for a query. A date-time counts as its date in the account's time zone. */
function parseFilters(query: Query, timezone: string) {
  const {
    page,
    limit,
    cursor,
    sort_by,
    sort_order,
    status,
    search,
    has_subscription,
    is_checkout_order,
    ...rest
  } = query;
  const others = Object.entries(rest).map(([name, value]) => [
    name,
    value !== undefined && /_date_(from|to)$/.test(name) ? parseDate(value, timezone) : value,
  ]);
  return {
    ...(Object.fromEntries(others) as Record<string, string | undefined>),
    status: status && JSON.stringify(status),
    search,
    // The value that few orders have is a filter of its own, which has an index.
    ...(has_subscription === false
      ? { without_subscription: 1 }
      : { has_subscription: flagOf(has_subscription) }),
    ...(is_checkout_order === true ? { from_checkout: 1 } : { is_checkout_order: flagOf(is_checkout_order) }),
  };
}

function flagOf(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
