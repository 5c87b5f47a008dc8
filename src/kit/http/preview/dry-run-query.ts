import { z } from "@hono/zod-openapi";
import { queryBoolean } from "../document/params.ts";

export const DryRunQuery = z.strictObject({
  dry_run: queryBoolean.optional().openapi({
    param: {
      description:
        "Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default.",
    },
  }),
});
