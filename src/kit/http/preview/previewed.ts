import type { z } from "@hono/zod-openapi";
import { type Deferrable, deferred } from "../deferred.ts";

const { DryRunQuery } = deferred(() => import("./dry-run-query.ts"));

/** The parts of an operation whose dry run is a preview. */
export const previewed = { query: DryRunQuery, previews: true } as const;

/** The answer to a dry run, where the operation itself answers otherwise. */
export function answersDry<S extends Deferrable<z.ZodType>>(what: string, schema: S) {
  return { 200: { description: `A dry run: ${what}.`, schema } };
}
