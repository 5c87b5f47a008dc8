import { ConstraintError } from "./commit.ts";
import type { Statement } from "./port.ts";

/** A statement that fails its whole batch if `broken` holds; `isGuard` recognises that failure. The builder has no insert without a table to select from, so this is SQL. */
export function guard(broken: string, params: Statement["params"]): Statement {
  return {
    sql: `INSERT INTO guards (ok) SELECT 0 WHERE ${broken}`,
    params,
  };
}

export function isGuard(error: unknown): boolean {
  return error instanceof ConstraintError && error.on === "guard";
}
