import { newEntries } from "../../../src/base/db/new-entries.ts";
import { insertOf } from "../database.ts";
import { type MakePart, now } from "./part.ts";

export const activityPart: MakePart = ({ account }, mark, { profile, order, log }) => ({
  writes: [
    insertOf(newEntries, {
      id: log,
      account_id: account.id,
      action: `integration_${mark}`,
      description: mark,
      metadata: JSON.stringify({ mark }),
      actor_type: "admin",
      actor_name: mark,
      loggable_type: "order",
      loggable_id: order,
      order_id: order,
      profile_id: profile,
      created_at: now,
      type: `integration.${mark}`,
    }),
  ],
  paths: { "/api/events/{id}": { id: log } },
  bodies: {
    createActivityLog: { loggable_type: "order", loggable_id: order, action: "integration_checked" },
  },
  queries: { listActivityLogs: { start_date: "2026-01-01", end_date: "2026-12-31", order_id: order } },
});
