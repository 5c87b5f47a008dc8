import { type FieldNode, type GraphQLError, Kind, type OperationDefinitionNode } from "graphql";
import type { FakeStore } from "./store.ts";

/** The mutations of each way to change a contract: 2026-10 has both, and a version may have one alone. */
const ways = {
  drafts: /^subscription(ContractUpdate|Draft\w+)$/,
  calculations: /^subscriptionContract(UpdateCalculate|CalculationCommit)$/,
};
export type Way = keyof typeof ways;

/** The refusals of mutations that the store's version does not have, in Shopify's words; the request is not executed then. */
export function unknownMutations(
  { settings }: FakeStore,
  { operation, selectionSet }: OperationDefinitionNode,
) {
  const fields = selectionSet.selections.filter((one): one is FieldNode => one.kind === Kind.FIELD);
  const missing = (Object.keys(ways) as Way[]).filter((way) => !settings.offers.includes(way));
  return fields
    .map(({ name }) => name.value)
    .filter((name) => operation === "mutation" && missing.some((way) => ways[way].test(name)))
    .map((field) => unknownField(field, "Mutation"));
}

/** A fault of a document, which graphql-js words otherwise where a field does not exist. */
export function inShopifysWords(fault: GraphQLError): object {
  const [, field, type] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(fault.message) ?? [];
  return field && type ? unknownField(field, type) : fault.toJSON();
}

function unknownField(fieldName: string, typeName: string) {
  return {
    message: `Field '${fieldName}' doesn't exist on type '${typeName}'`,
    extensions: { code: "undefinedField", typeName, fieldName },
  };
}
