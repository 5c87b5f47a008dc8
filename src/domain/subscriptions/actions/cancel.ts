import type { z } from "@hono/zod-openapi";
import { DomainError } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { requireReason, selectNamedReason } from "../../reasons/queries.ts";
import type { Reason } from "../../reasons/tables.ts";
import { cyclesAgreed, invalidState, isReached, requireAllowed } from "../lifecycle.ts";
import type { CancelRequest } from "../lifecycle-requests.ts";
import type { SubscriptionView } from "../queries.ts";
import type { Subscription } from "../tables.ts";
import { type CommandWith, changeSubscription } from "./change-subscription.ts";
import { endSubscription } from "./end-subscription.ts";

type Request = z.output<typeof CancelRequest>;

/** Cancels for a reason that the request names, or for one that was chosen before, whatever has become of it since. */
export function cancelSubscription(
  ctx: Ctx,
  { id, request, chosen, ...command }: CommandWith<Request> & { chosen?: ChosenReason },
): Promise<SubscriptionView> {
  const alongside = { named: selectNamedReason(ctx, "cancellation", request.cancellation_reason_id) };
  return changeSubscription(ctx, id, { alongside, ...command, needs: "can_cancel" }, (view, { named }) => {
    const { row } = view;
    const reason = chosen ?? requireReason("cancellation", request.cancellation_reason_id, named);
    const requested = {
      cancellation_reason: reason?.label ?? request.reason ?? null,
      cancellation_reason_id: reason?.id ?? null,
    };
    if (isReached("cancel", row)) {
      const differs =
        (request.reason !== undefined && row.cancellation_reason !== requested.cancellation_reason) ||
        (request.cancellation_reason_id !== undefined &&
          row.cancellation_reason_id !== requested.cancellation_reason_id);
      if (differs) throw invalidState("cancel", row);
      return undefined;
    }
    requireAllowed("cancel", row);
    requireMinimum(ctx, row);
    const note = reason && request.reason !== undefined ? { note: request.reason } : {};
    const metadata = reason ? { cancellation_reason: { id: reason.id, label: reason.label, ...note } } : {};
    return endSubscription(ctx, view, { columns: requested, metadata });
  });
}

/** A reason as it was when the customer chose it. */
type ChosenReason = Pick<Reason, "id" | "label">;

/** Refuses a customer before the plan's minimum of cycles has been billed. */
export function requireMinimum({ actor }: Ctx, row: Subscription): void {
  const agreed = cyclesAgreed(row, actor.type);
  if (agreed === 0) return;
  throw new DomainError(
    "INVALID_STATE",
    `Cannot cancel: the subscription is ${row.status}, and ${agreed} more cycles were agreed on`,
  );
}
