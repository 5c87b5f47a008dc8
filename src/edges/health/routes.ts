import { z } from "@hono/zod-openapi";
import { newestMigration, version } from "../../base/db/newest-migration.ts";
import { DomainError } from "../../base/errors.ts";
import { named } from "../../kit/http/document/describe.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { readCondition } from "./condition.ts";

const Health = named(
  "Health",
  z.strictObject({
    status: z.literal("ok"),
    storage: z.literal("ok"),
    queue: z.literal("ok"),
    version: z.string(),
    schema: z.string(),
  }),
  {
    status: "ok: the deployment serves requests, and does by itself what falls due.",
    storage: "ok: the database has answered, and its schema is the one that this version works with.",
    queue: "ok: the queues have answered, and no message has waited for ten minutes.",
    version: ["The version that serves.", "0.1.0"],
    schema: ["The newest migration that this version works with.", "0001_schema.sql"],
  },
);

export const healthOperations = [
  operation({
    id: "getHealth",
    method: "get",
    path: "/health",
    tag: "Service",
    summary: "Check whether the deployment does its work",
    description:
      "For monitoring. 503 says each part that is at fault: the storage or the queue does not answer, the schema is older than the code, " +
      "a message has waited for ten minutes, cron has not been for five, or the key of stored secrets opens none of them.",
    credentials: "none",
    success: { status: 200, description: "Every part does its work.", schema: Health },
    errors: ["UNAVAILABLE"],
    handler: async ({ c }) => {
      const { faults } = await readCondition(c.get("env"), c.get("db"), c.get("now").toISOString());
      if (faults.length > 0)
        throw new DomainError("UNAVAILABLE", faults.map(({ part, says }) => `${part}: ${says}`).join("; "));
      return { status: "ok", storage: "ok", queue: "ok", version, schema: newestMigration } as const;
    },
  }),
];
