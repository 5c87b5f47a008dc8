import { readJson } from "../../kit/http/json-text.ts";
import { presentAttempt } from "../billing/present.ts";
import { attemptsInRange } from "../billing/queries.ts";
import { presentEvent } from "../events/present.ts";
import { selectEventsInRange } from "../events/queries.ts";
import { presentOrder } from "../orders/present.ts";
import { ordersInRange } from "../orders/queries.ts";
import { presentProfile } from "../profiles/present.ts";
import { profilesInRange } from "../profiles/queries.ts";
import { subscriptionsInRange } from "../subscriptions/list/list-readers.ts";
import { presentSubscription } from "../subscriptions/present.ts";
import { viewsOf } from "../subscriptions/queries.ts";
import { defineExporter, type Exporter } from "./exporter.ts";
import type { ExportResource, PartFilters } from "./resources.ts";
import { importValues, subscriptionLines } from "./subscription-lines.ts";

export const exporters: Record<ExportResource, Exporter> = {
  profiles: defineExporter({
    select: ({ account }, filters, range) =>
      profilesInRange({ account_seq: account.seq }, filtersOfList(filters), range),
    keyOf: ({ id }) => id,
    view: (_, rows) => rows,
    present: (_, row) => presentProfile(row),
  }),
  subscriptions: defineExporter({
    select: ({ account }, filters, range) =>
      subscriptionsInRange({ account_seq: account.seq }, filtersOfList(filters), range),
    keyOf: ({ number }) => number,
    view: viewsOf,
    present: (_, view) => ({ ...readJson(presentSubscription(view)), import_values: importValues(view) }),
    csvLines: (_, view) => subscriptionLines(view),
  }),
  orders: defineExporter({
    select: ({ account }, filters, range) =>
      ordersInRange({ account_seq: account.seq }, filtersOfList(filters), range),
    keyOf: ({ id }) => id,
    view: (_, rows) => rows,
    present: ({ account }, row) => presentOrder(row, account),
  }),
  billing_attempts: defineExporter({
    select: ({ account }, filters, range) =>
      attemptsInRange({ account_seq: account.seq }, filtersOfList(filters), range),
    keyOf: ({ id }) => id,
    view: (_, rows) => rows,
    present: (_, row) => presentAttempt(row),
  }),
  events: defineExporter({
    select: (ctx, { types }, range) => selectEventsInRange(ctx, types as string[] | undefined, range),
    keyOf: ({ sequence }) => sequence,
    view: (_, rows) => rows,
    present: (_, row) => presentEvent(row),
  }),
};

/** Only events are filtered by a list. */
function filtersOfList(filters: PartFilters) {
  return filters as Record<string, string | number>;
}
