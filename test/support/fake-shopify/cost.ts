import type { OperationDefinitionNode } from "graphql";

export { requestedCost } from "../../../scripts/shopify-schema/query-cost.ts";

/** The actual cost: for a query, of the objects found, and never more than the estimate. */
export function actualCost(operation: OperationDefinitionNode, requested: number, data: unknown): number {
  return operation.operation === "mutation"
    ? requested
    : Math.min(requested, Math.max(1, objectsIn(data) - 1));
}

function objectsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + objectsIn(one), 0);
  if (value === null || typeof value !== "object") return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + objectsIn(one), 1);
}
