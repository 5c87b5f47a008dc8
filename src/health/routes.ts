import { z } from "@hono/zod-openapi";
import { first } from "../db/statement.ts";
import { DomainError } from "../errors.ts";
import { operation } from "../http/operation.ts";

const Health = z
  .strictObject({ status: z.literal("ok"), storage: z.literal("ok"), queue: z.literal("ok") })
  .openapi("Health");

const isReached = (probe: Promise<unknown>): Promise<boolean> =>
  probe.then(
    () => true,
    () => false,
  );

export const healthOperations = [
  operation({
    id: "getHealth",
    method: "get",
    path: "/health",
    tag: "Service",
    summary: "Whether storage and queue are reachable",
    credentials: "none",
    success: { status: 200, description: "All are reachable.", schema: Health },
    errors: ["UNAVAILABLE"],
    handler: async ({ c }) => {
      const env = c.get("env");
      const [storage, queue] = await Promise.all([
        isReached(first(c.get("db"), { sql: "SELECT 1 FROM accounts LIMIT 1", params: [] })),
        isReached(env.JOBS.metrics()),
      ]);
      const missing = Object.entries({ storage, queue }).filter(([, isThere]) => !isThere);
      if (missing.length === 0) return { status: "ok", storage: "ok", queue: "ok" } as const;
      throw new DomainError("UNAVAILABLE", `Not reachable: ${missing.map(([name]) => name).join(", ")}`);
    },
  }),
];
