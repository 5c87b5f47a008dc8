import { commit } from "../../base/db/commit.ts";
import { guard, isGuard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { DomainError } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { getEndpoint } from "./queries.ts";

/**
 * Runs a statement that has something sent to an endpoint, in one batch with the check that it is enabled: disabling cancels what is
 * pending at that moment, and nothing that is written later. Returns the rows of the statement. Throws INVALID_STATE for an endpoint that is
 * disabled, NOT_FOUND for one that was deleted.
 */
export async function commitIfEnabled<R>(ctx: Ctx, endpointId: string, written: Statement<R>): Promise<R[]> {
  try {
    const [, { rows }] = await commit<[unknown, R]>(ctx, [guardEnabled(ctx, endpointId), written]);
    return rows;
  } catch (error) {
    if (!isGuard(error)) throw error;
    await getEndpoint(ctx, endpointId);
    throw new DomainError("INVALID_STATE", "The endpoint is disabled; enable it first");
  }
}

/** Makes the batch fail unless the endpoint is enabled. */
export function guardEnabled({ account }: Ctx, endpointId: string): Statement {
  return guard(
    "NOT EXISTS (SELECT 1 FROM webhook_endpoints WHERE account_seq = ? AND id = ? AND is_enabled = 1)",
    [account.seq, endpointId],
  );
}
