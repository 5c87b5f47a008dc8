/** The part of JSON Schema that tools are made from. */
export type Schema = {
  $ref?: string;
  type?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  [keyword: string]: unknown;
};

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
type Media = { schema: Schema };

/** An operation as the API's document describes it. */
export type Described = {
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
};

/** The part of the OpenAPI document from which tools are made. */
export type ApiDocument = { paths?: object; components?: { schemas?: object } };

export function findDescribed({ paths }: ApiDocument, path: string, method: string): Described {
  return (
    (paths as Record<string, Record<string, Described>>)[path]?.[method] ?? { summary: path, responses: {} }
  );
}

/** The name of the component that a schema refers to; undefined if it refers to none. */
export function componentNamed({ $ref }: Schema): string | undefined {
  return $ref?.startsWith(prefix) ? $ref.slice(prefix.length) : undefined;
}

const prefix = "#/components/schemas/";
