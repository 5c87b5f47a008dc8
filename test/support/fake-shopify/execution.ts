import {
  type DocumentNode,
  execute,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from "graphql";
import type { Bucket } from "./bucket.ts";
import { actualCost, requestedCost } from "./cost.ts";
import { fieldOf, rootOf } from "./root.ts";
import { schema } from "./schema.ts";
import type { FakeStore } from "./store.ts";

/** The highest cost of one query. */
const maxCost = 1000;
const limits = "https://shopify.dev/api/usage/rate-limits";

export type GraphqlRequest = { query: string; variables: Record<string, unknown> };

const parsed = (query: string): DocumentNode | GraphQLError => {
  try {
    return parse(query);
  } catch (error) {
    return error as GraphQLError;
  }
};

/** The name of the operation, for the log and for faults. */
export const operationName = (query: string): string | null => {
  const document = parsed(query);
  return document instanceof GraphQLError ? null : (getOperationAST(document)?.name?.value ?? null);
};

const refused = (message: string, extensions: Record<string, unknown>) => ({
  errors: [{ message, extensions }],
});

const priceOf = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  request: GraphqlRequest,
): number => {
  const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const byName = Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
  return requestedCost(schema, operation, byName, request.variables);
};

/** Executes a request, which costs points. Returns Shopify's envelope. */
export const executeRequest = async (
  store: FakeStore,
  points: Bucket,
  request: GraphqlRequest,
): Promise<Record<string, unknown>> => {
  const document = parsed(request.query);
  if (document instanceof GraphQLError) return { errors: [document.toJSON()] };
  const faults = validate(schema, document);
  if (faults.length > 0) return { errors: faults.map((fault) => fault.toJSON()) };
  const operation = getOperationAST(document);
  if (!operation) return refused("No operation was given", { code: "BAD_REQUEST" });
  const requestedQueryCost = priceOf(document, operation, request);
  if (requestedQueryCost > maxCost)
    return refused(
      `Query cost is ${requestedQueryCost}, which exceeds the single query max cost limit (${maxCost}).`,
      { code: "MAX_COST_EXCEEDED", cost: requestedQueryCost, maxCost, documentation: limits },
    );
  const costs = (actualQueryCost: number | null) => ({
    cost: { requestedQueryCost, actualQueryCost, throttleStatus: points.status() },
  });
  if (!points.take(requestedQueryCost))
    return { ...refused("Throttled", { code: "THROTTLED", documentation: limits }), extensions: costs(null) };
  const result = await execute({
    schema,
    document,
    rootValue: rootOf(store),
    fieldResolver: fieldOf(store),
    variableValues: request.variables,
  });
  const errors = result.errors?.map((error) => error.toJSON());
  if (result.data === undefined) {
    points.giveBack(requestedQueryCost);
    return { errors: errors?.map((error) => ({ ...error, extensions: { code: "INVALID_VARIABLE" } })) };
  }
  const actual = actualCost(operation, requestedQueryCost, result.data);
  points.giveBack(requestedQueryCost - actual);
  return { data: result.data, ...(errors ? { errors } : {}), extensions: costs(actual) };
};
