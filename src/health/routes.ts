import { z } from "@hono/zod-openapi";
import { first } from "../db/statement.ts";
import { DomainError } from "../errors.ts";
import { operation } from "../http/operation.ts";

const Health = z
  .strictObject({ status: z.literal("ok"), storage: z.literal("ok"), queue: z.literal("ok") })
  .openapi("Health");

const reached = (probe: Promise<unknown>): Promise<"ok" | "unreachable"> =>
  probe.then(
    () => "ok",
    () => "unreachable",
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
        reached(first(c.get("db"), { sql: "SELECT 1 FROM accounts LIMIT 1", params: [] })),
        reached(env.JOBS.metrics()),
      ]);
      const missing = Object.entries({ storage, queue }).filter(([, state]) => state !== "ok");
      if (missing.length === 0) return { status: "ok", storage, queue };
      throw new DomainError("UNAVAILABLE", `Not reachable: ${missing.map(([name]) => name).join(", ")}`);
    },
  }),
];
