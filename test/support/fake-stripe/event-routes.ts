import { listPage, listParams } from "./lists.ts";
import { list, text } from "./parameters.ts";
import type { Route } from "./routes.ts";
import { findRecord } from "./store.ts";

/** docs.stripe.com/api/events: those of the last 30 days. */
export const eventRoutes: Route[] = [
  {
    operation: "events.list",
    method: "GET",
    path: "/v1/events",
    params: [...listParams, "type", "types"],
    run: ({ account, params }) => {
      const type = text(params, "type");
      const types = list(params, "types") ?? (type === undefined ? undefined : [type]);
      const since = account.now() - keptSeconds;
      const found = account.events.filter(
        (event) => event.created >= since && (types?.includes(event.type) ?? true),
      );
      return listPage("/v1/events", found, params);
    },
  },
  {
    operation: "events.retrieve",
    method: "GET",
    path: "/v1/events/*",
    params: [],
    run: ({ account, ids: [id = ""] }) =>
      findRecord(new Map(account.events.map((event) => [event.id, event])), "event", id),
  },
];

const keptSeconds = 30 * 86_400;
