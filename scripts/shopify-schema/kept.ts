import {
  type DocumentNode,
  type GraphQLCompositeType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";

/** The names of the types to keep; of objects and interfaces with those of the fields to keep. */
export type Kept = Map<string, Set<string>>;

/**
 * The parts of a schema that documents need: of objects and interfaces the fields that are selected, with all their arguments;
 * input types, enums and unions in whole. Of an interface's objects only those that are reached otherwise.
 */
export function keptBy(schema: GraphQLSchema, documents: DocumentNode[]): Kept {
  const kept = named(schema, documents);
  const open = [...kept.keys()].map((name) => schema.getType(name)!);
  for (let type = open.pop(); type; type = open.pop()) {
    if (isCompositeType(type) && !isUnionType(type) && kept.get(type.name)!.size === 0)
      keep(kept, type, leastField(type));
    for (const next of ledTo(type, kept)) if (keep(kept, next)) open.push(next);
    if (isObjectType(type))
      for (const face of type.getInterfaces())
        for (const field of kept.get(face.name) ?? []) keep(kept, type, field);
  }
  for (const name of kept.keys()) if (isSpecifiedScalarType(schema.getType(name)!)) kept.delete(name);
  return kept;
}

function keep(kept: Kept, type: GraphQLNamedType, field?: string): boolean {
  const isNew = !kept.has(type.name);
  const fields = kept.get(type.name) ?? new Set();
  if (field) fields.add(field);
  kept.set(type.name, fields);
  return isNew;
}

/** The types and fields that the documents name: the fields they select, and the types of their conditions and variables. */
function named(schema: GraphQLSchema, documents: DocumentNode[]): Kept {
  const kept: Kept = new Map();
  for (const document of documents) {
    const info = new TypeInfo(schema);
    const visitor = {
      Field() {
        const [parent, field] = [info.getParentType(), info.getFieldDef()];
        const isIntrospection = parent?.name.startsWith("__") || field?.name.startsWith("__");
        if (parent && field && !isIntrospection) keep(kept, parent, field.name);
      },
      NamedType({ name }: { name: { value: string } }) {
        const type = schema.getType(name.value);
        if (type) keep(kept, type);
      },
    };
    visit(document, visitWithTypeInfo(info, visitor));
  }
  return kept;
}

/** Objects without fields cannot be: one of which nothing is selected keeps its id, or else its first plain field. */
function leastField(type: GraphQLCompositeType): string {
  const fields = isUnionType(type) ? [] : Object.values(type.getFields());
  const plain = fields.filter((field) => isLeafType(getNamedType(field.type)));
  const least = plain.find(({ name }) => name === "id") ?? plain[0];
  if (!least) throw new Error(`${type.name} has no plain field to keep: select one of its fields`);
  return least.name;
}

/** The types that a type leads to by what is kept of it: input types lead on by all of their fields. */
function ledTo(type: GraphQLNamedType, kept: Kept): GraphQLNamedType[] {
  if (isUnionType(type)) return [...type.getTypes()];
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => getNamedType(field.type));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return [...kept.get(type.name)!].flatMap((name) => {
    const field = type.getFields()[name]!;
    return [getNamedType(field.type), ...field.args.map((arg) => getNamedType(arg.type))];
  });
}
