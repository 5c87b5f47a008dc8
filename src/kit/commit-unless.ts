import { commit } from "../base/db/commit.ts";
import { guard, isGuard } from "../base/db/guard.ts";
import type { Result, Statement } from "../base/db/port.ts";
import { first } from "../base/db/statement.ts";
import { type Ctx, isRehearsed } from "./context.ts";

/** A condition in SQL that a batch must not meet, and the error where it does. */
type Refusal = { broken: string; params: Statement["params"]; refuse: () => Error };

/** Commits a batch unless a condition holds in it. A rehearsal, which writes nothing, asks whether it does. */
export async function commitUnless(
  ctx: Ctx,
  { broken, params, refuse }: Refusal,
  statements: Statement[],
): Promise<Result<unknown>[]> {
  if (isRehearsed(ctx) && (await first(ctx.db, { sql: `SELECT 1 WHERE ${broken}`, params }))) throw refuse();
  const [, ...results] = await commit(ctx, [guard(broken, params), ...statements]).catch((error) => {
    throw isGuard(error) ? refuse() : error;
  });
  return results;
}
