import { demoId } from "../../base/demo.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { fittingRecords } from "../../kit/http/list/fitting-page.ts";
import { presentEvent } from "./present.ts";
import { getEvent, listEvents } from "./queries.ts";

const { EventData, EventList, EventQuery } = deferred(() => import("./schemas.ts"));

const path = "/api/events";
const common = { tag: "Events", credentials: "either", resource: "events" } as const;

export const eventOperations = [
  operation({
    ...common,
    id: "listEvents",
    method: "get",
    path,
    summary: "Read the stream of events",
    description:
      "Everything that has happened, oldest first, kept for ever. Ask again with `after` set to `meta.next_after`: whoever goes on after the last sequence that they saw has missed nothing.",
    query: EventQuery,
    success: { status: 200, description: "A page of events.", schema: EventList },
    handler: async ({ ctx, query }) => {
      const { after, types, limit } = query;
      const { rows, hasMore } = await listEvents(ctx, { after, filters: types, limit });
      const events = rows.map(presentEvent);
      const { data, size } = fittingRecords(events);
      return {
        data,
        meta: {
          next_after: events[size - 1]?.sequence ?? after,
          has_more: hasMore || size < events.length,
        },
      };
    },
  }),
  operation({
    ...common,
    id: "getEvent",
    method: "get",
    path: `${path}/{id}`,
    summary: "Get an event",
    description: "One event by id: that of an entry of the history, which webhooks have as `webhook-id`.",
    params: pathId("event", demoId("activity_log", 8)),
    success: { status: 200, description: "The event.", schema: EventData },
    handler: async ({ ctx, params }) => ({ data: presentEvent(await getEvent(ctx, params.id)) }),
  }),
];
