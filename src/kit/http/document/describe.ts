import type { z } from "@hono/zod-openapi";
import type { FieldRules } from "./field-rules.ts";

/** The meaning of a field, and an example where its value does not explain itself. */
export type FieldText = string | readonly [text: string, example: unknown];

/** A text for every field of a schema. Schemas of one record share a table: it may have texts of other fields too. */
type FieldTexts<Schema extends z.ZodObject> = Record<keyof Schema["shape"], FieldText>;

type ObjectText = {
  description?: string;
  example?: unknown;
  /** Fields that are sent with others or not at all, and what else is to be so where one is sent. The schema that checks the object has to check this too. */
  dependentRequired?: Record<string, string[]>;
  dependentSchemas?: FieldRules;
  oneOf?: { required: string[] }[];
  /** The fields that the document requires, where the service can do without one of them. */
  required?: string[];
};

/**
 * Gives an object its name in the document, and each of its fields a text; a field without one does not compile. The document
 * takes the texts when it is made. The schemas stay as they are, because a copy of each field would delay every start.
 */
export function named<Schema extends z.ZodObject>(
  name: string,
  schema: Schema,
  texts: FieldTexts<Schema>,
  about: ObjectText = {},
): Schema {
  textsOf.set(name, texts);
  return schema.openapi(name, about);
}

/** Writes the texts of `named` into the component schemas of a document. */
export function writeFieldTexts(schemas: Record<string, { properties?: Record<string, object> }>): void {
  for (const [name, texts] of textsOf)
    for (const [field, property] of Object.entries(schemas[name]?.properties ?? {}))
      Object.assign(property, keywordsOf(texts[field]));
}

const textsOf = new Map<string, Record<string, FieldText>>();

function keywordsOf(text: FieldText | undefined): { description?: string; example?: unknown } {
  if (text === undefined) return {};
  return typeof text === "string" ? { description: text } : { description: text[0], example: text[1] };
}
