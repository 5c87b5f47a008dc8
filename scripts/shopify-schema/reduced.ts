import {
  buildASTSchema,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  printType,
  validateSchema,
  visit,
} from "graphql";
import { type Kept, keptBy } from "./kept.ts";

/** The part of a schema that documents use, sorted, as a schema and as its text. */
export function reduced(
  full: GraphQLSchema,
  documents: DocumentNode[],
): { schema: GraphQLSchema; text: string } {
  const kept = keptBy(full, documents);
  const roots = [full.getQueryType(), full.getMutationType()].filter((type) => type && kept.has(type.name));
  const definitions = [...kept.keys()].map((name) => {
    const definition = parse(printType(full.getType(name)!)).definitions[0]!;
    return reducedType(definition, kept);
  });
  const operations = roots.map(
    (type) => `${type === full.getQueryType() ? "query" : "mutation"}: ${type!.name}`,
  );
  const entry = parse(`schema { ${operations.join(" ")} }`).definitions;
  const sdl = print({ kind: Kind.DOCUMENT, definitions: [...entry, ...definitions] });
  const schema = lexicographicSortSchema(buildASTSchema(parse(sdl)));
  const [fault] = validateSchema(schema);
  if (fault) throw fault;
  return { schema, text: `${header}${printSchema(schema)}\n` };
}

/** A type's definition with nothing but what is kept, and without descriptions. */
function reducedType(definition: DefinitionNode, kept: Kept): DefinitionNode {
  return visit(definition, {
    enter(node) {
      if ("description" in node && node.description) return { ...node, description: undefined };
      return undefined;
    },
    leave(node) {
      if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INTERFACE_TYPE_DEFINITION)
        return undefined;
      const fields = kept.get(node.name.value)!;
      return {
        ...node,
        interfaces: node.interfaces?.filter(({ name }) => kept.has(name.value)),
        fields: node.fields?.filter(({ name }) => fields.has(name.value)),
      };
    },
  });
}

const header =
  "# Shopify's Admin schema as far as src/stores/shopify uses it; written by npm run shopify-schema.\n";
