import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

/**
 * The estimated cost of a query before it is executed, as Shopify documents it: 0 for scalars and enums, 1 for an
 * object, the highest cost among a union's objects, 2 for a connection plus its nodes; 10 for a mutation.
 */
export function requestedCost(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Record<string, FragmentDefinitionNode>,
  variables: Variables,
): number {
  const costOf = ({ selections }: SelectionSetNode, parent: string): number => {
    const type = schema.getType(parent);
    const branches = new Map<string, number>();
    let sum = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const field = type && "getFields" in type ? type.getFields()[selection.name.value] : undefined;
        const returned = field && "args" in field ? getNamedType(field.type) : undefined;
        if (!returned || !isCompositeType(returned) || !selection.selectionSet) continue;
        const inner = costOf(selection.selectionSet, returned.name);
        const isWrapper = /Edge$|^PageInfo$/.test(returned.name);
        sum += returned.name.endsWith("Connection")
          ? 2 + timesOf(sizeOf(selection, variables)) * inner
          : (isWrapper ? 0 : 1) + inner;
        continue;
      }
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
      if (!fragment) continue;
      const on = fragment.typeCondition?.name.value ?? parent;
      const cost = costOf(fragment.selectionSet, on);
      if (isObjectType(type)) sum += cost;
      else branches.set(on, (branches.get(on) ?? 0) + cost);
    }
    return sum + Math.max(0, ...branches.values());
  };
  if (operation.operation === "mutation") return mutationCost * operation.selectionSet.selections.length;
  return Math.max(1, costOf(operation.selectionSet, schema.getQueryType()!.name));
}

const mutationCost = 10;

type Variables = Record<string, unknown>;

/** How many nodes are requested. */
function sizeOf({ arguments: fieldArguments }: FieldNode, variables: Variables): number {
  const size = fieldArguments?.find(({ name }) => name.value === "first" || name.value === "last")?.value;
  if (size?.kind === Kind.INT) return Number(size.value);
  return size?.kind === Kind.VARIABLE ? Number(variables[size.name.value] ?? 0) : 0;
}

/** Shopify was observed to count a connection's nodes by the logarithm of the page size. */
function timesOf(size: number): number {
  return size > 0 ? Math.floor(2 * Math.log(Math.max(2, size))) : 0;
}
