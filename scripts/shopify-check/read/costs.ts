import { readFileSync } from "node:fs";
import { buildSchema, getOperationAST, Kind, type OperationDefinitionNode, parse } from "graphql";
import { StoreRefusalError } from "../../../src/stores/port.ts";
import * as documents from "../../../src/stores/shopify/documents.ts";
import { root } from "../../paths.ts";
import { requestedCost } from "../../shopify-schema/query-cost.ts";
import { confirmed, contradicted, type Outcome, untestable } from "../../store-check/outcome.ts";
import type { Lab } from "../lab.ts";

/** Whether the store asks for as many points for each of the adapter's queries as the fake store's formula says. */
export async function checkCosts({ ask, costs }: Lab): Promise<Outcome> {
  const schema = buildSchema(readFileSync(`${root}test/stores/shopify/admin-2026-10.graphql`, "utf8"));
  const queries = Object.values<string>(documents).flatMap((query) => {
    const operation = getOperationAST(parse(query));
    return operation?.operation === "query" ? [{ query, operation }] : [];
  });
  const others: string[] = [];
  const unheard: string[] = [];
  for (const { query, operation } of queries) {
    const variables = variablesOf(operation);
    await ask(query, variables).catch((error: unknown) => {
      if (!(error instanceof StoreRefusalError)) throw error;
    });
    const name = operation.name?.value ?? "";
    const [expected, asked] = [requestedCost(schema, operation, {}, variables), costs.get(query)];
    if (asked === undefined) unheard.push(name);
    else if (asked !== expected) others.push(`${name} ${asked} instead of ${expected}`);
  }
  if (others.length > 0) return contradicted(others.join(", "));
  if (unheard.length === queries.length) return untestable("no answer names a cost");
  return confirmed(`${queries.length - unheard.length} of ${queries.length} queries`);
}

/** Values by which a query finds nothing: an id that no store has, a time to come. The cost is known before a query is executed. */
function variablesOf({
  selectionSet,
  variableDefinitions = [],
}: OperationDefinitionNode): Record<string, unknown> {
  const [selected] = selectionSet.selections;
  const field = selected?.kind === Kind.FIELD ? selected.name.value : "";
  const id = `gid://shopify/${field.charAt(0).toUpperCase()}${field.slice(1)}/1`;
  const values = variableDefinitions.map(({ variable: { name }, type }) => {
    if (type.kind !== Kind.NON_NULL_TYPE) return [name.value, null];
    const named = type.type.kind === Kind.NAMED_TYPE ? type.type.name.value : "";
    return [name.value, { ID: id, Int: pageSize, String: noSuchTime }[named] ?? null];
  });
  return Object.fromEntries(values);
}

const pageSize = 50;
const noSuchTime = "created_at:>='2099-01-01T00:00:00Z'";
