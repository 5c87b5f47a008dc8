import type { z } from "@hono/zod-openapi";
import { sideBySide } from "../../base/db/wrapped/side-by-side.ts";
import { demoId } from "../../base/demo.ts";
import { invalid } from "../../base/errors.ts";
import { endOfDay, parseDate, startOfDay } from "../../base/lib/time/dates.ts";
import { getEvent } from "../../domain/events/queries.ts";
import { getProfile } from "../../domain/profiles/queries.ts";
import type { Ctx } from "../../kit/context.ts";
import { deferred, type Loaded } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { appendActivityLog } from "./actions.ts";
import { bucketsOf } from "./buckets.ts";
import { presentActivity, presentEntry } from "./present.ts";
import { type ActivityRow, actionFilter, listActivity, listNames, listProfileActivity } from "./queries.ts";

const { ActivityFeed, ActivityLogCreate, ActivityLogCreated, FeedQuery, Names, TimelineQuery } = deferred(
  () => import("./schemas.ts"),
);

const path = "/api/activity-logs";
const common = { tag: "Activity logs", credentials: "apiKeyAndBearer", resource: "activity" } as const;

type Query = z.output<Loaded<typeof FeedQuery>>;

/** The instants at which the requested days begin and end in the account's time zone. */
function parseRange({ start_date, end_date }: Query, { account }: Ctx) {
  const first = parseDate(start_date, account.timezone) ?? "";
  const last = parseDate(end_date, account.timezone) ?? "";
  if (first > last) throw invalid([{ path: "start_date", message: "must not be after end_date" }]);
  return { start: startOfDay(first, account.timezone), end: endOfDay(last, account.timezone) };
}

function filtersOf({ subscription_id, order_id, actor_type, actor_name }: Query) {
  return {
    of_order: order_id,
    of_subscription: order_id === undefined ? subscription_id : undefined,
    by_program: isPerson(actor_type) ? undefined : actor_type,
    by_person: isPerson(actor_type) ? actor_type : undefined,
    by_staff: actor_type === "admin" ? actor_name : undefined,
  };
}

function isPerson(actorType: Query["actor_type"]): boolean {
  return actorType === "customer" || actorType === "admin";
}

function actionsOf({ action }: Query) {
  return action ? actionFilter(action.split(",").map((name) => name.trim())) : { filter: {}, values: {} };
}

type List = Parameters<typeof answerList<ActivityRow, unknown>>[1];

/** The page of a history, whose `metadata` has fewer members than other lists have. */
async function answer(asked: Parameters<typeof answerList>[0], list: List) {
  const { data, meta } = await answerList(asked, list, presentActivity);
  const { total, total_is_estimate, is_partial, per_page, current_page, last_page } = meta;
  const metadata = { total, per_page, current_page, last_page };
  const more = { ...(total_is_estimate && { total_is_estimate }), ...(is_partial && { is_partial }) };
  return { data, metadata: { ...metadata, ...more } };
}

export const activityLogOperations = [
  operation({
    ...common,
    id: "listActivityLogs",
    method: "get",
    path,
    summary: "List the history of subscriptions and orders",
    description: "Entries of the service and of integrations on the requested days, newest first.",
    query: FeedQuery,
    success: pageAnswer("A page of entries.", ActivityFeed),
    handler: async ({ c, ctx, query }) => {
      const range = parseRange(query, ctx);
      const { filter, values } = actionsOf(query);
      const buckets = bucketsOf(range.start, range.end);
      const scope = { ...buckets, ...values };
      const days = { start: Date.parse(range.start), end: Date.parse(range.end) };
      const filters = { ...days, ...filtersOf(query), ...filter };
      return answer({ c, query }, (page) => listActivity(ctx, page, filters, scope));
    },
  }),
  operation({
    ...common,
    id: "createActivityLog",
    method: "post",
    path,
    summary: "Add an entry of an integration",
    description:
      "Adds to the history of a subscription or an order. Its actor is `api`, whoever sends it; it is also an event, `integration.…`, for the stream and for webhook endpoints.",
    body: ActivityLogCreate,
    errors: ["UNKNOWN_LOGGABLE"],
    success: { status: 201, description: "The new entry.", schema: ActivityLogCreated },
    handler: async ({ ctx, body }) => presentEntry(await appendActivityLog(ctx, body)),
    answerAgain: async ({ ctx, created }) => presentEntry(await getEvent(ctx, created.entry)),
  }),
  operation({
    ...common,
    id: "listIntegrationActions",
    method: "get",
    path: `${path}/integration-actions`,
    summary: "List the action names that integrations have used",
    description: "Every action that begins with `integration_`, for choosing a filter of the history.",
    success: { status: 200, description: "Distinct names in alphabetical order.", schema: Names },
    handler: async ({ ctx }) => ({ data: await listNames(ctx, "action") }),
  }),
  operation({
    ...common,
    id: "listActors",
    method: "get",
    path: `${path}/actors`,
    summary: "List the staff members who appear in the history",
    description: "Every actor name of an admin, for choosing a filter of the history.",
    success: { status: 200, description: "Distinct names in alphabetical order.", schema: Names },
    handler: async ({ ctx }) => ({ data: await listNames(ctx, "actor") }),
  }),
  operation({
    ...common,
    id: "listProfileActivity",
    method: "get",
    path: "/api/profiles/{id}/activity",
    summary: "List the history of a customer",
    description: "Entries about the customer's subscriptions and orders, newest first.",
    params: pathId("profile", demoId("profile", 1)),
    query: TimelineQuery,
    success: pageAnswer("A page of entries.", ActivityFeed),
    handler: async ({ c, ctx, params, query }) => {
      const scope = { profile_id: params.id };
      const [list] = await sideBySide(ctx.db, [
        (db) => answer({ c, query }, (page) => listProfileActivity({ ...ctx, db }, page, {}, scope)),
        (db) => getProfile({ ...ctx, db }, params.id),
      ]);
      return list;
    },
  }),
];
