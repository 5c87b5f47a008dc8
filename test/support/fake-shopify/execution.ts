import {
  type DocumentNode,
  execute,
  type FragmentDefinitionNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  type TypeNode,
  validate,
} from "graphql";
import type { Bucket } from "./bucket.ts";
import { actualCost, requestedCost } from "./cost.ts";
import { inShopifysWords, unknownMutations } from "./offers.ts";
import { fieldOf, rootOf } from "./root.ts";
import { schema } from "./schema.ts";
import type { FakeStore } from "./store.ts";

/** The name of the operation, for the log and for faults. */
export function operationName(query: string): string | null {
  const result = parsed(query);
  return result instanceof GraphQLError ? null : (getOperationAST(result.document)?.name?.value ?? null);
}

/** Executes a request, which costs points. Returns Shopify's envelope. */
export async function executeRequest(
  store: FakeStore,
  points: Bucket,
  request: GraphqlRequest,
): Promise<Record<string, unknown>> {
  const result = parsed(request.query);
  if (result instanceof GraphQLError) return { errors: [result.toJSON()] };
  const { document, faults, prices } = result;
  if (faults.length > 0) return { errors: faults.map(inShopifysWords) };
  const operation = getOperationAST(document);
  if (!operation) return refused("No operation was given", { code: "BAD_REQUEST" });
  const unknown = unknownMutations(store, operation);
  if (unknown.length > 0) return { errors: unknown };
  const requestedQueryCost = priceOf(document, operation, request, prices);
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
  const executed = await execute({
    schema,
    document,
    rootValue: rootOf(store),
    fieldResolver: fieldOf(store),
    variableValues: request.variables,
  });
  const errors = executed.errors?.map((error) => error.toJSON());
  if (executed.data === undefined) {
    points.giveBack(requestedQueryCost);
    return { errors: errors?.map((error) => ({ ...error, extensions: { code: "INVALID_VARIABLE" } })) };
  }
  const actual = actualCost(operation, requestedQueryCost, executed.data);
  points.giveBack(requestedQueryCost - actual);
  return { data: executed.data, ...(errors ? { errors } : {}), extensions: costs(actual) };
}

/** The highest cost of one query. */
const maxCost = 1000;
const limits = "https://shopify.dev/api/usage/rate-limits";

export type GraphqlRequest = { query: string; variables: Record<string, unknown> };

type Parsed = { document: DocumentNode; faults: readonly GraphQLError[]; prices: Map<string, number> };

/** Parsed and validated once: a client's documents are few, and validating one takes longer than executing it. */
const known = new Map<string, Parsed | GraphQLError>();

function parsed(query: string): Parsed | GraphQLError {
  const result = known.get(query) ?? parseAndValidate(query);
  known.set(query, result);
  return result;
}

function parseAndValidate(query: string): Parsed | GraphQLError {
  try {
    const document = parse(query);
    return { document, faults: validate(schema, document), prices: new Map() };
  } catch (error) {
    return error as GraphQLError;
  }
}

function refused(message: string, extensions: Record<string, unknown>) {
  return {
    errors: [{ message, extensions }],
  };
}

/** The cost of a request, estimated once for each size of its pages: only variables that are whole numbers say how long one is. */
function priceOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { variables }: GraphqlRequest,
  prices: Map<string, number>,
): number {
  const sizes = operation.variableDefinitions
    ?.filter(({ type }) => namedTypeOf(type) === "Int")
    .map(({ variable }) => variables[variable.name.value]);
  const key = JSON.stringify([operation.name?.value, sizes]);
  const price = prices.get(key) ?? requestedCost(schema, operation, fragmentsOf(document), variables);
  prices.set(key, price);
  return price;
}

function namedTypeOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
}

function fragmentsOf({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}
