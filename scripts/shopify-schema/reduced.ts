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

/** The part of a schema that documents use, sorted, as a schema and as its text; of these webhook topics also what they require. */
export function reduced(
  full: GraphQLSchema,
  documents: DocumentNode[],
  topics: ReadonlySet<string>,
): { schema: GraphQLSchema; text: string } {
  const kept = keptBy(full, documents);
  const roots = [full.getQueryType(), full.getMutationType()].filter((type) => type && kept.has(type.name));
  const definitions = [...kept.keys()].map((name) => {
    const definition = parse(printType(full.getType(name)!)).definitions[0]!;
    return reducedType(definition, kept, topics);
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

/**
 * A type's definition with nothing but what is kept, and without descriptions. Only the webhook topics of the adapter keep a sentence:
 * the scopes that a topic requires stand nowhere else.
 */
function reducedType(definition: DefinitionNode, kept: Kept, topics: ReadonlySet<string>): DefinitionNode {
  const isOfTopics = "name" in definition && definition.name?.value === "WebhookSubscriptionTopic";
  return visit(definition, {
    enter(node) {
      if (!("description" in node && node.description)) return undefined;
      const isTopic = isOfTopics && node.kind === Kind.ENUM_VALUE_DEFINITION && topics.has(node.name.value);
      const requires = isTopic ? requirementIn(node.description.value) : undefined;
      if (requires !== undefined && node.description.value === requires) return undefined;
      return { ...node, description: requires && { kind: Kind.STRING, value: requires } };
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

/** `Requires the `read_orders` scope.`, of a topic's description. */
function requirementIn(description: string): string | undefined {
  return /Requires\s.*$/s.exec(description)?.[0].replaceAll(/\s+/g, " ");
}

const header =
  "# Shopify's Admin schema as far as src/stores/shopify uses it; written by npm run shopify-schema.\n";
