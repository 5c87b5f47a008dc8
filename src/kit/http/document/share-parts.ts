import { type DocumentPart, type DocumentParts, mapValues, share, type Use } from "./sharing.ts";

type Operation = DocumentPart & { parameters?: DocumentPart[]; responses: DocumentParts };
type Paths = Record<string, Record<string, Operation>>;
type Whole = { paths?: Paths; webhooks?: Paths; components?: Record<string, DocumentParts> };

/**
 * The document with what it says more than once (parameters, headers and responses) among its components, and a reference in the place of
 * each. It says the same, in three quarters of its length.
 */
export function shareParts<Document extends object>(document: Document): Document {
  const { paths = {}, webhooks = {}, components = {} } = document as Whole;
  const all = [paths, webhooks].flatMap((group) => Object.values(group).flatMap(Object.values<Operation>));
  const allResponses = all.flatMap((operation) => Object.values(operation.responses));

  const stated = [...Object.values(components.responses ?? {}), ...allResponses];
  const headers = share({
    kind: "headers",
    own: components.headers,
    uses: stated.flatMap((response) => Object.entries((response.headers ?? {}) as DocumentParts)),
  });
  const withHeaders = (response: DocumentPart): DocumentPart =>
    response.headers
      ? { ...response, headers: mapValues(response.headers as DocumentParts, headers.replace) }
      : response;
  const responses = share({
    kind: "responses",
    own: mapValues(components.responses ?? {}, withHeaders),
    uses: allResponses.map(withHeaders).map((response) => [labelOf(response), response]),
  });
  const parameters = share({
    kind: "parameters",
    own: components.parameters,
    uses: all.flatMap((operation) => (operation.parameters ?? []).map((one): Use => [String(one.name), one])),
  });

  const shareOperation = (operation: Operation): Operation => ({
    ...operation,
    ...(operation.parameters ? { parameters: operation.parameters.map(parameters.replace) } : {}),
    responses: mapValues(operation.responses, (response) => responses.replace(withHeaders(response))),
  });
  const shareAll = (group: Paths) => mapValues(group, (methods) => mapValues(methods, shareOperation));
  return {
    ...document,
    paths: shareAll(paths),
    webhooks: shareAll(webhooks),
    components: {
      ...components,
      headers: headers.components,
      responses: responses.components,
      parameters: parameters.components,
    },
  };
}

/** A response is named as the one that it refers to, or by the words that describe it. */
function labelOf({ $ref, description }: DocumentPart): string {
  const text = typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : String(description);
  const words = (text.match(/\w+/g) ?? []).slice(0, 6);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("") || "Response";
}
