import { requirePermission } from "../../../base/accounts/portal-settings.ts";
import { notFound } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { cancelSubscription } from "../../subscriptions/actions/cancel.ts";
import { type Command, companionOf } from "../../subscriptions/actions/change-subscription.ts";
import { getSubscriptionAnd, type SubscriptionView } from "../../subscriptions/queries.ts";
import { requireOpenCase } from "../cases.ts";
import { guardOpen, selectCase } from "../queries.ts";

/**
 * Cancels the subscription of an open case, for the case's reason as it was chosen. A case that is confirmed already is answered with the
 * subscription as it is. Throws INVALID_STATE where the case was accepted, or has expired.
 */
export async function confirmCancellation(
  ctx: Ctx,
  { id, caseId }: Command & { caseId: string },
): Promise<SubscriptionView> {
  requirePermission(ctx, "can_cancel");
  const [view, { found }] = await getSubscriptionAnd(ctx, id, { found: selectCase(ctx, id, caseId) });
  const [known] = found;
  if (!known) throw notFound("Case");
  if (known.status === "CONFIRMED") return view;
  requireOpenCase("confirm the cancellation", known, ctx.now);
  const companion = companionOf({ leavingCase: selectCase(ctx, id, caseId) }, (_, { leavingCase: [now] }) => {
    if (!now) throw notFound("Case");
    if (now.status === "CONFIRMED") return {};
    requireOpenCase("confirm the cancellation", now, ctx.now);
    return { writes: [guardOpen(ctx, caseId)] };
  });
  const { cancellation_reason_id: reasonId, cancellation_reason_label: label } = known;
  return cancelSubscription(ctx, {
    ...{ id, companion },
    request: {},
    ...(reasonId !== null && label !== null ? { chosen: { id: reasonId, label } } : {}),
  });
}
