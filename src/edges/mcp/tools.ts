import { type AnyOperation, scopesNeeded } from "../../kit/http/document/operation.ts";
import { type Annotations, annotationsOf } from "./annotations.ts";
import { type ApiDocument, type Described, findDescribed, type Schema } from "./api-document.ts";
import { briefOf } from "./brief.ts";
import { customerTextIn, type Path } from "./customer-text.ts";
import { type Guidance, readGuidance } from "./guidance.ts";
import { buildInput, firstSentences } from "./input-schema.ts";
import { isForAgents } from "./toolsets.ts";

type Tool = {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; [keyword: string]: unknown };
  annotations: Annotations;
};

/** A tool, how its arguments map to the request of its operation, and where customers' text stands in its results. */
export type OperationTool = {
  tool: Tool;
  operation: AnyOperation;
  inPath: string[];
  inQuery: string[];
  customerText: Path[];
};

/** The tools of a document in an environment, made once. */
export async function toolsFrom(
  document: ApiDocument,
  operations: AnyOperation[],
  environment: string,
): Promise<Tools> {
  const known = made.get(document) ?? new Map<string, Tools>();
  made.set(document, known);
  const tools =
    known.get(environment) ?? buildTools({ document, operations, environment }, await readGuidance());
  known.set(environment, tools);
  return tools;
}

const maxDescription = 300;

type Tools = Map<string, OperationTool>;
const made = new WeakMap<ApiDocument, Map<string, Tools>>();

type Source = { document: ApiDocument; operations: AnyOperation[]; environment: string };

/** One tool for each operation that agents can use, described by the API's own document. */
function buildTools({ document, operations, environment }: Source, guidance: Guidance): Tools {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  return new Map(
    operations
      .filter((operation) => isForAgents(operation, environment))
      .map((operation) => [operation.id, buildTool(operation, { document, schemas, guidance })]),
  );
}

function buildTool(
  operation: AnyOperation,
  {
    document,
    schemas,
    guidance,
  }: { document: ApiDocument; schemas: Record<string, Schema>; guidance: Guidance },
): OperationTool {
  const described = findDescribed(document, operation.path, operation.method);
  const { schema, inPath, inQuery } = buildInput(operation, described, { schemas });
  const isList = briefOf(operation.id) !== undefined;
  const inputSchema = isList ? { ...schema, properties: { ...schema.properties, full: wholeRows } } : schema;
  const [scope] = scopesNeeded(operation);
  const tool: Tool = {
    name: operation.id,
    title: described.summary,
    description: descriptionOf(described, guidance[operation.id]),
    inputSchema,
    annotations: annotationsOf(operation),
    ...(scope ? { _meta: { "perennial/scope": scope } } : {}),
  };
  return { tool, operation, inPath, inQuery, customerText: customerTextIn(described, schemas) };
}

const wholeRows: Schema = {
  type: "boolean",
  description: "Rows with all of their fields. Use a small limit with it.",
};

function descriptionOf({ summary, description = "" }: Described, guide: string | undefined): string {
  const more = guide ?? firstSentences(description, maxDescription);
  return more === "" ? `${summary}.` : `${summary}. ${more}`;
}
