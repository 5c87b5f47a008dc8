import { demoId } from "../../base/demo.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId, sortOrder } from "../../kit/http/document/params.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { parseFilters } from "./filters.ts";
import { presentOrder } from "./present.ts";
import { getOrder, listOrders } from "./queries.ts";

const { OrderData, OrderList, OrderQuery } = deferred(() => import("./schemas.ts"));

const path = "/api/subscriptions/orders";
const common = { tag: "Orders", credentials: "apiKeyAndBearer", resource: "orders" } as const;

export const orderOperations = [
  operation({
    ...common,
    id: "listOrders",
    method: "get",
    path,
    summary: "List orders",
    description: "Newest first by default. Statuses sort ascending, dates and totals descending.",
    query: OrderQuery,
    success: pageAnswer("A page of orders.", OrderList),
    handler: async ({ c, ctx, query }) => {
      const sort = sortOrder(query.sort_by, query.sort_order, ["status"]);
      const filters = parseFilters(query, ctx.account.timezone);
      return answerList(
        { c, query },
        (page) => listOrders(ctx, { ...page, ...sort }, filters),
        (order) => presentOrder(order, ctx.account),
      );
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
