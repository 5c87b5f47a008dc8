import { z } from "@hono/zod-openapi";
import { first } from "../db/statement.ts";
import { operation } from "../http/operation.ts";

const part = z.enum(["ok", "unreachable"]);
const Health = z
  .strictObject({ status: z.enum(["ok", "unavailable"]), storage: part, queue: part })
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
      if (storage === "ok" && queue === "ok") return { status: "ok", storage, queue };
      c.header("Retry-After", "5");
      return c.json({ status: "unavailable", storage, queue }, 503);
    },
  }),
];
