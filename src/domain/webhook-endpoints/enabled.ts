import { commit } from "../../base/db/commit.ts";
import { guard, isGuard } from "../../base/db/decide.ts";
import type { Statement } from "../../base/db/port.ts";
import { DomainError } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";

/**
 * Commits what an endpoint is sent by, in the batch that also looks whether it is enabled: disabling cancels what is pending then, and
 * nothing after that. Returns the rows of the statement. Throws INVALID_STATE for an endpoint that is disabled.
 */
export async function commitIfEnabled<R>(ctx: Ctx, endpointId: string, written: Statement<R>): Promise<R[]> {
  const isEnabled = guard(
    "NOT EXISTS (SELECT 1 FROM webhook_endpoints WHERE account_seq = ? AND id = ? AND is_enabled = 1)",
    [ctx.account.seq, endpointId],
  );
  try {
    const [, { rows }] = await commit<[unknown, R]>(ctx, [isEnabled, written]);
    return rows;
  } catch (error) {
    if (isGuard(error)) throw new DomainError("INVALID_STATE", "The endpoint is disabled; enable it first");
    throw error;
  }
}
