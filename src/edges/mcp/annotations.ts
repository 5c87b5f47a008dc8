import type { AnyOperation } from "../../kit/http/document/operation.ts";

export type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

/** The hints by which hosts decide whether to ask their user, to try again, to trust what comes back. */
export function annotationsOf(operation: AnyOperation): Annotations {
  const { method } = operation;
  return {
    readOnlyHint: method === "get",
    destructiveHint: operation.destructive ?? method === "delete",
    idempotentHint: method !== "post" || reachesState.has(operation.id) || operation.id.startsWith("reorder"),
    openWorldHint: asksOthers(operation),
  };
}

/** Requests that lead to a state: the second one finds it reached and changes nothing. */
const reachesState = new Set([
  "pauseSubscription",
  "resumeSubscription",
  "cancelSubscription",
  "reactivateSubscription",
  "cancelOrder",
]);

/** Requests that make the service call a webhook endpoint. */
const callsEndpoint = new Set(["testWebhookEndpoint", "recoverWebhookEndpoint", "resendEventDelivery"]);

/** Requests about orders that may have the connected store pay money back. */
const refunds = new Set(["cancelOrder"]);

/** Every change of a subscription or a charge goes to the connected store too. All that is read is stored here. */
function asksOthers({ id, method, resource }: AnyOperation): boolean {
  if (method === "get") return false;
  return resource === "subscriptions" || resource === "billing" || callsEndpoint.has(id) || refunds.has(id);
}
