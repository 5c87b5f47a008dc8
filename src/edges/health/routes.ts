import { z } from "@hono/zod-openapi";
import { accounts } from "../../base/accounts/tables.ts";
import { build, first, prepare } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { named } from "../../kit/http/document/describe.ts";
import { operation } from "../../kit/http/document/operation.ts";

const Health = named(
  "Health",
  z.strictObject({ status: z.literal("ok"), storage: z.literal("ok"), queue: z.literal("ok") }),
  {
    status: "ok: the deployment can serve requests.",
    storage: "ok: the database has answered.",
    queue: "ok: the queue has answered.",
  },
);

export const healthOperations = [
  operation({
    id: "getHealth",
    method: "get",
    path: "/health",
    tag: "Service",
    summary: "Check whether the database and the queue are reachable",
    description: "For monitoring. 503 names what cannot be reached.",
    credentials: "none",
    success: { status: 200, description: "Both are reachable.", schema: Health },
    errors: ["UNAVAILABLE"],
    handler: async ({ c }) => {
      const [storage, queue] = await Promise.all([
        succeeds(first(c.get("db"), selectAnyAccount({}))),
        succeeds(c.get("env").JOBS.metrics()),
      ]);
      if (storage && queue) return { status: "ok", storage: "ok", queue: "ok" } as const;
      const unreachable = [...(storage ? [] : ["storage"]), ...(queue ? [] : ["queue"])];
      throw new DomainError("UNAVAILABLE", `Not reachable: ${unreachable.join(", ")}`);
    },
  }),
];

const selectAnyAccount = prepare(() => build.select({ id: accounts.id }).from(accounts).limit(1));

function succeeds(probe: Promise<unknown>): Promise<boolean> {
  return probe.then(
    () => true,
    () => false,
  );
}
